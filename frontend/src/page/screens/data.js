import { useMemo, useState } from "preact/hooks";
import { Check } from "../../components/controls.js";
import { integer } from "../../format.js";
import { html } from "../../html.js";
import { post, query } from "../api.js";
import { Confusion } from "../components/confusion.js";
import { Gallery } from "../components/gallery.js";
import { StartButton } from "../components/start.js";
import { useAction, useGet, useSettled } from "../hooks.js";
import { FRESH } from "../page.js";
import { startJob } from "./question.js";

/** @typedef {import("../page.js").Context} Context */
/** @typedef {{ id: string, name: string, label: number | null, prediction: number | null, confidence: number | null, wrong: boolean | null, unreadable: boolean,
 *   ins_del: number | null, disagreement: number | null, stored_targets: number[] | null }} Item */

/** @type {[string, string][]} */
const SORTS = [
  ["name", "name"],
  ["-confidence", "most confident"],
  ["confidence", "least confident"],
  ["ins_del", "worst insertion − deletion"],
  ["-ins_del", "best insertion − deletion"],
  ["-disagreement", "methods disagree most"],
  ["label", "class"],
  ["prediction", "predicted class"],
];

/** @type {[string, string][]} */
const RANGES = [
  ["confidence", "confidence"],
  ["ins_del", "insertion − deletion"],
  ["disagreement", "disagreement"],
];

/** A folder of images: sort, filter, run a method on some, open one. @param {Context} props */
export function Data(props) {
  const { about, live, model } = props;
  const reports = useGet("reports").data?.reports ?? [];
  const seen = live.predicted.get(model.id) ?? 0;
  const dataset = useGet(about.dataset ? `dataset?${query({ model: model.id })}` : null, `${seen} ${doneJobs(live)}`);
  return html`${about.dataset && html`<${Folder} key=${model.id} ...${props} dataset=${dataset.data} seen=${seen} />`}
    ${dataset.error && html`<p class="error" role="alert">${dataset.error}</p>`}
    ${
      reports.length > 0 &&
      html`<section class="card" aria-label="Reports"><h2>Reports</h2>
        <ul class="plain">${reports.map((/** @type {any} */ each) => html`<li><a href=${each.href} target="_blank" rel="noopener">${each.name}</a> <span class="muted">${each.kind}</span></li>`)}</ul>
      </section>`
    }`;
}

/** Changes whenever a job over the data set ends. @param {import("../live.js").Live} live */
const doneJobs = (live) =>
  [...live.jobs.values()].filter((job) => job.kind === "dataset" && job.state === "done").length;

/** @param {string} text @returns {number | null} null where it is no number */
const toNumber = (text) => (text.trim() && Number.isFinite(Number(text)) ? Number(text) : null);

/** @param {import("../state.js").PageState} state */
const filterOf = (state) => ({
  label: state.label < 0 ? null : state.label,
  prediction: state.prediction < 0 ? null : state.prediction,
  wrong: state.wrong || null,
  [`min_${state.range}`]: toNumber(state.low),
  [`max_${state.range}`]: toNumber(state.high),
  q: state.q || null,
});

/** @param {Context & { dataset: any, seen: number }} props */
function Folder(props) {
  const { state, set, go, model, live, dataset, seen } = props;
  const [selected, setSelected] = useState(/** @type {Set<string>} */ (new Set()));
  const [total, setTotal] = useState(0);
  const [error, run] = useAction();
  const counted = `${Math.floor(seen / 200)} ${seen === dataset?.images} ${doneJobs(live)}`;
  const confusion = useGet(`dataset/confusion?${query({ model: model.id })}`, counted).data;
  const names = useMemo(
    () => new Map((confusion?.classes ?? []).map((/** @type {any} */ each) => [each.index, each.name.split(",")[0]])),
    [confusion],
  );
  const name = (/** @type {number | null} */ index) => (index === null ? "" : (names.get(index) ?? `class ${index}`));
  const filter = useSettled(
    query({ model: model.id, ...filterOf(state), sort: state.sort, method: state.method }),
    150,
  );
  const open = (/** @type {Item} */ item) =>
    run(async () => {
      go({ ...FRESH, page: "explain", image: item.id, model: model.id });
      const ran = (dataset?.methods ?? []).map((/** @type {any} */ { name, options }) => ({ name, options }));
      const methods = ran.length ? ran : [{ name: model.default_method, options: {} }];
      const job = await startJob(props, { image: item.id, methods, targets: item.stored_targets ?? [] });
      live.opening.add(job.id); // the way back leads here, not to the form
    });
  const predicted = dataset ? Math.max(dataset.predicted, seen) : 0;
  return html`<header class="intro">
      <h1>${dataset ? html`${integer(dataset.images)} images <span class="muted">of ${dataset.name}</span>` : "Reading the folder…"}</h1>
      <p>${dataset?.labeled === 0 && "No subfolder is named like a class of this model, so no prediction can be called wrong. "}${dataset && predicted < dataset.images ? html`The model has seen ${integer(predicted)} of them so far; the others follow.` : "Sort and filter, then open an image to see why the model decided so."}${dataset?.methods.length > 0 && " The numbers below an image: insertion − deletion, and ≠ how much the methods disagree."}</p>
    </header>
    <${Filters} state=${state} set=${set} dataset=${dataset} confusion=${confusion} name=${name} />
    <div class="dataset">
      <div>
        <p class="row found-count"><b data-name="total">${integer(total)} ${total === 1 ? "image" : "images"}</b>
          <${RunOn} ...${props} selected=${selected} total=${total} run=${run} onDone=${() => setSelected(new Set())} />
          <a class="button" href=${`api/v1/dataset/table?${filter}`} download>Download the table</a>
        </p>
        ${error && html`<p class="error" role="alert">${error}</p>`}
        <${Gallery} key=${filter} filter=${filter} again=${counted} name=${name} selected=${selected} onSelect=${setSelected} onOpen=${open} onTotal=${setTotal} />
      </div>
      ${confusion?.cells.length > 0 && html`<${Confusion} confusion=${confusion} state=${state} set=${set} />`}
    </div>`;
}

