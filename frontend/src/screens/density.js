import { useMemo } from "preact/hooks";
import { Chart } from "../components/chart.js";
import { Choices } from "../components/choices.js";
import { Slider } from "../components/controls.js";
import { Faded } from "../components/mapview.js";
import { Panel, PixelCanvas } from "../components/panel.js";
import { html } from "../html.js";
import { paintMagnitude, strength } from "../ops/colors.js";
import { densify, scatter } from "../ops/magnitudes.js";
import { resizeMap } from "../ops/resize.js";
import { select } from "../selection.js";

export const DENSITY_EXTRAS = ["extras.order", "extras.sparse"];

/**
 * MDA's map at another density.
 * @param {import("../bundle.js").Entry} entry
 * @param {number} target
 * @param {number} gamma
 */
export function densityMap(entry, target, gamma) {
  const kappa = Number(entry.options.kappa ?? 0.005);
  const ranked = densify(entry.ofClass("extras.sparse", target), gamma, kappa);
  return { ranked, map: scatter(ranked, entry.ofClass("extras.order", target)) };
}

/** Sparse to dense, without running the model again. @param {import("./explain.js").ScreenProps} props */
export function Density({ bundle, state, set }) {
  const { target, view, explained } = select(bundle, state);
  const entries = bundle.entries.filter((each) => each.has(...DENSITY_EXTRAS));
  const entry = entries.includes(bundle.entries[state.method]) ? bundle.entries[state.method] : entries[0];
  const gamma = Math.min(1, Math.max(0, state.gamma));
  const { ranked, map } = useMemo(() => densityMap(entry, target, gamma), [entry, target, gamma]);
  const sparse = useMemo(() => densityMap(entry, target, 0).ranked, [entry, target]);
  const drawn = useMemo(() => strength(resizeMap(map, entry.rows, entry.cols, bundle.height, bundle.width)), [map]);
  const ranks = ranked.map((_, i) => i + 1);
  const series = useMemo(
    () => [
      { name: "sparse", color: "var(--muted)", x: ranks, y: sparse, plain: true },
      { name: "now", color: "var(--series-0)", x: ranks, y: ranked, strong: true, plain: true },
    ],
    [ranked],
  );
  return html`<header class="intro">
      <h1>How dense should the map of <strong>${explained.name}</strong> be?</h1>
      <p>
        MDA ranks the patches first and gives them magnitudes after. Gamma moves the magnitudes from sparse, where a few
        patches carry everything, to dense, where they fall evenly with the rank. The order of the patches stays.
      </p>
    </header>
    <${Choices} entries=${entries} entry=${entry} explained=${explained} set=${set} />
    <div class="explain single">
      <section class="stage" aria-label="Map">
        <${Panel}
          title=${`${entry.method} for ${explained.name}`}
          note=${`gamma ${gamma.toFixed(2)}`}
          width=${bundle.width}
          height=${bundle.height}
          view=${view}
          onView=${set}
        >
          <${Faded} bundle=${bundle} />
          <${PixelCanvas}
            name="density"
            width=${bundle.width}
            height=${bundle.height}
            deps=${[drawn]}
            label=${`Map at gamma ${gamma.toFixed(2)}`}
            draw=${(/** @type {Uint32Array} */ out) => paintMagnitude(out, drawn, 0.9)}
        /><//>
      </section>
      <section class="card test" aria-label="Magnitudes">
        <h2>Magnitude by rank</h2>
        <${Chart}
          series=${series}
          max=${ranks.length}
          range=${[0, Math.max(...sparse) || 1]}
          label="Magnitude of the patches by rank"
          axis="rank of the patch"
          formatX=${(/** @type {number} */ x) => String(Math.round(x))}
          formatY=${(/** @type {number} */ y) => y.toFixed(Math.max(...sparse) < 0.1 ? 3 : 2)}
        />
        <p class="legend">
          <span><i class="line now"></i>gamma ${gamma.toFixed(2)}</span><span><i class="line"></i>sparse, as fitted</span>
        </p>
        <${Slider}
          label="Gamma"
          name="gamma"
          value=${gamma}
          min=${0}
          max=${1}
          step=${0.01}
          text=${gamma.toFixed(2)}
          onInput=${(/** @type {number} */ next) => set({ gamma: next })}
          ends=${["sparse", "dense"]}
        />
      </section>
    </div>`;
}
