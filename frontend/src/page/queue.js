import { CopyButton } from "../components/controls.js";
import { percent } from "../format.js";
import { html } from "../html.js";
import { get, post, remove } from "./api.js";
import { useAction } from "./hooks.js";
import { FRESH } from "./page.js";

/** @typedef {import("./api.js").Job} Job */

/** Jobs, newest first: progress, time left, cancel. @param {import("./page.js").Context} props */
export function Queue({ live, go, explorer }) {
  const [error, run] = useAction();
  const jobs = [...live.jobs.values()].reverse();
  if (!jobs.length) return null;
  const open = (/** @type {Job} */ job) => {
    explorer.change(explorer.defaults);
    const { model, image } = job.request;
    go({ ...FRESH, page: "explain", result: job.result ?? "", model, image });
  };
  const openFlip = async (/** @type {Job} */ job) => {
    const { model, image, reference } = job.request;
    const about = job.result ? await get(`results/${job.result}`) : { model, image };
    go({
      ...FRESH,
      page: "ask",
      model: about.model,
      image: about.image,
      result: job.result ?? "",
      kind: "delete",
      reference: reference ?? "blur",
      patches: job.answer.patches?.join(",") ?? "",
      flip: job.id,
    });
  };
  return html`<section class="card queue" aria-label="Jobs">
    <h2>Jobs</h2>
    ${error && html`<p class="error" role="alert">${error}</p>`}
    <ul>
      ${jobs.map((job) => html`<${Row} key=${job.id} job=${job} open=${open} openFlip=${openFlip} go=${go} run=${run} />`)}
    </ul>
  </section>`;
}

/** @param {{ job: Job, open: (job: Job) => void, openFlip: (job: Job) => Promise<void>, go: import("./page.js").Context["go"],
 *   run: (action: () => Promise<unknown>) => void }} props */
function Row({ job, open, openFlip, go, run }) {
  const ended = !["queued", "running"].includes(job.state);
  return html`<li data-job=${job.id} data-state=${job.state}>
    <span class="job">
      <b>${job.title}</b>
      <span class=${job.state === "failed" ? "error" : "muted"}>${status(job)}</span>
      ${job.state === "running" && html`<progress max="1" value=${job.progress} aria-label="Progress"></progress>`}
    </span>
    <span class="row">
      ${job.kind === "explain" && job.result && (job.entries > 0 || job.state === "done") && html`<button type="button" class="button" onClick=${() => open(job)}>Open</button>`}
      ${job.kind === "flip" && job.state === "done" && html`<button type="button" class="button" onClick=${() => run(() => openFlip(job))}>Open</button>`}
      ${job.kind === "dataset" && job.state === "done" && html`<button type="button" class="button" onClick=${() => go({ page: "data", sort: "ins_del", method: job.request.method.name })}>Show the worst</button>`}
      ${job.answer?.code && html`<${CopyButton} text=${job.answer.code} label="Copy code" />`}
      ${!ended && job.stoppable && html`<button type="button" class="button" onClick=${() => run(() => post(`jobs/${job.id}/stop`, {}))}>Stop, keep the best</button>`}
      <button type="button" class="button" onClick=${() => run(() => remove(`jobs/${job.id}`))}>${ended ? "Remove" : "Cancel"}</button>
    </span>
  </li>`;
}

/** A job's state in words. @param {Job} job */
export function status(job) {
  if (job.state === "failed") return `failed: ${job.error}`;
  if (job.state === "queued") return job.position ? `waiting, ${job.position} before it` : "next";
  if (job.state === "done") return `done in ${duration(job.seconds)}${job.error ? `, but ${job.error}` : ""}`;
  if (job.state !== "running") return job.state;
  const left = job.seconds_left === null ? ` after ${duration(job.seconds)}` : `, ${duration(job.seconds_left)} left`;
  return `${percent(job.progress)}${left}${job.stage ? ` · ${job.stage}` : ""}`;
}

/** @param {number} seconds */
const duration = (seconds) =>
  seconds < 90 ? `${Math.max(1, Math.round(seconds))} s` : `${Math.round(seconds / 60)} min`;
