// What the reader has chosen in the explorer: one flat object, kept in the URL's fragment so that a link restores it.

import { Address } from "./address.js";

export const DEFAULTS = {
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

/** @type {import("./address.js").Choices} */
const CHOICES = {
  screen: ["explain", "compare", "contrast", "density", "film"],
  direction: ["deletion", "insertion"],
  view: ["magnitude", "signed", "contour", "off"],
  show: ["image", "map", "both"],
  mode: ["multiply", "divide"],
  zoom: [1, 16],
  opacity: [0, 1],
  mix: [0, 1],
  gamma: [0, 1],
  margin: [0, 0.5],
};

/** @typedef {Address<State>} Store */

/** The explorer's state. @returns {Store} */
export const makeStore = () => new Address(DEFAULTS, CHOICES, "fragment");
