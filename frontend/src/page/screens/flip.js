import { useEffect, useRef } from "preact/hooks";
import { CopyButton } from "../../components/controls.js";
import { percent, referenceName } from "../../format.js";
import { html } from "../../html.js";
import { post, query } from "../api.js";
import { shortName } from "../components/picture.js";
import { StartButton } from "../components/start.js";
import { useAction, useGet } from "../hooks.js";
import { status } from "../queue.js";

/** @typedef {import("../page.js").Context} Context */

/** The maps that are there, and which of them is asked. @param {import("../state.js").PageState} state */
function useMap({ result, entry }) {
  const { data } = useGet(result ? `results/${result}` : null);
  const about = /** @type {{ targets: number[], entries: { method: string, label: string }[] } | null} */ (data);
  return { about, entry: about?.entries[entry] ? entry : 0, target: about?.targets[0] };
}

/**
 * The next patch according to a map.
 * @param {Context & { patches: number[], onPatch: (patch: number) => void, run: (action: () => Promise<unknown>) => void }} props
 */
export function Suggest({ state, go, patches, onPatch, run }) {
  const { about, entry, target } = useMap(state);
  if (!about?.entries.length)
    return html`<button type="button" class="link muted" onClick=${() => go({ page: "explain" })}>Suggestions need a map: explain it</button>`;
  const suggest = async () => {
    const found = await post("suggest", { result: state.result, entry, target, patches });
    if (found.patch !== null) onPatch(found.patch);
  };
  return html`<button type="button" class="button" data-name="suggest" title=${`The strongest patch left in the map of ${about.entries[entry].label}`} onClick=${() => run(suggest)}>
    Suggest the next patch
  </button>`;
}

/**
 * What changes the decision: the smallest prefix of a map, or the smallest set that greedy search finds.
 * @param {Context & { reference: string, onPatches: (patches: number[]) => void }} props
 */
export function Flip({ state, set, model, live, about: server, reference, onPatches }) {
  const { about, entry, target } = useMap(state);
  const started = useRef(""); // here; the patches of others are brushed when they are opened
  const [error, run] = useAction();
  const job = live.jobs.get(state.flip);
  const known = server.references.includes(reference) ? reference : "blur";
  const start = (/** @type {any} */ request) =>
    run(async () => {
      const made = await post("jobs", { kind: "flip", reference: known, ...request });
      live.begin(made);
      started.current = made.id;
      set({ flip: made.id });
    });
  const found =
    job?.state === "done" && job.answer?.search === "greedy" && job.answer.found ? job.answer.patches : null;
  useEffect(() => {
    if (found && started.current === state.flip) onPatches(found);
  }, [state.flip, Boolean(found)]);
  return html`<div class="flips">
    <h2>What changes the decision?</h2>
    <div class="row">
      <${StartButton} name="greedy" onStart=${() => start({ search: "greedy", model: model.id, image: state.image })}>Find the fewest patches<//>
      ${
        about?.entries.length
          ? html`<${StartButton} name="prefix" onStart=${() => start({ search: "prefix", result: state.result, entry, target })}>Smallest part of the map<//>
              <select aria-label="Map" onChange=${(/** @type {any} */ event) => set({ entry: Number(event.currentTarget.value) })}>
                ${about.entries.map((each, i) => html`<option value=${i} selected=${i === entry}>${each.label || each.method}</option>`)}
              </select>`
          : null
      }
    </div>
    ${error && html`<p class="error" role="alert">${error}</p>`}
    ${job && html`<p role="status" data-name="flip-answer">${job.state === "done" ? html`<${Found} answer=${job.answer} model=${model} reference=${job.request.reference ?? "blur"} />` : html`<span class="muted">${status(job)}</span>`} ${job.answer?.code && html`<${CopyButton} text=${job.answer.code} label="Copy code" />`}</p>`}
  </div>`;
}

/** @param {{ answer: any, model: import("../api.js").Model, reference: string }} props */
function Found({ answer, model, reference }) {
  if (answer.search === "greedy") {
    if (!answer.found) return html`No set of patches that was tried changes the decision.`;
    const { before, after } = answer.probabilities;
    const count = answer.patches.length;
    return html`Without ${count === 1 ? "1 patch" : `${count} patches`} the model says <b><${Name} model=${model} index=${answer.becomes} /></b>: <${Name} model=${model} index=${answer.decision} /> falls from ${percent(before, 1)} to ${percent(after, 1)}.${" "}
      <span class="muted">${answer.forwards} forward passes, replaced by ${referenceName(reference)}.</span>`;
  }
  const { deletion, insertion } = answer;
  return html`${
    deletion
      ? html`Removing the top ${percent(deletion.share, 1)} of the map makes it <b><${Name} model=${model} index=${deletion.becomes} /></b>.`
      : "Removing pixels never changes the decision."
  }${" "}
    ${insertion?.share === 0 ? "The reference alone gives the same decision." : insertion ? `Its top ${percent(insertion.share, 1)} alone restores it.` : "Adding pixels never restores it."}`;
}

/** @param {{ model: import("../api.js").Model, index: number }} props */
function Name({ model, index }) {
  const found = useGet(`models/${encodeURIComponent(model.id)}/classes?${query({ q: index, limit: 1 })}`).data
    ?.classes[0];
  return html`${found ? shortName(found.name) : `class ${index}`}`;
}
