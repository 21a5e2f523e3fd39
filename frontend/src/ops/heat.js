// Maps at the size of the image and their drawn strengths, computed once per explanation and class.

import { strength } from "./colors.js";
import { resizeMap } from "./resize.js";

/** @typedef {import("../bundle.js").Entry} Entry */

/** @type {WeakMap<Entry, Map<string, Float64Array>>} */
const known = new WeakMap();

/**
 * @param {Entry} entry
 * @param {string} key
 * @param {() => Float64Array} compute
 */
function once(entry, key, compute) {
  const cache = known.get(entry) ?? new Map();
  known.set(entry, cache);
  if (!cache.has(key)) cache.set(key, compute());
  return /** @type {Float64Array} */ (cache.get(key));
}

/**
 * @param {Entry} entry
 * @param {number} target
 */
export function heatmap(entry, target) {
  const { height, width } = entry.bundle;
  return once(entry, `map ${target}`, () => resizeMap(entry.map(target), entry.rows, entry.cols, height, width));
}

/**
 * @param {Entry} entry
 * @param {number} target
 */
export function heatStrength(entry, target) {
  return once(entry, `strength ${target}`, () => strength(heatmap(entry, target)));
}

/**
 * @param {Entry} entry
 * @param {number} target
 * @param {number} step
 */
export function stepStrength(entry, target, step) {
  const { height, width } = entry.bundle;
  return once(entry, `step ${target} ${step}`, () => {
    const [, , rows, cols] = entry.tensor("extras.path").shape;
    const all = entry.ofClass("extras.path", target);
    return strength(resizeMap(all.subarray(step * rows * cols, (step + 1) * rows * cols), rows, cols, height, width));
  });
}
