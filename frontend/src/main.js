// Reads the bundles that the page holds and shows them. Nothing is requested.

import { render } from "preact";
import { App } from "./app.js";
import { decodeBundle } from "./bundle.js";
import { host } from "./host.js";
import { html } from "./html.js";
import { densityMap } from "./screens/density.js";
import { contrastClasses } from "./screens/contrast.js";
import { makeStore } from "./state.js";
import css from "./style.css";

const sheet = new CSSStyleSheet();
sheet.replaceSync(css);
document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];

const root = /** @type {HTMLElement} */ (document.getElementById("explorer"));
const sources = [...document.querySelectorAll("script[data-bundle]")].map((element) => element.textContent ?? "");
/** @type {(import("./bundle.js").Bundle | null)[]} */
const bundles = sources.map(() => null);
const store = makeStore();

start().catch((error) => {
  root.textContent = `This file cannot be read (${error.message}). If it is damaged, copy or write it again; if this browser is old, use another one.`;
});

/** The image that is looked at comes first, the others follow. */
async function start() {
  const first = sources[store.state.image] === undefined ? 0 : store.state.image;
  for (const i of [first, ...sources.keys()].filter((each, at, all) => all.indexOf(each) === at)) {
    bundles[i] = await decodeBundle(sources[i]);
    if (i === first) root.textContent = ""; // it said that the file is read
    render(html`<${App} bundles=${[...bundles]} store=${store} />`, root);
    await new Promise((resolve) => setTimeout(resolve));
  }
}

Object.assign(globalThis, { seewhyExplorer: { bundles, store, host, contrastClasses, densityMap } }); // for the console and tests
