import { html } from "../html.js";
import { probability } from "../format.js";
import { seriesColor } from "../selection.js";

/**
 * Which class, by which method.
 * @param {{ entries: import("../bundle.js").Entry[], entry: import("../bundle.js").Entry,
 *   explained: import("../bundle.js").ClassInfo, set: import("../state.js").SetState }} props
 */
export function Choices({ entries, entry, explained, set }) {
  const { bundle } = entry;
  return html`<div class="choices">
    <div class="field">
      <span class="label">Explain the class</span>
      <div class="chips" role="group" aria-label="Explained class">
        ${bundle.targets.map((index) => {
          const info = /** @type {import("../bundle.js").ClassInfo} */ (bundle.info(index));
          return html`<button
            type="button"
            class="chip"
            key=${index}
            aria-pressed=${index === explained.index}
            onClick=${() => set({ class: index })}
          >
            <i style=${{ background: seriesColor(info.slot) }}></i>${info.name}
            <span>${probability(info.probability)}</span>
          </button>`;
        })}
      </div>
    </div>
    <div class="field">
      <span class="label">with the method</span>
      <div class="chips" role="group" aria-label="Method">
        ${entries.map(
          (each) =>
            html`<button
              type="button"
              class="chip"
              key=${bundle.entries.indexOf(each)}
              aria-pressed=${each === entry}
              title=${each.about}
              onClick=${() => set({ method: bundle.entries.indexOf(each) })}
            >
              ${each.method}${each.isBaseline && html` <span>baseline</span>`}
            </button>`,
        )}
      </div>
    </div>
  </div>`;
}
