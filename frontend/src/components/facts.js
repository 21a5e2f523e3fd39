import { CopyButton } from "./controls.js";
import { decimal, metricName, passes } from "../format.js";
import { html, withCode } from "../html.js";

/** Scores, checks, cost and how to make the map again. @param {{ chosen: import("../selection.js").Selection }} props */
export function Facts({ chosen: { bundle, entry, target, reference, explained } }) {
  const name = bundle.references[reference].name;
  const metrics = [...new Set(entry.scores.map((each) => each.metric))];
  const scores = metrics.flatMap((metric) => entry.score(metric, explained.index, name) ?? []);
  const failed = Object.entries(entry.checks).filter(([, passed]) => !passed[target]);
  const options = Object.entries(entry.options).map(([key, value]) => `${key}=${JSON.stringify(value)}`);
  return html`<section class="card facts" aria-label="Facts">
    <h2>Facts</h2>
    ${entry.about && html`<p>${withCode(entry.about)}</p>`}
    ${entry.notes.map((note) => html`<p class="bad" role="note">Warning: ${note}.</p>`)}
    <dl>
      ${scores.map(
        (each) =>
          html`<div>
            <dt>${metricName(each.metric)}</dt>
            <dd>
              ${each.score === null ? "undefined" : decimal(each.score)} <span class="muted">${each.higher_is_better ? "higher is better" : "lower is better"}</span>
            </dd>
          </div>`,
      )}
      <div>
        <dt>cost</dt>
        <dd>
          ${passes(entry.cost.forwards)} forward and ${passes(entry.cost.backwards)} backward passes,${" "}
          ${entry.cost.seconds.toFixed(2)} s
        </dd>
      </div>
      <div>
        <dt>checks</dt>
        <dd>
          ${failed.length ? html`<b class="bad">failed: ${failed.map(([check]) => check).join(", ")}</b>` : `passed: ${Object.keys(entry.checks).join(", ")}`}
        </dd>
      </div>
      <div>
        <dt>options</dt>
        <dd>${options.join(", ") || "defaults"}</dd>
      </div>
      <div>
        <dt>map</dt>
        <dd>${entry.rows} × ${entry.cols} values${entry.classAgnostic && ", the same for every class"}</dd>
      </div>
      <div>
        <dt>model</dt>
        <dd>${bundle.model}</dd>
      </div>
    </dl>
    <p class="row">
      <${CopyButton}
        text=${entry.code}
        label="Copy code"
      />${entry.citation && html`<${CopyButton} text=${entry.citation} label="Copy citation" />`}
    </p>
    <details>
      <summary>Code</summary>
      <pre>${entry.code}</pre>
    </details>
    ${
      entry.citation &&
      html`<details>
        <summary>Citation</summary>
        <pre>${entry.citation}</pre>
      </details>`
    }
  </section>`;
}
