import { useEffect, useRef, useState } from "preact/hooks";
import { Bars } from "../../components/bars.js";
import { CopyButton, DownloadButton, Segmented } from "../../components/controls.js";
import { probability, referenceName } from "../../format.js";
import { html } from "../../html.js";
import { post, query } from "../api.js";
import { Brush } from "../components/brush.js";
import { shortName, usePrediction, WithImage } from "../components/picture.js";
import { useAction } from "../hooks.js";
import { toNumbers } from "../state.js";
import { Flip, Suggest } from "./flip.js";

/** @typedef {import("../page.js").Context} Context */
/** @typedef {{ kind: string, reference: string, patches: number[], answer: any }} Asked */

const PATCHING = ["white", "black", "model_mean", "imagenet_mean", "noise"];
const VERBS = { delete: "deleted", insert: "inserted", patch: "patched" };
const SESSION = `tab-${Math.random().toString(36).slice(2)}`;

/** What if these patches were gone? @param {Context} props */
export function Ask(props) {
  return html`<${WithImage}
    context=${props}
    title="What if this patch were gone?"
    text="Choose an image, brush over it, and see at once what the model says then."
    board=${Board}
  />`;
}

/** @param {Context} props */
function Board(props) {
  const { state, set, model, about } = props;
  const patches = toNumbers(state.patches).filter((patch) => patch < model.grid[0] * model.grid[1]);
  const references = state.kind === "patch" ? PATCHING : about.references;
  const reference = references.includes(state.reference) ? state.reference : state.kind === "patch" ? "white" : "blur";
  const [past, setPast] = useState(/** @type {string[]} */ ([]));
  const { answer, waiting, error, history } = useAnswer({
    model: model.id,
    image: state.image,
    kind: state.kind,
    patches,
    reference,
  });
  const [failed, run] = useAction();
  /** @param {number[]} next @param {boolean} [keep] a step that can be undone */
  const choose = (next, keep = true) => {
    if (keep) setPast([...past, state.patches]);
    set({ patches: next.join(",") });
  };
  const undo = () => {
    if (!past.length) return;
    setPast(past.slice(0, -1));
    set({ patches: past[past.length - 1] });
  };
  useUndoKey(undo);
  return html`<div class="question">
      <section class="stage" aria-label="Image">
        <${Brush} image=${`api/v1/images/${state.image}/view?${query({ model: model.id })}`}
          reference=${`api/v1/images/${state.image}/reference?${query({ model: model.id, kind: state.kind, reference })}`} grid=${model.grid} size=${model.image_size}
          kind=${state.kind} patches=${patches} onStart=${() => setPast([...past, state.patches])} onChange=${(/** @type {number[]} */ next) => choose(next, false)} />
        <p class="row">
          <button type="button" class="button" disabled=${!past.length} onClick=${undo}>Undo</button>
          <button type="button" class="button" disabled=${!patches.length} onClick=${() => choose([])}>Clear</button>
          <span class="muted">${patches.length} of ${model.grid[0] * model.grid[1]} patches</span>
          <${Suggest} ...${props} patches=${patches} onPatch=${(/** @type {number} */ patch) => choose([...patches, patch])} run=${run} />
        </p>
        ${failed && html`<p class="error" role="alert">${failed}</p>`}
      </section>
      <section class="card" aria-label="Answer">
        <div class="row">
          <${Segmented} label="Brushed patches are" value=${state.kind} onChange=${(/** @type {any} */ kind) => set({ kind })}
            options=${[["delete", "deleted"], ["insert", "all there is"], ...(model.can_patch ? [["patch", "patched in"]] : [])]} />
          <${Segmented} label=${state.kind === "delete" ? "Replaced by" : "The rest is"} value=${reference} onChange=${(/** @type {string} */ next) => set({ reference: next })}
            options=${references.map((/** @type {string} */ name) => [name, referenceName(name)])} />
        </div>
        <div class="answer" aria-busy=${String(waiting)} inert=${waiting}>
          <${Verdict} answer=${answer} error=${error} />
          ${answer && html`<${Answer} answer=${answer} />`}
          ${answer && html`<p class="row"><${CopyButton} text=${answer.code} label="Copy code" /></p>`}
        </div>
        <${Flip} ...${props} reference=${reference} onPatches=${(/** @type {number[]} */ next) => choose(next)} />
      </section>
    </div>
    <${History} history=${history} onOpen=${(/** @type {Asked} */ asked) => (setPast([...past, state.patches]), set({ kind: /** @type {any} */ (asked.kind), reference: asked.reference, patches: asked.patches.join(",") }))} />`;
}

/** What was done to the image. @param {{ kind: string, patches: number[] }} question */
function inWords({ kind, patches }) {
  const count = patches.length === 0 ? "No patch" : patches.length === 1 ? "1 patch" : `${patches.length} patches`;
  return `${count} ${VERBS[/** @type {keyof typeof VERBS} */ (kind)]}`;
}

