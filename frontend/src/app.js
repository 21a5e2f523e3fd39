import { useEffect, useMemo, useState } from "preact/hooks";
import { PixelCanvas } from "./components/panel.js";
import { probability } from "./format.js";
import { html } from "./html.js";
import { Compare } from "./screens/compare.js";
import { Contrast } from "./screens/contrast.js";
import { DENSITY_EXTRAS, Density } from "./screens/density.js";
import { Explain } from "./screens/explain.js";
import { FILM_EXTRAS, Film } from "./screens/film.js";

/** @typedef {import("./bundle.js").Bundle} Bundle */

/** @type {{ name: string, title: string, screen: any, offered: (bundle: Bundle) => boolean }[]} */
const SCREENS = [
  { name: "explain", title: "Explain", screen: Explain, offered: () => true },
  { name: "compare", title: "Compare", screen: Compare, offered: (bundle) => bundle.entries.length > 1 },
  {
    name: "contrast",
    title: "A or B",
    screen: Contrast,
    offered: (bundle) => bundle.targets.length > 1 && bundle.entries.some((entry) => entry.contrasts),
  },
  {
    name: "density",
    title: "Density",
    screen: Density,
    offered: (bundle) => bundle.entries.some((entry) => entry.has(...DENSITY_EXTRAS)),
  },
  {
    name: "film",
    title: "Film",
    screen: Film,
    offered: (bundle) => bundle.entries.some((entry) => entry.has(...FILM_EXTRAS)),
  },
];

/**
 * @template {import("./address.js").Values} T
 * @param {import("./address.js").Address<T>} store
 */
export function useAddress(store) {
  const [state, setState] = useState(store.state);
  useEffect(() => {
    const listener = () => setState(store.state);
    store.listeners.push(listener);
    listener();
    return () => void store.listeners.splice(store.listeners.indexOf(listener), 1);
  }, [store]);
  return state;
}

/**
 * @param {{ bundles: (Bundle | null)[], store: import("./state.js").Store, brand?: any }} props bundles: null while one
 *   is decoded; brand: what stands before the tabs
 */
export function App({ bundles, store, brand = BRAND }) {
  const state = useAddress(store);
  const number = bundles[state.image] === undefined ? 0 : state.image;
  const bundle = bundles[number];
  const offered = useMemo(() => SCREENS.filter((each) => bundle && each.offered(bundle)), [bundle]);
  const current = offered.find((each) => each.name === state.screen) ?? offered[0];
  const top = useMemo(
    () =>
      bundle &&
      html`<nav class="top" aria-label="Explorer">
          ${brand}
          ${(offered.length > 1 || !brand) && html`<${Tabs} screens=${offered} current=${current.name} onChange=${(/** @type {string} */ screen) => store.go({ screen })} />`}
          <span class="file" title=${bundle.name}>${bundle.name} · ${bundle.model}</span>
        </nav>
        ${bundles.length > 1 && html`<${Strip} bundles=${bundles} current=${number} onChange=${(/** @type {number} */ image) => store.set({ image, count: 0, zoom: 1, x: 0, y: 0 })} />`}`,
    [bundles, number, bundle, current, store, brand],
  );
  if (!bundle) return html`<p class="intro">Reading the image…</p>`;
  return html`${top}
    <div class="screen" role="region" aria-label=${current.title} data-screen=${current.name}>
      <${current.screen} key=${number} bundle=${bundle} state=${state} set=${store.set} />
    </div>`;
}

const BRAND = html`<span class="brand">seewhy</span>`;

/** @param {{ screens: { name: string, title: string }[], current: string, onChange: (name: string) => void }} props */
export function Tabs({ screens, current, onChange }) {
  const keys = (/** @type {KeyboardEvent} */ event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const at = screens.findIndex((each) => each.name === current);
    const next = (at + step + screens.length) % screens.length;
    onChange(screens[next].name);
    /** @type {HTMLElement} */ (/** @type {HTMLElement} */ (event.currentTarget).children[next]).focus();
  };
  return html`<div class="tabs" role="tablist" onKeyDown=${keys}>
    ${screens.map(
      ({ name, title }) =>
        html`<button
          type="button"
          role="tab"
          key=${name}
          aria-selected=${name === current}
          tabindex=${name === current ? 0 : -1}
          onClick=${() => onChange(name)}
        >
          ${title}
        </button>`,
    )}
  </div>`;
}

/** All images of the file. @param {{ bundles: (Bundle | null)[], current: number, onChange: (image: number) => void }} props */
function Strip({ bundles, current, onChange }) {
  return html`<div class="strip" role="group" aria-label="Images">
    ${bundles.map(
      (bundle, i) =>
        html`<button type="button" key=${i} aria-pressed=${i === current} onClick=${() => onChange(i)}>
          ${bundle ? html`<${PixelCanvas} width=${bundle.width} height=${bundle.height} deps=${[bundle]} draw=${(/** @type {Uint32Array} */ out) => out.set(bundle.image)} />` : html`<span class="blank"></span>`}
          <span class="name">
            <b>${bundle ? bundle.className(bundle.prediction) : "…"}</b>
            ${bundle && html`<i>${probability(bundle.info(bundle.prediction)?.probability ?? 0)}</i>`}
          </span>
        </button>`,
    )}
  </div>`;
}
