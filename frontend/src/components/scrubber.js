import { useEffect, useMemo, useRef } from "preact/hooks";
import { Chart } from "./chart.js";
import { Segmented } from "./controls.js";
import { axisEnd, integer, percent, referenceName } from "../format.js";
import { html } from "../html.js";
import { snap } from "../ops/curves.js";

/** @typedef {import("./chart.js").Series} Series */
/** @typedef {import("../selection.js").Selection} Selection */

const REMOVED = { deletion: "removed", insertion: "shown" };

/**
 * The curve, the slider under it, and the choice of direction and reference.
 * @param {{ chosen: Selection, set: import("../state.js").SetState, series: Series[], flip?: number | null, valueText: string }} props
 */
export function Scrubber({ chosen, set, series, flip, valueText }) {
  const { bundle, direction, count, reference } = chosen;
  const done = REMOVED[direction];
  const marker = useMemo(
    () =>
      flip == null
        ? null
        : { at: flip, ...(direction === "deletion" ? { text: "decision flips" } : { text: "recognized", good: true }) },
    [flip, direction],
  );
  const range = useMemo(() => /** @type {[number, number]} */ ([0, axisEnd(series.flatMap(({ y }) => y))]), [series]);
  const choices = useMemo(
    () =>
      html`<div class="row">
        <${Segmented}
          label="Test by"
          value=${direction}
          onChange=${(/** @type {any} */ next) => set({ direction: next, count: 0 })}
          options=${[
            ["deletion", "removing pixels"],
            ["insertion", "adding pixels"],
          ]}
        />
        ${
          bundle.references.length > 1 &&
          html`<${Segmented}
            label=${direction === "deletion" ? "Replace by" : "Start from"}
            value=${bundle.references[reference].name}
            onChange=${(/** @type {string} */ name) => set({ reference: name })}
            options=${bundle.references.map((/** @type {any} */ each) => [each.name, referenceName(each.name)])}
          />`
        }
      </div>`,
    [bundle, direction, reference],
  );
  return html`<div class="scrubber">
    ${choices}
    <${Chart}
      series=${series}
      range=${range}
      formatY=${(/** @type {number} */ y) => percent(y, range[1] < 0.04 ? 1 : 0)}
      position=${count}
      max=${bundle.pixels}
      marker=${marker}
      onScrub=${(/** @type {number} */ next) => set({ count: snapped(chosen, next) })}
      label=${`Probability while pixels are ${done}. Drag to scrub.`}
      axis=${`pixels ${done}, most important first`}
    />
    <${ScrubSlider} name="scrub" chosen=${chosen} set=${set} valueText=${valueText} />
    <p class="legend">
      <span><i class="dot"></i>measured</span><span><i class="line"></i>interpolated</span>
      <span class="count">${percent(count / bundle.pixels, 1)} · ${integer(count)} pixels ${done}</span>
    </p>
  </div>`;
}

/**
 * Arrows, wherever nothing else uses them, move by a percent, page keys and the buttons from one measured point to the next.
 * @param {{ name: string, chosen: Selection, set: import("../state.js").SetState, valueText: string }} props
 */
export function ScrubSlider({ name, chosen, set, valueText }) {
  const { bundle, direction, count, curve } = chosen;
  const { pixels } = bundle;
  const move = (/** @type {number} */ next) => set({ count: Math.min(pixels, Math.max(0, next)) });
  const before = curve.counts.filter((each) => each < count).at(-1);
  const after = curve.counts.find((each) => each > count);
  const keys = (/** @type {KeyboardEvent} */ event) => {
    const step = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[event.key];
    const jump = { PageUp: after ?? count, PageDown: before ?? count, Home: 0, End: pixels }[event.key];
    if (step === undefined && jump === undefined) return;
    event.preventDefault();
    move(jump ?? count + Math.round(((step ?? 0) * pixels) / 100));
  };
  const held = useRef(count); // where it was when a finger came down
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => {
    if (name !== "scrub") return undefined;
    const listener = (/** @type {KeyboardEvent} */ event) =>
      ["ArrowLeft", "ArrowRight"].includes(event.key) && isFree(event) && latest.current(event);
    addEventListener("keydown", listener);
    return () => removeEventListener("keydown", listener);
  }, [name]);
  return html`<div class="slide">
    <button
      type="button"
      class="step"
      aria-label="Previous measured point"
      disabled=${before === undefined}
      onClick=${() => move(before ?? 0)}
    >
      ‹
    </button>
    <input
      type="range"
      data-name=${name}
      min="0"
      max=${pixels}
      step="1"
      value=${count}
      aria-label=${`Pixels ${REMOVED[direction]}`}
      aria-valuetext=${`${percent(count / pixels, 1)} of the pixels ${REMOVED[direction]}. ${valueText}`}
      style=${{ "--filled": `${(100 * count) / pixels}%` }}
      onInput=${(/** @type {any} */ event) => set({ count: snapped(chosen, Number(event.currentTarget.value)) })}
      onKeyDown=${keys}
      onPointerDown=${() => (held.current = count)}
      onPointerCancel=${() => set({ count: held.current }) /* the finger scrolls the page */}
    />
    <button
      type="button"
      class="step"
      aria-label="Next measured point"
      disabled=${after === undefined}
      onClick=${() => move(after ?? 0)}
    >
      ›
    </button>
  </div>`;
}

/** Whether no field, tabs or zoomed image has used the key, and the browser does not either. @param {KeyboardEvent} event */
const isFree = (event) =>
  !event.defaultPrevented &&
  !(event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) &&
  !(/** @type {Element} */ (event.target).closest("input, select, textarea"));

/**
 * A dragged position, pulled to a measured point where one is near.
 * @param {Selection} chosen
 * @param {number} position
 */
const snapped = ({ bundle, curve }, position) => snap(curve.counts, Math.round(position), 0.008 * bundle.pixels);

/**
 * Moves the count to a goal, over half a second where motion is welcome.
 * @param {import("../state.js").SetState} set
 */
export function useTravel(set) {
  const running = useRef(0);
  return (/** @type {number} */ from, /** @type {number} */ to) => {
    const stop = () => cancelAnimationFrame(running.current);
    stop();
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return set({ count: to });
    const start = performance.now();
    const frame = (/** @type {number} */ time) => {
      const share = Math.min(1, Math.max(0, (time - start) / 700));
      set({ count: share < 1 ? Math.round(from + (to - from) * share * share * (3 - 2 * share)) : to });
      if (share < 1) running.current = requestAnimationFrame(frame);
    };
    running.current = requestAnimationFrame(frame);
    for (const input of ["pointerdown", "keydown"]) addEventListener(input, stop, { capture: true, once: true });
  };
}
