// What the state means for the image at hand; choices that it does not offer fall back to the first.

import { covered } from "./components/panel.js";

/** @typedef {import("./bundle.js").Bundle} Bundle */
/** @typedef {import("./state.js").State} State */
/** @typedef {ReturnType<typeof select>} Selection */

/**
 * @param {Bundle} bundle
 * @param {State} state
 */
export function select(bundle, state) {
  const entry = bundle.entries[state.method] ?? bundle.entries[0];
  const target = Math.max(0, bundle.targets.indexOf(state.class));
  const reference = Math.max(
    0,
    bundle.references.findIndex((/** @type {any} */ each) => each.name === state.reference),
  );
  return {
    bundle,
    entry,
    target,
    explained: /** @type {import("./bundle.js").ClassInfo} */ (bundle.info(bundle.targets[target])),
    reference,
    count: Math.round(Math.min(bundle.pixels, Math.max(0, state.count))),
    direction: state.direction,
    curve: entry.curve(target, state.direction, reference),
    view: covered(state),
  };
}

/** Color of the nth class or method, from the style sheet. @param {number} n */
export const seriesColor = (n) => `var(--series-${n % 8})`;
