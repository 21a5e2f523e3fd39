import { useEffect } from "preact/hooks";
import { probability } from "../../format.js";
import { html } from "../../html.js";
import { post } from "../api.js";
import { ClassChoice } from "../components/classes.js";
import { MethodChoice } from "../components/methods.js";
import { shortName, usePrediction, WithImage } from "../components/picture.js";
import { StartButton } from "../components/start.js";
import { useAction } from "../hooks.js";
import { status } from "../queue.js";
import { toNumbers, toOptions } from "../state.js";

/** @typedef {import("../page.js").Context} Context */

/** Which image, which classes, which methods. @param {Context} props */
export function Question(props) {
  return html`<${WithImage}
    context=${props}
    title="Why does the model say that?"
    text="Choose an image; then see what the model makes of it, and which pixels it needs."
    board=${Form}
  />`;
}

/** @param {Context} props */
function Form(props) {
  const { state, set, model, live, about } = props;
  const prediction = usePrediction(state.image, model.id);
  const [error, run] = useAction();
  const methods = state.methods.split(",").filter(Boolean);
  const chosen = methods.length ? methods : [model.default_method];
  const options = toOptions(state.options);
  const targets = toNumbers(state.targets);
  const job = live.jobs.get(state.job);
  useOpening(props, job);
  const start = () =>
    run(async () =>
      startJob(props, { methods: chosen.map((name) => ({ name, options: options[name] ?? {} })), targets }),
    );
  const busy = job && ["queued", "running"].includes(job.state);
  if (prediction.error) return html`<p class="error" role="alert">${prediction.error}</p>`;
  return html`<div class="question">
      <section class="stage" aria-label="Image">
        <img class="seen" src=${`api/v1/images/${state.image}/view?model=${encodeURIComponent(model.id)}`} alt="The image as the model sees it" />
        <h1>${prediction.data ? html`The model says <strong>${shortName(top(prediction.data).name)}</strong> <span class="muted">with ${probability(top(prediction.data).probability)} probability</span>` : html`<span class="muted">Asking the model…</span>`}</h1>
        ${prediction.data && html`<${Likely} classes=${prediction.data.classes} />`}
      </section>
      <section class="card ask-for" aria-label="Explain">
        <h2>Explain it</h2>
        <${ClassChoice} model=${model} prediction=${prediction.data} chosen=${targets} limit=${about.limits.targets} onChange=${(/** @type {number[]} */ next) => set({ targets: next.join(",") })} />
        <${MethodChoice} model=${model} chosen=${chosen} options=${options} limit=${about.limits.methods}
          onChange=${(/** @type {string[]} */ next, /** @type {any} */ values) => set({ methods: next.join(","), options: JSON.stringify(values) })} />
        <p class="row">
          <${StartButton} name="start" primary=${true} disabled=${busy || !chosen.length} onStart=${start}>Explain<//>
          <span class="muted" role="status">${busy ? status(job) : "Every map is tested, beside random and center."}</span>
        </p>
        ${error && html`<p class="error" role="alert">${error}</p>`}
        ${job?.state === "failed" && html`<p class="error" role="alert">${job.error}</p>`}
      </section>
    </div>`;
}

/** @param {import("../api.js").Prediction} prediction */
const top = ({ prediction, classes }) => classes.find((each) => each.index === prediction) ?? classes[0];

/** @param {{ classes: import("../api.js").ClassProbability[] }} props */
function Likely({ classes }) {
  return html`<ul class="bars" aria-label="Class probabilities">
    ${classes.map(
      ({ index, name, probability: value }, i) =>
        html`<li key=${index} data-class=${index} data-probability=${value} style=${{ color: `var(--series-${i % 8})` }}>
          <span class="name" title=${name}>${shortName(name)}</span>
          <span class="track"><i style=${{ transform: `scaleX(${value})` }}></i></span>
          <span class="value">${probability(value)}</span>
        </li>`,
    )}
  </ul>`;
}

/**
 * Put an explanation into the queue; it opens once it is done.
 * @param {Context} context
 * @param {{ methods: { name: string, options: Record<string, unknown> }[], targets?: number[], image?: string }} request
 */
export async function startJob({ state, model, live, set }, { methods, targets = [], image = state.image }) {
  const job = await post("jobs", {
    kind: "explain",
    model: model.id,
    image,
    targets: targets.length ? targets : null,
    methods,
  });
  live.begin(job);
  set({ job: job.id });
  return job;
}

/**
 * Opens the result of a job once its first method is done, unless the reader went elsewhere; the others follow there.
 * @param {Context} context
 * @param {import("../api.js").Job | undefined} job
 */
export function useOpening({ set, go, live, explorer }, job) {
  const ready = job && (job.state === "done" || job.entries > 0) ? job.result : null;
  useEffect(() => {
    if (!ready) return;
    explorer.change(explorer.defaults);
    set({ job: "" }); // or the back button would open it again
    (live.opening.has(job?.id ?? "") ? set : go)({ page: "explain", result: ready });
  }, [ready]);
}
