import { useState } from "preact/hooks";
import { Chart } from "../../components/chart.js";
import { PixelCanvas } from "../../components/panel.js";
import { decimal } from "../../format.js";
import { html } from "../../html.js";
import { paintMagnitude } from "../../ops/colors.js";
import { resizeMap } from "../../ops/resize.js";
import { digitsOf, padded } from "../../screens/film.js";
import { post, remove } from "../api.js";
import { ClassChoice } from "../components/classes.js";
import { OptionForm } from "../components/form.js";
import { usePrediction, WithImage } from "../components/picture.js";
import { StartButton } from "../components/start.js";
import { useAction, useGet } from "../hooks.js";
import { status } from "../queue.js";
import { toNumbers, toOptions } from "../state.js";
import { startJob } from "./question.js";

/** @typedef {import("../page.js").Context} Context */
/** @typedef {import("../api.js").Step} Step */

const STEPS = 12; // of aha, whose default is none

/** Improve a map by gradient steps and watch. @param {Context} props */
export function Refine(props) {
  return html`<${WithImage}
    context=${props}
    title="Can the map be better?"
    text="Choose an image, and watch a map improve step by step."
    board=${Board}
  />`;
}

/** @param {Context} props */
function Board(props) {
  const { state, set, go, model, live, explorer } = props;
  const methods = useGet(`methods?model=${encodeURIComponent(model.id)}`).data?.methods ?? [];
  const bases = methods.filter((/** @type {any} */ each) => each.fits && !each.wraps && each.name !== "aha");
  const offered = ["aha", ...bases.map((/** @type {any} */ each) => each.name)];
  const base = offered.includes(state.base) ? state.base : model.default_method;
  const name = base === "aha" ? "aha" : `refine:${base}`;
  const form = useGet(`methods/${encodeURIComponent(name)}?model=${encodeURIComponent(model.id)}`);
  const options = { ...(base === "aha" ? { refine_steps: STEPS } : {}), ...toOptions(state.options)[name] };
  const prediction = usePrediction(state.image, model.id);
  const targets = toNumbers(state.targets);
  const explained = targets.length
    ? targets.slice(0, 1)
    : [prediction.data?.prediction].filter((each) => each !== undefined);
  const [error, run] = useAction();
  const job = live.jobs.get(state.job);
  const running = job && ["queued", "running"].includes(job.state);
  const start = () => run(() => startJob(props, { methods: [{ name, options }], targets: explained }));
  const open = () => {
    explorer.change({ ...explorer.defaults, screen: "film", step: live.steps.get(job?.id ?? "")?.at(-1)?.step ?? 0 });
    go({ page: "explain", result: job?.result ?? "", job: "" });
  };
  if (prediction.error) return html`<p class="error" role="alert">${prediction.error}</p>`;
  return html`<div class="question">
      <section class="stage" aria-label="Map">
        <${Film} context=${props} job=${job} />
      </section>
      <section class="card" aria-label="Refine">
        <h2>Refine</h2>
        <label class="field"><span class="label">Start from the map of</span>
          <select aria-label="Start from the map of" onChange=${(/** @type {any} */ event) => set({ base: event.currentTarget.value })}>
            ${offered.map((each) => html`<option value=${each} selected=${each === base}>${each}</option>`)}
          </select></label>
        <${ClassChoice} model=${model} prediction=${prediction.data} chosen=${explained} limit=${1} onChange=${(/** @type {number[]} */ next) => set({ targets: next.slice(-1).join(",") })} />
        ${form.error && html`<p class="error" role="alert">${form.error}</p>`}
        ${
          form.data &&
          html`<details class="more"><summary>Options</summary>
          <${OptionForm} options=${form.data.options} values=${options} onChange=${(/** @type {any} */ values) => set({ options: JSON.stringify({ ...toOptions(state.options), [name]: values }) })} /></details>`
        }
        <p class="row">
          ${!running && html`<${StartButton} name="start" primary=${true} disabled=${!explained.length} onStart=${start}>Refine<//>`}
          ${
            running &&
            html`<button type="button" class="button primary" data-name="stop" disabled=${!job.stoppable} onClick=${() => run(() => post(`jobs/${job.id}/stop`, {}))}>Stop, keep the best</button>
            <button type="button" class="button" data-name="cancel" onClick=${() => run(() => remove(`jobs/${job.id}`))}>Cancel</button>`
          }
          ${job?.state === "done" && html`<button type="button" class="button" data-name="open" onClick=${open}>Open in the explorer</button>`}
        </p>
        <p class="muted" role="status">${job && status(job)}</p>
        ${error && html`<p class="error" role="alert">${error}</p>`}
      </section>
    </div>`;
}

/** The latest map, or any earlier one, and the objective so far. @param {{ context: Context, job: import("../api.js").Job | undefined }} props */
function Film({ context: { state, model, live }, job }) {
  const steps = (job && live.steps.get(job.id)) ?? [];
  const [chosen, setChosen] = useState(-1); // -1: the latest
  const shown = steps[chosen] ?? steps[steps.length - 1];
  const values = steps.map((each) => each.objective ?? NaN);
  const finite = values.filter(Number.isFinite);
  const best = finite.length ? Math.max(...finite) : NaN;
  const [height, width] = model.image_size;
  return html`<div class="overlaid" style=${{ aspectRatio: `${width} / ${height}` }}>
      <img src=${`api/v1/images/${state.image}/view?model=${encodeURIComponent(model.id)}`} alt="The image as the model sees it" />
      ${shown && html`<${PixelCanvas} name="step" width=${width} height=${height} deps=${[shown]} label=${`Map after ${shown.step} steps`} draw=${(/** @type {Uint32Array} */ out) => paintMagnitude(out, stepMap(shown, height, width), 0.85)} />`}
    </div>
    ${
      steps.length > 0 &&
      html`<p class="legend"><span>Step <b data-name="step-number">${shown.step}</b> of ${shown.steps}</span><span title="insertion minus deletion, with masks and references of the method's own">objective <b>${shown.objective === null ? "not measured" : decimal(shown.objective)}</b></span><span>best <b>${decimal(best)}</b></span></p>
        <${Chart} series=${[{ name: "objective", color: "var(--series-0)", x: steps.map((each) => each.step), y: values, strong: true }]} position=${shown.step} max=${shown.steps}
          range=${padded(finite)} label="Objective by step. Drag to see earlier maps." axis="step"
          ticks=${[0, Math.round(shown.steps / 2), shown.steps]} formatX=${String} formatY=${(/** @type {number} */ y) => decimal(y, digitsOf(finite))}
          onScrub=${(/** @type {number} */ at) => setChosen(nearest(steps, at))} />`
    }
    ${!steps.length && html`<p class="muted">The map appears here and improves with every step: removing its top pixels lowers the probability sooner, adding them raises it sooner.</p>`}`;
}

/** Position of the step closest to a point of the curve; -1 for the latest. @param {Step[]} steps @param {number} at */
function nearest(steps, at) {
  const distances = steps.map((each) => Math.abs(each.step - at));
  const found = distances.indexOf(Math.min(...distances));
  return found === steps.length - 1 ? -1 : found;
}

/** Strengths from 0 to 1 at the size of the image. @param {Step} step @param {number} height @param {number} width */
function stepMap({ map: { rows, cols, data } }, height, width) {
  const bytes = Float32Array.from(atob(data), (letter) => letter.charCodeAt(0) / 255);
  return resizeMap(bytes, rows, cols, height, width);
}
