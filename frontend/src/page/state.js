// What the reader has chosen on the page, kept in the address's query; the explorer's choices are in its fragment.

import { Address } from "../address.js";

const DEFAULTS = {
  page: /** @type {"explain" | "ask" | "refine" | "data"} */ ("explain"),
  model: "", // the first
  image: "",
  result: "",
  job: "", // whose result opens once it is done
  targets: "", // indices with commas; the two likeliest
  methods: "", // names with commas; the model's default
  options: "{}", // of the methods, as JSON
  kind: /** @type {"delete" | "insert" | "patch"} */ ("delete"),
  reference: "",
  patches: "", // numbers with commas
  flip: "", // job that looked for what changes the decision
  entry: 0, // of the result, whose map is asked
  base: "", // of refinement
  sort: "name",
  q: "",
  label: -1,
  prediction: -1,
  wrong: "",
  range: /** @type {"confidence" | "ins_del" | "disagreement"} */ ("confidence"), // what lies from low to high
  low: "", // a number, or any
  high: "",
  method: "", // whose scores are shown
  run: "", // the method to run; the model's default
};

const CHOICES = {
  page: ["explain", "ask", "refine", "data"],
  kind: ["delete", "insert", "patch"],
  wrong: ["", "true", "false"],
  range: ["confidence", "ins_del", "disagreement"],
};

/** @typedef {typeof DEFAULTS} PageState */
/** @typedef {Address<PageState>} PageStore */

/** @returns {PageStore} */
export const makePageStore = () => new Address(DEFAULTS, CHOICES, "query");

/** Whole numbers in a text with commas. @param {string} text */
export const toNumbers = (text) =>
  text
    .split(",")
    .filter((part) => /^\d+$/.test(part))
    .map(Number);

/** @param {string} text @returns {Record<string, Record<string, unknown>>} */
export function toOptions(text) {
  try {
    const found = JSON.parse(text);
    return Object.values(found).every((each) => each instanceof Object) ? found : {};
  } catch {
    return {};
  }
}
