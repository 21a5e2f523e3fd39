import { useEffect, useState } from "preact/hooks";
import { App, useAddress } from "../../app.js";
import { readBundle } from "../../bundle.js";
import { host } from "../../host.js";
import { html } from "../../html.js";
import { getBytes, post } from "../api.js";
import { useGet } from "../hooks.js";
import { status } from "../queue.js";

/** A result in the explorer. @param {import("../page.js").Context} props */
export function Result({ state, go, live, explorer }) {
  const id = state.result;
  const job = [...live.jobs.values()].find((each) => each.result === id);
  const about = useGet(`results/${id}`, job?.entries);
  const { bundle, error } = useBundle(id, job?.entries);
  const shown = useAddress(explorer);
  useMeasuring(id);
  const entry = Math.max(0, Math.min(shown.method, (bundle?.entries.length ?? 1) - 1));
  const image = about.data?.image ?? state.image;
  const running = job && ["queued", "running"].includes(job.state);
  return html`<div class="row result">
      <button type="button" class="button" onClick=${() => go({ result: "", job: "", image })}>‹ Change the question</button>
      <button type="button" class="button" onClick=${() => go({ page: "ask", image, result: id })}>Ask about this image</button>
      <button type="button" class="button" onClick=${() => go({ page: "refine", image, result: id, base: bundle?.entries[entry]?.isBaseline ? "" : (bundle?.entries[entry]?.name ?? "") })}>Refine a map</button>
      <span class="downloads">
        <a class="button" href=${`api/v1/results/${id}/html`} download>Download this page</a>
        <a class="button" href=${`api/v1/results/${id}/maps?entry=${entry}`} download>Download the maps</a>
      </span>
    </div>
    ${running && html`<p class="muted" role="status">More methods follow: ${status(job)}</p>`}
    ${job?.state === "done" && job.error && html`<p class="banner" role="alert">${job.error}</p>`}
    ${error && html`<p class="banner" role="alert">${error} <button type="button" class="button" onClick=${() => go({ result: "", image })}>Explain again</button></p>`}
    ${bundle && html`<div class="embedded"><${App} bundles=${[bundle]} store=${explorer} brand=${null} /></div>`}
    ${!bundle && !error && html`<p class="intro muted">Reading the result…</p>`}`;
}

/**
 * @param {string} id
 * @param {number | undefined} entries how many methods are finished: the result grows
 * @returns {{ bundle: import("../../bundle.js").Bundle | null, error: string }}
 */
function useBundle(id, entries) {
  const [found, setFound] = useState({
    bundle: /** @type {import("../../bundle.js").Bundle | null} */ (null),
    error: "",
  });
  useEffect(() => {
    let wanted = true;
    getBytes(`results/${id}/bundle`)
      .then(readBundle)
      .then((bundle) => wanted && setFound({ bundle, error: "" }))
      .catch(
        (problem) =>
          wanted && setFound((before) => (before.bundle ? before : { bundle: null, error: problem.message })),
      );
    return () => void (wanted = false);
  }, [id, entries]);
  return found;
}

/** While the result is shown, points between measured ones can be measured. @param {string} result */
function useMeasuring(result) {
  useEffect(() => {
    host.measure = ({ method, class: target, direction, reference, count }) =>
      post("measure", { result, entry: method, target, direction, reference, count }).catch(() => null);
    return () => void (host.measure = null);
  }, [result]);
}
