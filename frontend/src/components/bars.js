import { html } from "../html.js";
import { probability } from "../format.js";
import { seriesColor } from "../selection.js";

/**
 * Probabilities of the watched classes, in a fixed order; a tick marks the untouched image.
 * @param {{ classes: import("../bundle.js").ClassInfo[], values: number[], measured: boolean, explained: number, winner: number | null }} props
 */
export function Bars({ classes, values, measured, explained, winner }) {
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
  </ul>`;
}
