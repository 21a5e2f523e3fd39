import { html } from "../html.js";
import { probability } from "../format.js";
import { seriesColor } from "../selection.js";

/**
 * Probabilities of the watched classes, in a fixed order; a tick marks the untouched image. The last row is for other
 * classes that win somewhere on the curve.
 * @param {{ classes: import("../bundle.js").ClassInfo[], values: number[], measured: boolean, explained: number, winner: number | null,
 *   others: boolean, other: { index: number, name: string, probability: number } | null }} props other: the winner, if it is none of the classes
 */
export function Bars({ classes, values, measured, explained, winner, others, other }) {
  return html`<ul class=${`bars ${measured ? "" : "between"}`} aria-label="Class probabilities">
    ${classes.map(
      ({ index, name, slot, probability: clean }) =>
        html`<li
          key=${index}
          data-class=${index}
          data-probability=${values[slot]}
          class=${`${index === explained ? "explained" : ""} ${index === winner ? "winner" : ""}`}
          style=${{ color: seriesColor(slot) }}
        >
          <span class="name" title=${name}>${name}</span>
          <span class="track"
            ><i style=${{ transform: `scaleX(${values[slot]})` }}></i><b style=${{ left: `${100 * clean}%` }}></b
          ></span>
          <span class="value">${probability(values[slot])}</span>
        </li>`,
    )}
    ${
      others &&
      html`<li
        key="other"
        data-class=${other?.index}
        data-probability=${other?.probability}
        class=${other ? "winner" : "muted"}
        style=${{ color: "var(--muted)" }}
      >
        <span class="name" title=${other?.name}>${other?.name ?? "no other class leads"}</span>
        <span class="track"><i style=${{ transform: `scaleX(${other?.probability ?? 0})` }}></i></span>
        <span class="value">${other ? probability(other.probability) : ""}</span>
      </li>`
    }
  </ul>`;
}
