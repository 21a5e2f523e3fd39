import { useMemo } from "preact/hooks";
import { Segmented } from "../components/controls.js";
import { Faded, MapLayer, Perturbed } from "../components/mapview.js";
import { Panel, PixelCanvas, zoomAt } from "../components/panel.js";
import { Scrubber, ScrubSlider } from "../components/scrubber.js";
import { BASELINES } from "../bundle.js";
import { decimal, metricName, passes, percent, probability, referenceName } from "../format.js";
import { html } from "../html.js";
import { paintMagnitude, strength } from "../ops/colors.js";
import { disagreement, probabilitiesAt, sharedRanks } from "../ops/curves.js";
import { heatmap } from "../ops/heat.js";
import { select, seriesColor } from "../selection.js";

/** @typedef {import("../bundle.js").Entry} Entry */
/** @typedef {import("../selection.js").Selection} Selection */

/** All methods side by side: one scrub, one zoom. @param {import("./explain.js").ScreenProps} props */
export function Compare({ bundle, state, set }) {
  const chosen = select(bundle, state);
  const { target, reference, direction, count, explained, view } = chosen;
  const series = useMemo(() => methodSeries(chosen), [bundle, target, reference, direction]);
  const values = bundle.entries.map(
    (entry) =>
      entry.orders(target)
        ? probabilitiesAt(entry.curve(target, direction, reference), count).values[explained.slot]
        : null, // there is nothing to scrub along
  );
  const valueText = bundle.entries.map((entry, i) => `${entry.method} ${valueName(values[i])}`).join(", ");
  const still = useMemo(
    () => ({
      top: html`<header class="intro">
      <h1>Which map finds what the model needs?</h1>
      <p>
        Every method ranks the pixels of this image for <b>${explained.name}</b>. Drag once, and
        ${direction === "deletion" ? " every image loses" : " every reference gets"} the most important pixels of its
        map: the better the map, the sooner the probability ${direction === "deletion" ? "drops" : "rises"}.
        ${direction === "deletion" && " Scattered pixels destroy any image, so a quick drop alone proves little."} A map is
        worth looking at if its insertion − deletion beats the baselines.
      </p>
    </header>
    <div class="choices row">
      ${
        bundle.targets.length > 1 &&
        html`<${Segmented}
          label="Class"
          value=${String(explained.index)}
          onChange=${(/** @type {string} */ index) => set({ class: Number(index) })}
          options=${bundle.targets.map((index) => [String(index), bundle.className(index)])}
        />`
      }
      <${Segmented}
        label="Show"
        value=${state.show}
        onChange=${(/** @type {any} */ show) => set({ show })}
        options=${[
          ["both", "Map and image"],
          ["map", "Map"],
          ["image", "Image"],
        ]}
      />
      ${
        state.show !== "image" &&
        html`<${Segmented}
          label="Map"
          value=${state.view}
          onChange=${(/** @type {any} */ next) => set({ view: next })}
          options=${[
            ["magnitude", "Magnitude"],
            ["signed", "Signed"],
            ["contour", "Contour"],
          ]}
        />`
      }
      <div class="field zooms">
        <span class="label">Zoom ${view.zoom.toFixed(1)}×</span>
        <div class="segmented" role="group" aria-label="Zoom">
          <button type="button" aria-label="Zoom out" onClick=${() => set(zoomAt(view, view.zoom / 1.5))}>−</button>
          <button type="button" aria-label="Zoom in" onClick=${() => set(zoomAt(view, view.zoom * 1.5))}>+</button>
          <button type="button" onClick=${() => set({ zoom: 1, x: 0, y: 0 })}>Reset</button>
        </div>
      </div>
    </div>`,
      scores: html`<section class="card scores" aria-label="Scores">
        <h2>Scores</h2>
        <${Scores} chosen=${chosen} state=${state} set=${set} />
      </section>`,
      names: html`<p class="names">
        ${bundle.entries.map((entry, i) => html`<span><i class="swatch" style=${{ background: methodColor(entry, i) }}></i>${entry.method}</span>`)}
      </p>`,
      disagreement: html`<${Disagreement} chosen=${chosen} set=${set} />`,
    }),
    [
      bundle,
      target,
      reference,
      direction,
      state.show,
      state.view,
      state.sort,
      state.descending,
      state.zoom,
      state.x,
      state.y,
    ], // all but the count
  );
  return html`${still.top}
    <div class="compare">
      <div class="column">
      <section class="card curves" aria-label="Curves">
        <h2>Probability of ${explained.name}</h2>
        <${Scrubber} chosen=${chosen} set=${set} series=${series} valueText=${valueText} />
        ${still.names}
      </section>
      ${still.disagreement}
      </div>
      <div class="column">
      <section class="methods" aria-label="Methods" style=${{ "--columns": columnsOf(bundle.entries.length, state.show) }}>
        ${bundle.entries.map((entry, i) => html`<${Method} key=${i} entry=${entry} chosen=${chosen} state=${state} set=${set} color=${methodColor(entry, i)} value=${values[i]} />`)}
      </section>
      ${still.scores}
      </div>
      <div class="dock"><${ScrubSlider} name="dock" chosen=${chosen} set=${set} valueText=${valueText} /></div>
    </div>`;
}

