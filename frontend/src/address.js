// A flat state that lives in the address: the explorer's in the fragment, the page's in the query.

/** @typedef {Record<string, string | number | boolean>} Values */
/** @typedef {Record<string, any[]>} Choices what a text may be, or the least and the largest number, by name */

/**
 * @template {Values} T
 * @param {string} text of a query or fragment
 * @param {T} defaults
 * @param {Choices} choices
 * @returns {T}
 */
export function parseState(text, defaults, choices) {
  const given = new URLSearchParams(text.replace(/^[#?]/, ""));
  const entries = Object.entries(defaults).map(([name, usual]) => [
    name,
    parseValue(given.get(name), usual, choices[name]),
  ]);
  return Object.fromEntries(entries);
}

/**
 * @param {string | null} text
 * @param {string | number | boolean} usual
 * @param {any[] | undefined} choices
 */
function parseValue(text, usual, choices) {
  if (text === null) return usual;
  if (typeof usual === "boolean") return text === "1";
  if (typeof usual === "number") {
    const [low, high] = choices ?? [-Infinity, Infinity];
    return text.trim() && Number.isFinite(Number(text)) ? Math.min(high, Math.max(low, Number(text))) : usual;
  }
  return choices && !choices.includes(text) ? usual : text;
}

/**
 * @template {Values} T
 * @param {T} state
 * @param {T} defaults
 */
export function formatState(state, defaults) {
  const given = new URLSearchParams();
  for (const [name, usual] of Object.entries(defaults)) {
    const value = state[name];
    if (value !== usual) given.set(name, typeof value === "boolean" ? (value ? "1" : "0") : String(value));
  }
  return given.toString();
}

/**
 * The state and whoever wants to hear of it; the address follows after a pause, since browsers limit its changes.
 * @template {Values} T
 */
export class Address {
  /**
   * @param {T} defaults
   * @param {Choices} choices
   * @param {"fragment" | "query"} part
   */
  constructor(defaults, choices, part) {
    this.defaults = defaults;
    this.part = part;
    const read = () => parseState(part === "fragment" ? location.hash : location.search, defaults, choices);
    this.state = read();
    /** @type {(() => void)[]} */ this.listeners = [];
    this.pending = 0;
    addEventListener(part === "fragment" ? "hashchange" : "popstate", () => this.change(read()));
  }

  /** @type {(patch: Partial<T>) => void} */
  set = (patch) => {
    this.change({ ...this.state, ...patch });
    clearTimeout(this.pending);
    this.pending = setTimeout(() => this.write(), 200);
  };

  /** A step that the browser's back button undoes. @type {(patch: Partial<T>) => void} */
  go = (patch) => {
    this.write();
    this.change({ ...this.state, ...patch });
    this.write("pushState");
  };

  /** @param {T} state */
  change(state) {
    this.state = state;
    this.listeners.forEach((listener) => listener());
  }

  /** @param {"replaceState" | "pushState"} [how] */
  write(how = "replaceState") {
    clearTimeout(this.pending);
    const text = formatState(this.state, this.defaults);
    const query = this.part === "query" ? text && `?${text}` : location.search;
    const fragment = this.part === "fragment" ? text && `#${text}` : location.hash;
    try {
      history[how](null, "", location.pathname + query + fragment);
    } catch {
      // An iframe made from `srcdoc` may not change its address; the state then lives as long as the page.
    }
  }
}
