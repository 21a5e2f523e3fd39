// The page of `seewhy ui`: the explorer with a model behind it.

import { render } from "preact";
import { html } from "../html.js";
import { host } from "../host.js";
import { makeStore } from "../state.js";
import explorerCss from "../style.css";
import { Live } from "./live.js";
import { Page } from "./page.js";
import pageCss from "./page.css";
import { makePageStore } from "./state.js";

document.adoptedStyleSheets = [explorerCss, pageCss].map((css) => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(css);
  return sheet;
});

const root = /** @type {HTMLElement} */ (document.getElementById("page"));
const store = makePageStore();
const explorer = makeStore();
const live = new Live();
root.textContent = "";
render(html`<${Page} store=${store} explorer=${explorer} live=${live} />`, root);

Object.assign(globalThis, { seewhyPage: { store, explorer, live, host } }); // for the console and tests
