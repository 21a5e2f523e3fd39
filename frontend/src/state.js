// What the reader has chosen: one flat object, kept in the URL's fragment so that a link restores it.

const DEFAULTS = {
  image: 0,
  screen: "explain",
  method: 0,
  class: -1, // -1: the first explained class
  direction: /** @type {import("./bundle.js").Direction} */ ("deletion"),
  reference: "",
  count: 0,
  view: /** @type {"magnitude" | "signed" | "contour" | "off"} */ ("magnitude"),
  side: true,
  opacity: 0.85,
  zoom: 1,
  x: 0,
  y: 0,
  show: /** @type {"image" | "map" | "both"} */ ("both"),
  sort: "ins_del",
  descending: true,
  a: -1,
  b: -1,
  temperatures: "1, 5, 100",
  mode: /** @type {"multiply" | "divide"} */ ("multiply"),
  scaled: false,
  margin: 0,
  mix: 0.5,
  gamma: 0,
  step: 0,
};

/** @typedef {typeof DEFAULTS} State */
/** @typedef {(patch: Partial<State>) => void} SetState */

/** @type {Record<string, string[]>} */
const CHOICES = {
  screen: ["explain", "compare", "contrast", "density", "film"],
  direction: ["deletion", "insertion"],
  view: ["magnitude", "signed", "contour", "off"],
  show: ["image", "map", "both"],
  mode: ["multiply", "divide"],
};

/**
 * @param {string} fragment
 * @returns {State}
 */
export function parseState(fragment) {
  const given = new URLSearchParams(fragment.replace(/^#/, ""));
  const entries = Object.entries(DEFAULTS).map(([name, usual]) => [name, parseValue(name, given.get(name), usual)]);
  return Object.fromEntries(entries);
}

/**
 * @param {string} name
 * @param {string | null} text
 * @param {string | number | boolean} usual
 */
function parseValue(name, text, usual) {
  if (text === null) return usual;
  if (typeof usual === "boolean") return text === "1";
  if (typeof usual === "number") return text.trim() && Number.isFinite(Number(text)) ? Number(text) : usual;
  return CHOICES[name] && !CHOICES[name].includes(text) ? usual : text;
}

/** @param {State} state */
export function formatState(state) {
  const given = new URLSearchParams();
  for (const [name, usual] of Object.entries(DEFAULTS)) {
    const value = state[/** @type {keyof State} */ (name)];
    if (value !== usual) given.set(name, typeof value === "boolean" ? (value ? "1" : "0") : String(value));
  }
  return given.toString();
}

/** The state and whoever wants to hear of it; the fragment follows after a pause, since browsers limit its changes. */
export class Store {
  constructor() {
    this.state = parseState(location.hash);
    /** @type {(() => void)[]} */ this.listeners = [];
    this.pending = 0;
    addEventListener("hashchange", () => this.change(parseState(location.hash)));
  }

  /** @type {SetState} */
  set = (patch) => {
    this.change({ ...this.state, ...patch });
    clearTimeout(this.pending);
    this.pending = setTimeout(() => this.write(), 200);
  };

  /** @param {State} state */
  change(state) {
    this.state = state;
    this.listeners.forEach((listener) => listener());
  }

  write() {
    const text = formatState(this.state);
    try {
      history.replaceState(null, "", text ? `#${text}` : location.pathname + location.search);
    } catch {
      // An iframe made from `srcdoc` may not change its address; the state then lives as long as the page.
    }
  }
}