/** @param {{ answer: any, error: string }} props */
function Verdict({ answer, error }) {
  if (error) return html`<p class="verdict error" role="alert">${error}</p>`;
  if (!answer) return html`<p class="verdict muted">Asking the model…</p>`;
  const after = answer.after.classes.find((/** @type {any} */ each) => each.index === answer.after.prediction);
  return html`<p class=${`verdict ${answer.flipped ? "changed" : ""}`} role="status">
    ${answer.done}: the model ${answer.flipped ? "now says" : "still says"} <b>${shortName(after?.name ?? `class ${answer.after.prediction}`)}</b>${after && html` with <b>${probability(after.probability)}</b>`}.
  </p>`;
}

/** @param {{ answer: any }} props */
function Answer({ answer }) {
  const classes = answer.before.classes.map((/** @type {any} */ each, /** @type {number} */ slot) => ({
    ...each,
    name: shortName(each.name),
    slot,
  }));
  const values = answer.after.classes.map((/** @type {any} */ each) => each.probability);
  return html`<${Bars} classes=${classes} values=${values} measured=${true} explained=${answer.before.prediction} winner=${answer.after.prediction} />`;
}

/** @param {{ history: Asked[], onOpen: (asked: Asked) => void }} props */
function History({ history, onOpen }) {
  if (!history.length) return null;
  return html`<section class="card history" aria-label="Questions so far">
    <div class="row heading"><h2>Questions so far</h2>
      <${DownloadButton} name="questions.json" label="Download them" make=${() => JSON.stringify(history, null, 1)} />
    </div>
    <ol>
      ${history.map((asked, i) => {
        const { before, after, flipped } = asked.answer;
        const named = (/** @type {any} */ side, /** @type {number} */ index) =>
          side.classes.find((/** @type {any} */ each) => each.index === index);
        const then = named(after, before.prediction);
        return html`<li key=${i}>
          <button type="button" class="link" onClick=${() => onOpen(asked)}>
            ${inWords(asked)}, ${referenceName(asked.reference)}
          </button>
          <span class="muted">
            ${shortName(then?.name ?? "")} ${probability(named(before, before.prediction)?.probability ?? 0)} → ${probability(then?.probability ?? 0)}${flipped && html`; <b>${shortName(named(after, after.prediction)?.name ?? "another class")}</b>`}
          </span>
        </li>`;
      })}
    </ol>
  </section>`;
}

/**
 * The answer to the latest question, or to the one before while it waits: one is under way at a time, and only the
 * newest waits.
 * @param {{ model: string, image: string, kind: string, patches: number[], reference: string }} question
 */
function useAnswer(question) {
  const [answer, setAnswer] = useState(/** @type {any} */ (null));
  const [error, setError] = useState("");
  const [history, setHistory] = useState(/** @type {Asked[]} */ ([]));
  const asking = useRef({ busy: false, wanted: true, next: /** @type {typeof question | null} */ (null) });
  useEffect(() => () => void (asking.current.wanted = false), []);
  const prediction = usePrediction(question.image, question.model, 8);
  const classes = (prediction.data?.classes ?? []).map((/** @type {any} */ each) => each.index);
  const ask = async (/** @type {typeof question} */ asked) => {
    if (asking.current.busy) return void (asking.current.next = asked);
    asking.current.busy = true;
    try {
      const found = await post("ask", { ...asked, classes, top: 1, session: SESSION });
      setAnswer({ ...found, done: inWords(asked), key: keyOf(asked) });
      setError("");
      if (asked.patches.length) setHistory((before) => [{ ...asked, answer: found }, ...before].slice(0, 100));
    } catch (problem) {
      const { code, status, message } = /** @type {import("../api.js").ApiError} */ (problem);
      if (code !== "superseded") setError(message);
      if (!status) await new Promise((again) => setTimeout(again, 2000)); // the server is not there; ask until it is
      if (!status && asking.current.wanted) asking.current.next ??= asked;
    }
    asking.current.busy = false;
    const { next } = asking.current;
    asking.current.next = null;
    if (next) ask(next);
  };
  const key = keyOf(question);
  useEffect(() => {
    if (classes.length) ask(question);
  }, [key, classes.join()]);
  return {
    answer,
    waiting: answer !== null && answer.key !== key && !error,
    error: error || prediction.error,
    history,
  };
}

const keyOf = (/** @type {Record<string, any>} */ { model, image, kind, patches, reference }) =>
  JSON.stringify([model, image, kind, patches, reference]);

/** Ctrl or command and Z. @param {() => void} undo */
function useUndoKey(undo) {
  const latest = useRef(undo);
  latest.current = undo;
  useEffect(() => {
    const listener = (/** @type {KeyboardEvent} */ event) => {
      if (event.key !== "z" || !(event.ctrlKey || event.metaKey) || document.activeElement?.tagName === "INPUT") return;
      event.preventDefault();
      latest.current();
    };
    addEventListener("keydown", listener);
    return () => removeEventListener("keydown", listener);
  }, []);
}
