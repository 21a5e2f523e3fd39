import { integer } from "../../format.js";
import { html } from "../../html.js";

const LARGEST = 24; // classes in a matrix; with more, the most frequent confusions are listed

/**
 * Which classes are taken for which; a cell filters the images.
 * @param {{ confusion: { classes: { index: number, name: string }[], cells: { label: number, prediction: number, count: number }[] },
 *   state: import("../state.js").PageState, set: import("../page.js").Context["set"] }} props
 */
export function Confusion({ confusion: { classes, cells }, state, set }) {
  const name = (/** @type {number} */ index) =>
    (classes.find((each) => each.index === index)?.name ?? `class ${index}`).split(",")[0];
  const isChosen = (/** @type {{ label: number, prediction: number }} */ cell) =>
    cell.label === state.label && cell.prediction === state.prediction;
  const choose = (/** @type {{ label: number, prediction: number }} */ cell) =>
    set(isChosen(cell) ? { label: -1, prediction: -1 } : { label: cell.label, prediction: cell.prediction });
  const shared = { name, isChosen, choose };
  return html`<section class="card confusion" aria-label="Confusion matrix">
    <h2>${classes.length <= LARGEST ? "Confusion matrix" : "Most frequent confusions"}</h2>
    ${classes.length <= LARGEST ? html`<${Matrix} classes=${classes} cells=${cells} ...${shared} />` : html`<${List} cells=${cells} ...${shared} />`}
    <p class="muted">${classes.length <= LARGEST ? "Rows: the class of the image; columns: what the model says. Click to filter." : "The class of the image, and what the model says instead. Click to filter."}</p>
  </section>`;
}

/** @typedef {{ label: number, prediction: number, count: number }} CellCount */
/** @typedef {{ name: (index: number) => string, isChosen: (cell: CellCount) => boolean, choose: (cell: CellCount) => void }} Shared */

/** @param {{ classes: { index: number }[], cells: CellCount[] } & Shared} props */
function Matrix({ classes, cells, name, isChosen, choose }) {
  const counts = new Map(cells.map((cell) => [`${cell.label} ${cell.prediction}`, cell]));
  const most = Math.max(...cells.map((cell) => cell.count));
  return html`<div class="scroll"><table class="matrix">
    <thead><tr><th></th>${classes.map(({ index }) => html`<th scope="col" title=${name(index)}><span>${name(index)}</span></th>`)}</tr></thead>
    <tbody>
      ${classes.map(
        ({ index: label }) =>
          html`<tr key=${label}>
            <th scope="row" title=${name(label)}>${name(label)}</th>
            ${classes.map(({ index: prediction }) => {
              const cell = counts.get(`${label} ${prediction}`);
              if (!cell) return html`<td></td>`;
              const strength = 0.15 + 0.85 * Math.sqrt(cell.count / most);
              return html`<td class=${label === prediction ? "right" : "mistaken"}>
                <button type="button" aria-pressed=${isChosen(cell)} aria-label=${`${name(label)} taken for ${name(prediction)}: ${cell.count}`} style=${{ "--strength": `${Math.round(100 * strength)}%` }} onClick=${() => choose(cell)}>${integer(cell.count)}</button>
              </td>`;
            })}
          </tr>`,
      )}
    </tbody>
  </table></div>`;
}

/** @param {{ cells: CellCount[] } & Shared} props */
function List({ cells, name, isChosen, choose }) {
  const worst = cells
    .filter((cell) => cell.label !== cell.prediction)
    .sort((a, b) => b.count - a.count)
    .slice(0, 20);
  return html`<ul class="plain">
    ${worst.map((cell) => html`<li><button type="button" class="link" aria-pressed=${isChosen(cell)} onClick=${() => choose(cell)}>${name(cell.label)} → ${name(cell.prediction)}</button> <span class="muted">${integer(cell.count)}</span></li>`)}
  </ul>`;
}
