import { useEffect, useMemo, useState } from "preact/hooks";
import { Chart } from "../components/chart.js";
import { Choices } from "../components/choices.js";
import { Slider } from "../components/controls.js";
import { Faded } from "../components/mapview.js";
import { Panel, PixelCanvas } from "../components/panel.js";
import { decimal } from "../format.js";
import { html } from "../html.js";
import { paintMagnitude } from "../ops/colors.js";
import { stepStrength } from "../ops/heat.js";
import { select } from "../selection.js";

export const FILM_EXTRAS = ["extras.path", "extras.objective"];

/** The map after each step of its refinement. @param {import("./explain.js").ScreenProps} props */
export function Film({ bundle, state, set }) {
  const { target, view, explained } = select(bundle, state);
  const entries = bundle.entries.filter((each) => each.has(...FILM_EXTRAS));
  const entry = entries.includes(bundle.entries[state.method]) ? bundle.entries[state.method] : entries[0];
  const last = entry.tensor("extras.path").shape[1] - 1;
  const step = Math.round(Math.min(last, Math.max(0, state.step)));
  const kept = entry.has("extras.kept") ? entry.ofClass("extras.kept", target)[0] : null;
  const [playing, setPlaying] = useState(false);
  useEffect(() => {
    if (!playing) return undefined;
    const timer = setTimeout(() => (step < last ? set({ step: step + 1 }) : setPlaying(false)), 250);
    return () => clearTimeout(timer);
  }, [playing, step, last]);
  const objective = useMemo(() => Array.from(entry.ofClass("extras.objective", target)), [entry, target]);
  const finite = objective.filter(Number.isFinite);
  const series = useMemo(
    () => [{ name: "objective", color: "var(--series-0)", x: objective.map((_, i) => i), y: objective, strong: true }],
    [objective],
  );
  const play = () => {
    if (!playing && step === last) set({ step: 0 });
    setPlaying(!playing);
  };
  return html`<header class="intro">
      <h1>How the map of <strong>${explained.name}</strong> was refined</h1>
      <p>
        <code>${entry.method}</code> moves the map by gradient steps, so that removing its top pixels lowers the
        probability sooner and adding them raises it sooner: its objective is insertion minus deletion. It is
        measured with masks and references of the method's own: compare it from step to step, not with the scores
        of other screens. Drag along the curve to see the map after each step.${" "}
        ${kept !== null && `The map ${kept ? `after ${kept === 1 ? "1 step" : `${kept} steps`}` : "before the first step"} is kept: it is the better one under hard masks.`}
      </p>
    </header>
    <${Choices} entries=${entries} entry=${entry} explained=${explained} set=${set} />
    <div class="explain single">
      <section class="stage" aria-label="Map">
        <${Panel}
          title=${`Step ${step} of ${last}`}
          note=${Number.isFinite(objective[step]) ? `objective ${decimal(objective[step])}` : "objective not measured"}
          width=${bundle.width}
          height=${bundle.height}
          view=${view}
          onView=${set}
        >
          <${Faded} bundle=${bundle} />
          <${PixelCanvas}
            name="film"
            width=${bundle.width}
            height=${bundle.height}
            deps=${[entry, target, step]}
            label=${`Map after ${step} steps`}
            draw=${(/** @type {Uint32Array} */ out) => paintMagnitude(out, stepStrength(entry, target, step), 0.9)}
        /><//>
      </section>
      <section class="card test" aria-label="Objective">
        <h2>Objective</h2>
        <${Chart}
          series=${series}
          position=${step}
          max=${last}
          range=${padded(finite)}
          label="Objective by step. Drag to choose a step."
          axis="step"
          marker=${kept === null ? null : { at: kept, text: "kept", good: true }}
          ticks=${[0, Math.round(last / 2), last]}
          formatX=${String}
          formatY=${(/** @type {number} */ y) => decimal(y, digitsOf(finite))}
          onScrub=${(/** @type {number} */ at) => set({ step: Math.round(at) })}
        />
        <${Slider}
          label="Step"
          name="step"
          value=${step}
          min=${0}
          max=${last}
          step=${1}
          text=${`${step} of ${last}`}
          onInput=${(/** @type {number} */ next) => set({ step: next })}
        />
        <button type="button" class="button primary" onClick=${play}>${playing ? "Pause" : "Play"}</button>
      </section>
    </div>`;
}

/** Digits that tell the values apart. @param {number[]} values */
export const digitsOf = (values) => (Math.max(...values) - Math.min(...values) < 0.05 ? 3 : 2);

/**
 * A range with room around the values.
 * @param {number[]} values
 * @returns {[number, number]}
 */
export function padded(values) {
  if (!values.length) return [0, 1];
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const room = 0.1 * (high - low || 1);
  return [low - room, high + room];
}
