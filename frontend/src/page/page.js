import { useEffect, useState } from "preact/hooks";
import { Tabs, useAddress } from "../app.js";
import { html } from "../html.js";
import { upload } from "./api.js";
import { useAction, useGet } from "./hooks.js";
import { useLive } from "./live.js";
import { Queue } from "./queue.js";
import { Ask } from "./screens/ask.js";
import { Data } from "./screens/data.js";
import { Question } from "./screens/question.js";
import { Refine } from "./screens/refine.js";
import { Result } from "./screens/result.js";

/**
 * What every screen gets.
 * @typedef {object} Context
 * @property {import("./state.js").PageState} state
 * @property {import("./state.js").PageStore["set"]} set
 * @property {import("./state.js").PageStore["go"]} go
 * @property {import("./api.js").Model} model
 * @property {import("./live.js").Live} live
 * @property {any} about limits, formats and references of the server
 * @property {(files: Iterable<File>) => void} add uploads images and shows the first
 * @property {import("../state.js").Store} explorer
 */

const SCREENS = [
  { name: "explain", title: "Image", screen: Question },
  { name: "ask", title: "Ask", screen: Ask },
  { name: "refine", title: "Refine", screen: Refine },
  { name: "data", title: "Data set", screen: Data },
];

/** @param {{ store: import("./state.js").PageStore, explorer: import("../state.js").Store, live: import("./live.js").Live }} props */
export function Page({ store, explorer, live }) {
  const state = useAddress(store);
  useLive(live);
  const about = useGet("", live.worker.state);
  const models = useGet("models", live.worker.state);
  const [problem, run] = useAction();
  const add = (/** @type {Iterable<File>} */ files) =>
    run(() =>
      uploadAll([...files], (image) =>
        store.go({ ...FRESH, image, page: state.page === "data" ? "explain" : state.page }),
      ),
    );
  useEffect(() => void run(async () => {}), [state.page, state.result]); // what was wrong is of the past
  const dragged = useFiles(add);
  const known = models.data?.models ?? [];
  const model = known.find((/** @type {any} */ each) => each.id === state.model) ?? known[0];
  const tabs = SCREENS.filter(({ name }) => name !== "data" || about.data?.dataset || about.data?.reports);
  const current = tabs.find(({ name }) => name === state.page) ?? tabs[0];
  const context = { state, set: store.set, go: store.go, model, live, about: about.data, add, explorer };
  return html`<nav class="top" aria-label="Page">
      <span class="brand">seewhy</span>
      <${Tabs} screens=${tabs} current=${current.name} onChange=${(/** @type {any} */ page) => store.go({ page, result: page === "explain" ? "" : state.result })} />
      ${model && html`<${ModelChoice} models=${known} model=${model} go=${store.go} />`}
    </nav>
    <${Banner} live=${live} error=${about.error || models.error || problem} />
    ${
      model && about.data
        ? state.page === "explain" && state.result
          ? html`<${Result} key=${state.result} ...${context} />`
          : html`<div class="screen" role="region" aria-label=${current.title} data-page=${current.name}>
              <${current.screen} ...${context} />
            </div>`
        : !(about.error || models.error) && html`<p class="intro muted">Loading the models…</p>`
    }
    <${Queue} ...${context} />
    ${dragged && html`<div class="dropping" aria-hidden="true">Drop the image to explain it</div>`}`;
}

/**
 * One after the other, since the server takes only a few at once; the first that it accepts is shown.
 * @param {File[]} files
 * @param {(image: string) => void} show
 */
async function uploadAll(files, show) {
  const images = [];
  const errors = [];
  for (const file of files) {
    try {
      images.push((await upload(file)).id);
      if (images.length === 1) show(images[0]);
    } catch (error) {
      errors.push(`${file.name}: ${/** @type {Error} */ (error).message}`);
    }
  }
  if (errors.length) throw new Error(errors.join(" "));
}

/** What belongs to one image only. */
export const FRESH = { result: "", job: "", targets: "", patches: "", flip: "", entry: 0 };

/** @param {{ models: import("./api.js").Model[], model: import("./api.js").Model, go: import("./state.js").PageStore["go"] }} props */
function ModelChoice({ models, model, go }) {
  if (models.length === 1) return html`<span class="file" title="Model">${model.name}</span>`;
  return html`<label class="file"
    >Model${" "}
    <select aria-label="Model" onChange=${(/** @type {any} */ event) => go({ ...FRESH, methods: "", options: "{}", label: -1, prediction: -1, method: "", model: event.currentTarget.value })}>
      ${models.map(({ id, name }) => html`<option value=${id} selected=${id === model.id}>${name}</option>`)}
    </select>
  </label>`;
}

/** What is wrong with the server, its worker or an upload. @param {{ live: import("./live.js").Live, error: string }} props */
function Banner({ live, error }) {
  const { state, message } = live.worker;
  const text = !live.connected
    ? "The connection to the server is lost. Is `seewhy ui` still running? The page tries again."
    : state === "restarting"
      ? `The model is being restarted: ${message}. Jobs in the queue continue afterwards.`
      : error;
  return text ? html`<p class="banner" role="alert">${text}</p>` : null;
}

/**
 * Files that are dropped anywhere or pasted; whether some are being dragged.
 * @param {(files: Iterable<File>) => void} add
 */
function useFiles(add) {
  const [dragged, setDragged] = useState(false);
  useEffect(() => {
    const over = (/** @type {DragEvent} */ event) => {
      if (!event.dataTransfer?.types.includes("Files")) return;
      event.preventDefault();
      setDragged(true);
    };
    const leave = (/** @type {DragEvent} */ event) => event.relatedTarget === null && setDragged(false);
    const drop = (/** @type {DragEvent} */ event) => {
      event.preventDefault();
      setDragged(false);
      if (event.dataTransfer?.files.length) add(event.dataTransfer.files);
    };
    const paste = (/** @type {ClipboardEvent} */ event) => {
      if (event.clipboardData?.files.length) add(event.clipboardData.files);
    };
    addEventListener("dragover", over);
    addEventListener("dragleave", leave);
    addEventListener("drop", drop);
    addEventListener("paste", paste);
    return () => {
      removeEventListener("dragover", over);
      removeEventListener("dragleave", leave);
      removeEventListener("drop", drop);
      removeEventListener("paste", paste);
    };
  }, [add]);
  return dragged;
}