/** @param {number | null} value null: the map orders no pixels */
const valueName = (value) => (value === null ? "not tested" : probability(value));

/**
 * One row of pairs where that fits, else two rows of the same length.
 * @param {number} methods
 * @param {string} show
 */
const columnsOf = (methods, show) => (methods <= (show === "both" ? 6 : 4) ? methods : Math.ceil(methods / 2));

/**
 * One method: its map, the image it leaves, and the probability of the class.
 * @param {{ entry: Entry, chosen: Selection, state: import("../state.js").State, set: import("../state.js").SetState, color: string, value: number | null }} props
 */
function Method({ entry, chosen, state, set, color, value }) {
  const { bundle, target, reference, direction, count, view } = chosen;
  const shared = { width: bundle.width, height: bundle.height, view, onView: set };
  const title = html`<button
    type="button"
    class="link"
    title=${`Explain with ${entry.method}`}
    onClick=${() => set({ screen: "explain", method: bundle.entries.indexOf(entry) })}
  >
    <i class="swatch" style=${{ background: color }}></i>${entry.method}
  </button>`;
  const map = state.show !== "image";
  const note = state.show === "map" ? valueName(value) : undefined;
  const still = useMemo(
    () =>
      map &&
      html`<${Panel} ...${shared} title=${title} note=${note}>
        <${Faded} bundle=${bundle} /><${MapLayer}
          entry=${entry}
          target=${target}
          view=${state.view}
          opacity=${state.opacity}
          label=${`Map by ${entry.method}`}
      /><//>`,
    [entry, target, map, note, state.view, state.opacity, state.zoom, state.x, state.y],
  );
  return html`<div class="method">
    ${still}
    ${
      state.show !== "map" &&
      html`<${Panel}
        ...${shared}
        title=${map ? html`<span class="muted">${bundle.className(bundle.targets[target])}</span>` : title}
        note=${html`<b>${valueName(value)}</b>`}
      >
        <${Perturbed}
          entry=${entry}
          target=${target}
          reference=${reference}
          direction=${value === null ? "deletion" : direction}
          count=${value === null ? 0 : count}
          label=${`Perturbed by ${entry.method}: ${valueName(value)}`}
      /><//>`
    }
  </div>`;
}

/** @param {{ chosen: Selection, set: import("../state.js").SetState }} props */
function Disagreement({ chosen: { bundle, target, view }, set }) {
  const methods = bundle.entries.filter((entry) => !entry.isBaseline && entry.orders(target));
  const values = useMemo(
    () =>
      methods.length > 1
        ? disagreement(methods.map((entry) => sharedRanks(heatmap(entry, target), entry.ranks(target))))
        : null,
    [bundle, target],
  );
  if (!values) return null;
  const mean = values.reduce((sum, each) => sum + each, 0) / values.length;
  return html`<section class="card disagreement" aria-label="Disagreement">
    <h2>Where the methods disagree</h2>
    <p class="muted">
      Bright where ${methods.map((entry) => entry.method).join(", ")} rank a pixel differently. On average, ranks differ
      by ±${percent(mean)}. Pixels of equal value share their mean rank.
    </p>
    <${Panel} title="Spread of the ranks" width=${bundle.width} height=${bundle.height} view=${view} onView=${set}>
      <${Faded} bundle=${bundle} />
      <${PixelCanvas}
        name="disagreement"
        width=${bundle.width}
        height=${bundle.height}
        deps=${[values]}
        label="Standard deviation of the relative ranks"
        draw=${(/** @type {Uint32Array} */ out) => paintMagnitude(out, strength(values), 0.9)}
      />
    <//>
  </section>`;
}

/** A table that sorts by any of its columns. @param {{ chosen: Selection, state: import("../state.js").State, set: import("../state.js").SetState }} props */
function Scores({ chosen: { bundle, reference, explained }, state, set }) {
  const name = bundle.references[reference].name;
  const metrics = [
    ...new Map(bundle.entries.flatMap((entry) => entry.scores.map((each) => [each.metric, each.higher_is_better]))),
  ];
  const read = (/** @type {Entry} */ entry, /** @type {string} */ metric) => {
    if (metric === "passes") return entry.cost.forwards + entry.cost.backwards;
    return entry.score(metric, explained.index, name)?.score ?? null;
  };
  /** @type {[string, boolean][]} */
  const columns = [...metrics, ["passes", false]];
  const sign = state.descending ? -1 : 1;
  const sorted = [...bundle.entries].sort((a, b) => {
    if (state.sort === "method") return sign * a.method.localeCompare(b.method);
    const [one, two] = [read(a, state.sort), read(b, state.sort)];
    return one === null || two === null ? Number(one === null) - Number(two === null) : sign * (one - two);
  });
  const best = new Map(
    columns.map(([metric, higher]) => {
      const all = bundle.entries.map((entry) => read(entry, metric)).filter((each) => each !== null);
      return [metric, higher ? Math.max(...all) : Math.min(...all)];
    }),
  );
  const sortBy = (/** @type {string} */ metric, /** @type {boolean} */ higher) =>
    set(metric === state.sort ? { descending: !state.descending } : { sort: metric, descending: higher });
  const head = (/** @type {string} */ name, /** @type {boolean} */ higher, /** @type {string} */ mark) =>
    html`<th
      scope="col"
      key=${name}
      aria-sort=${name === state.sort ? (state.descending ? "descending" : "ascending") : "none"}
    >
      <button type="button" onClick=${() => sortBy(name, higher)}>
        ${name === "ins_del" ? "ins − del" : metricName(name)} <span aria-hidden="true">${name === state.sort ? (state.descending ? "▼" : "▲") : mark}</span>
      </button>
    </th>`;
  return html`<div class="scroll">
      <table>
        <thead>
          <tr>
            ${head("method", false, "")}${columns.map(([metric, higher]) => head(metric, higher, higher ? "↑" : "↓"))}
          </tr>
        </thead>
        <tbody>
          ${sorted.map(
            (entry) =>
              html`<tr key=${bundle.entries.indexOf(entry)}>
                <th scope="row">
                  <i class="swatch" style=${{ background: methodColor(entry, bundle.entries.indexOf(entry)) }}></i
                  >${entry.method}
                </th>
                ${columns.map(([metric]) => {
                  const value = read(entry, metric);
                  const text = value === null ? "–" : metric === "passes" ? passes(value) : decimal(value);
                  return html`<td
                    class=${metric !== "passes" && value !== null && value === best.get(metric) ? "best" : ""}
                  >
                    ${text}
                  </td>`;
                })}
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
    <p class="muted">
      Reference: ${referenceName(name)}. ↑ higher is better, ↓ lower is better; the best value is bold. Passes: forward and backward,
      to make the map.
    </p>`;
}

/**
 * Baselines are gray and dashed.
 * @param {Entry} entry
 * @param {number} i
 */
const methodColor = (entry, i) =>
  entry.isBaseline ? ["var(--muted)", "var(--ink)"][BASELINES.indexOf(entry.name)] : seriesColor(i);

/**
 * @param {Selection} chosen
 * @returns {import("../components/chart.js").Series[]}
 */
function methodSeries({ bundle, target, direction, reference, explained }) {
  const width = bundle.watched.length;
  return bundle.entries.flatMap((entry, i) => {
    if (!entry.orders(target)) return [];
    const { counts, probabilities } = entry.curve(target, direction, reference);
    const y = counts.map((_, point) => probabilities[point * width + explained.slot]);
    return [
      {
        name: entry.method,
        color: methodColor(entry, i),
        x: counts,
        y,
        strong: !entry.isBaseline,
        dashed: entry.isBaseline,
      },
    ];
  });
}
