import { useMemo, useRef } from "preact/hooks";
import { Chart } from "./chart.js";
import { Segmented } from "./controls.js";
import { integer, percent } from "../format.js";
import { html } from "../html.js";
import { snap } from "../ops/curves.js";

/** @typedef {import("./chart.js").Series} Series */
/** @typedef {import("../selection.js").Selection} Selection */

const REMOVED = { deletion: "removed", insertion: "shown" };

/**
 * The curve, the slider under it, and the choice of direction and reference.
 * @param {{ chosen: Selection, set: import("../state.js").SetState, series: Series[], flip?: number | null, valueText: string,
 *   children?: any }} props
 */
export function Scrubber({ chosen, set, series, flip, valueText, children }) {
  const { bundle, direction, count, curve, reference } = chosen;
  const done = REMOVED[direction];
  const move = (/** @type {number} */ next) => set({ count: Math.round(Math.min(bundle.pixels, Math.max(0, next))) });
  const scrub = (/** @type {number} */ next) => move(snap(curve.counts, Math.round(next), 0.008 * bundle.pixels));
  const before = curve.counts.filter((each) => each < count).at(-1);
  const after = curve.counts.find((each) => each > count);
  const marker = useMemo(() => (flip == null ? null : { at: flip, text: direction === "deletion" ? "decision flips" : "recognized" }), [flip, direction]);
  const keys = (/** @type {KeyboardEvent} */ event) => {
    const percentStep = Math.round(bundle.pixels / 100);
    const next = {
      ArrowRight: count + percentStep, ArrowUp: count + percentStep, ArrowLeft: count - percentStep, ArrowDown: count - percentStep,
      PageUp: after ?? count, PageDown: before ?? count, Home: 0, End: bundle.pixels,
    }[event.key]; // prettier-ignore
    if (next === undefined) return;
    event.preventDefault();
    move(next);
  };
  return html`<div class="scrubber">
    <div class="row">
      <${Segmented} label="Direction" hideLabel value=${direction} onChange=${(/** @type {any} */ next) => set({ direction: next, count: 0 })}
        options=${[["deletion", "Remove pixels"], ["insertion", "Add pixels"]]} />
      ${bundle.references.length > 1 &&
      html`<${Segmented} label=${direction === "deletion" ? "Replace by" : "Start from"} value=${bundle.references[reference].name}
        onChange=${(/** @type {string} */ name) => set({ reference: name })}
        options=${bundle.references.map((/** @type {any} */ each) => [each.name, each.name])} />`}
    </div>
    <${Chart} series=${series} position=${count} max=${bundle.pixels} marker=${marker} onScrub=${scrub}
      label=${`Probability while pixels are ${done}. Drag to scrub.`} axis=${`pixels ${done}, most important first`} />
    <div class="slide">
      <button type="button" class="step" aria-label="Previous measured point" disabled=${before === undefined} onClick=${() => move(before ?? 0)}>‹</button>
      <input type="range" data-name="scrub" min="0" max=${bundle.pixels} step="1" value=${count} aria-label=${`Pixels ${done}`}
        aria-valuetext=${`${percent(count / bundle.pixels, 1)} of the pixels ${done}. ${valueText}`} style=${{ "--filled": `${(100 * count) / bundle.pixels}%` }}
        onInput=${(/** @type {any} */ event) => scrub(Number(event.currentTarget.value))} onKeyDown=${keys} />
      <button type="button" class="step" aria-label="Next measured point" disabled=${after === undefined} onClick=${() => move(after ?? 0)}>›</button>
    </div>
    <p class="legend"><span><i class="dot"></i>measured</span><span><i class="line"></i>interpolated</span>
      <span class="count">${percent(count / bundle.pixels, 1)} · ${integer(count)} pixels ${done}</span></p>
    ${children}
  </div>`;
}

/**
 * Moves the count to a goal, over half a second where motion is welcome.
 * @param {import("../state.js").SetState} set
 */
export function useTravel(set) {
  const running = useRef(0);
  return (/** @type {number} */ from, /** @type {number} */ to) => {
    cancelAnimationFrame(running.current);
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return set({ count: to });
    const start = performance.now();
    const frame = (/** @type {number} */ time) => {
      const share = Math.min(1, Math.max(0, (time - start) / 700));
      set({ count: share < 1 ? Math.round(from + (to - from) * share * share * (3 - 2 * share)) : to });
      if (share < 1) running.current = requestAnimationFrame(frame);
    };
    running.current = requestAnimationFrame(frame);
  };
}