/** @param {{ state: import("../state.js").PageState, set: Context["set"], dataset: any, confusion: any, name: (index: number | null) => string }} props */
function Filters({ state, set, dataset, confusion, name }) {
  const classes = (confusion?.classes ?? []).map((/** @type {any} */ each) => each.index);
  const select = (
    /** @type {string} */ label,
    /** @type {any} */ value,
    /** @type {[any, string][]} */ options,
    /** @type {(value: string) => void} */ onChange,
  ) =>
    html`<label class="field"><span class="label">${label}</span>
      <select aria-label=${label} onChange=${(/** @type {any} */ event) => onChange(event.currentTarget.value)}>
        ${options.map(([key, text]) => html`<option value=${key} selected=${String(key) === String(value)}>${text}</option>`)}
      </select></label>`;
  const range = (/** @type {"low" | "high"} */ end, /** @type {string} */ text) =>
    html`<input type="text" inputmode="decimal" aria-label=${text} placeholder=${end === "low" ? "from" : "to"} value=${state[end]} aria-invalid=${Boolean(state[end].trim()) && toNumber(state[end]) === null}
      onChange=${(/** @type {any} */ event) => set({ [end]: event.currentTarget.value })} />`;
  const any = /** @type {[any, string][]} */ ([
    [-1, "any"],
    ...classes.map((/** @type {number} */ index) => [index, name(index)]),
  ]);
  return html`<div class="choices row filters">
    ${select("Sort by", state.sort, SORTS, (sort) => set({ sort }))}
    ${dataset?.labeled > 0 && select("Class", state.label, any, (label) => set({ label: Number(label) }))}
    ${select("Predicted class", state.prediction, any, (prediction) => set({ prediction: Number(prediction) }))}
    ${
      dataset?.methods.length > 1 &&
      select(
        "Scores of",
        state.method,
        dataset.methods.map((/** @type {any} */ { label }) => [label, label]),
        (method) => set({ method }),
      )
    }
    <div class="range">${select("Only with", state.range, RANGES.slice(0, 1 + Math.min(2, dataset?.methods.length ?? 0)), (next) => set({ range: /** @type {any} */ (next), low: "", high: "" }))}
      ${range("low", "Least value")}${range("high", "Largest value")}</div>
    <label class="field"><span class="label">File name</span><input type="text" role="searchbox" value=${state.q} onInput=${(/** @type {any} */ event) => set({ q: event.currentTarget.value })} /></label>
    ${dataset?.labeled > 0 && html`<${Check} label="Only wrong ones" checked=${state.wrong === "true"} onChange=${(/** @type {boolean} */ wrong) => set({ wrong: wrong ? "true" : "" })} />`}
    ${query({ ...filterOf(state) }) && html`<button type="button" class="button" onClick=${() => set({ label: -1, prediction: -1, wrong: "", low: "", high: "", q: "" })}>Show all</button>`}
  </div>`;
}

/** Run a method on the selected images, or on all that match. @param {Context & { selected: Set<string>, total: number, run: (action: () => Promise<unknown>) => Promise<unknown>, onDone: () => void }} props */
function RunOn({ state, set, model, live, selected, total, run, onDone }) {
  const methods = (useGet(`methods?model=${encodeURIComponent(model.id)}`).data?.methods ?? []).filter(
    (/** @type {any} */ each) => each.fits && !each.wraps,
  );
  const method = methods.some((/** @type {any} */ each) => each.name === state.run) ? state.run : model.default_method;
  const limit = 500;
  const start = () =>
    run(async () => {
      const { wrong, ...rest } = Object.fromEntries(
        Object.entries(filterOf(state)).filter(([, value]) => value !== null),
      );
      const which = selected.size
        ? { images: [...selected] }
        : { filter: { ...rest, ...(wrong ? { wrong: wrong === "true" } : {}) }, limit };
      live.begin(
        await post("jobs", { kind: "dataset", model: model.id, method: { name: method, options: {} }, ...which }),
      );
      onDone();
    });
  const count = selected.size || Math.min(limit, total);
  return html`<span class="row run">
    <select aria-label="Method to run" onChange=${(/** @type {any} */ event) => set({ run: event.currentTarget.value })}>
      ${methods.map((/** @type {any} */ each) => html`<option value=${each.name} selected=${each.name === method}>${each.name}</option>`)}
    </select>
    <${StartButton} name="run" disabled=${!count} onStart=${start}>Run on ${selected.size ? `${integer(count)} selected` : total > limit ? `the first ${integer(count)}` : `these ${integer(count)}`}<//>
    ${selected.size > 0 && html`<button type="button" class="button" onClick=${onDone}>Select none</button>`}
  </span>`;
}
