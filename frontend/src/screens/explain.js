import { useMemo } from "preact/hooks";
import { Bars } from "../components/bars.js";
import { Choices } from "../components/choices.js";
import { Check, Segmented, Slider } from "../components/controls.js";
import { Facts } from "../components/facts.js";
import { Faded, MapLayer, MapLegend, Perturbed } from "../components/mapview.js";
import { Panel } from "../components/panel.js";
import { Scrubber, useTravel } from "../components/scrubber.js";
import { integer, percent, probability } from "../format.js";
import { host } from "../host.js";
import { html } from "../html.js";
import { flipCount, probabilitiesAt } from "../ops/curves.js";
import { select, seriesColor } from "../selection.js";

/** @typedef {import("../selection.js").Selection} Selection */
/** @typedef {{ bundle: import("../bundle.js").Bundle, state: import("../state.js").State, set: import("../state.js").SetState }} ScreenProps */

/** One map, and what the model says while its pixels are removed or added. @param {ScreenProps} props */
export function Explain({ bundle, state, set }) {
  const chosen = selectTested(bundle, state);
  const { entry, target, reference, direction, count, curve, explained } = chosen;
  const flip = useMemo(() => flipOf(chosen), [entry, entry.asked, target, reference, direction]);
  const series = useMemo(() => classSeries(chosen), [entry, entry.asked, target, reference, direction]);
  const now = probabilitiesAt(curve, count);
  const travel = useTravel(set);
  const share = percent(count / bundle.pixels);
  const shared = { width: bundle.width, height: bundle.height, view: chosen.view, onView: set };
  const still = useMemo(() => {
    const layer = html`<${MapLayer}
      entry=${entry}
      target=${target}
      view=${state.view}
      opacity=${state.opacity}
      label=${`Map by ${entry.method} for ${explained.name}`}
    />`;
    const legend = html`<${MapLegend} view=${state.view} />`;
    return {
      layer,
      top: html`<${Intro} chosen=${chosen} />
        <${Choices} entries=${bundle.entries} entry=${entry} explained=${explained} set=${set} />`,
      map:
        state.side &&
        html`<${Panel} ...${shared} title="The map" note=${legend}><${Faded} bundle=${bundle} />${layer}<//>`,
      controls: html`<${MapControls} state=${state} set=${set} />`,
      facts: html`<${Facts} chosen=${chosen} />`,
    };
  }, [entry, target, reference, direction, state.view, state.opacity, state.side, state.zoom, state.x, state.y]); // all but the count
  const done = direction === "deletion" ? "removed" : "shown";
  const note = count ? `${share} ${done}` : direction === "deletion" ? "untouched" : "nothing yet";
  return html`${still.top}
    <div class="explain">
      <section class="stage" aria-label="Image and map">
        <div class=${`panels ${state.side ? "two" : "one"}`}>
          <${Panel} ...${shared} title="What the model sees" note=${note}>
            <${Perturbed}
              entry=${entry}
              target=${target}
              reference=${reference}
              direction=${direction}
              count=${count}
              label=${`The image with ${share} of its pixels ${done}`}
            />
            ${!state.side && still.layer}
          <//>
          ${still.map}
        </div>
        ${still.controls}
      </section>
      <section class="card test" aria-label="Test the map">
        <h2>Test the map</h2>
        ${
          entry.orders(target)
            ? html`<${Scrubber}
                  chosen=${chosen}
                  set=${set}
                  series=${series}
                  flip=${flip}
                  valueText=${`${explained.name} ${probability(now.values[explained.slot])}`}
                />
                <${Flip} chosen=${chosen} flip=${flip} onGo=${() => flip !== null && travel(count, flip)} />`
            : html`<p class="untested">
                This map holds NaN or infinity: it does not order the pixels, so there is nothing to test.
              </p>`
        }
        <${Verdict} chosen=${chosen} now=${now} ask=${host.measure && (() => measureHere(chosen, state, set))} />
        <${Bars}
          classes=${bundle.watched}
          values=${now.values}
          measured=${now.measured}
          explained=${explained.index}
          winner=${now.measured ? curve.top1[now.left] : null}
          others=${curve.top1.some((top) => !bundle.info(top))}
          other=${now.measured ? otherWinner(chosen, now.left) : null}
        />
        <p class="legend">
          <span><b>bold</b>: the explained class</span><span>✓: what the model says</span><span>line: without a change</span>
        </p>
      </section>
      ${still.facts}
    </div>`;
}

/**
 * What is chosen; a map that orders no pixels leaves the image untouched.
 * @param {import("../bundle.js").Bundle} bundle
 * @param {import("../state.js").State} state
 */
function selectTested(bundle, state) {
  const chosen = select(bundle, state);
  if (chosen.entry.orders(chosen.target)) return chosen;
  return select(bundle, { ...state, count: 0, direction: "deletion" });
}

/**
 * The class that wins at a measured point, if it is not watched.
 * @param {Selection} chosen
 * @param {number} point
 */
function otherWinner({ bundle, curve }, point) {
  const index = curve.top1[point];
  return bundle.info(index) ? null : { index, name: bundle.className(index), probability: curve.highest[point] };
}

/** Whether the explained class is another than the predicted one. @param {Selection} chosen */
const isOther = ({ bundle, explained }) => explained.index !== bundle.prediction;

/**
 * Where removing pixels changes the decision, or adding them makes the model say the explained class. Removing the
 * evidence of a class that the model does not say changes no decision for it.
 * @param {Selection} chosen
 */
const flipOf = (chosen) =>
  isOther(chosen) && chosen.direction === "deletion"
    ? null
    : flipCount(chosen.curve, chosen.explained.index, chosen.direction);

/** What dragging does, and what a right map would show. @param {Selection} chosen */
function dragText(chosen) {
  const { direction, explained, entry, target } = chosen;
  if (!entry.orders(target)) return "";
  if (direction === "deletion")
    return `Drag along the curve to remove its most important pixels first: if the map is right, ${
      isOther(chosen) ? `the probability of ${explained.name} drops early` : "the model changes its mind early"
    }.`;
  return `Drag along the curve to show only its most important pixels: if the map is right, ${
    isOther(chosen) ? `the probability of ${explained.name} rises early` : "the model recognizes the image early"
  }.`;
}

/** In words: what the model says, what the map shows, what dragging does. @param {{ chosen: Selection }} props */
function Intro({ chosen }) {
  const { bundle, entry, explained } = chosen;
  const first = bundle.info(bundle.prediction);
  const other = isOther(chosen);
  return html`<header class="intro">
    <h1>
      The model says <strong>${bundle.className(bundle.prediction)}</strong>${first && html` <span class="muted">with ${probability(first.probability)} probability</span>`}
    </h1>
    <p>
      ${
        entry.isBaseline
          ? html`<code>${entry.method}</code> is a baseline: its map ignores the model. A map explains something only if
              it does better.`
          : html`The map shows where <code>${entry.method}</code> finds the evidence
              for <b>${explained.name}</b>${other && ` (${probability(explained.probability)})`}.`
      } ${dragText(chosen)}
    </p>
  </header>`;
}

/** @param {{ state: import("../state.js").State, set: import("../state.js").SetState }} props */
function MapControls({ state, set }) {
  return html`<div class="row controls">
    <${Segmented}
      label="Map"
      value=${state.view}
      onChange=${(/** @type {any} */ view) => set({ view })}
      options=${[
        ["magnitude", "Magnitude"],
        ["signed", "Signed"],
        ["contour", "Contour"],
        ["off", "Off"],
      ]}
    />
    <${Slider}
      label="Opacity"
      name="opacity"
      value=${state.opacity}
      min=${0}
      max=${1}
      step=${0.05}
      text=${percent(state.opacity)}
      onInput=${(/** @type {number} */ opacity) => set({ opacity })}
    />
    <${Check} label="Side by side" checked=${state.side} onChange=${(/** @type {boolean} */ side) => set({ side })} />
    ${state.zoom > 1 && html`<button type="button" class="button" onClick=${() => set({ zoom: 1, x: 0, y: 0 })}>Reset zoom</button>`}
  </div>`;
}

/** @param {{ chosen: Selection, flip: number | null, onGo: () => void }} props */
function Flip({ chosen, flip, onGo }) {
  const { bundle, direction, curve, explained } = chosen;
  const { name } = explained;
  const text = direction === "deletion" ? "Remove until the decision flips" : `Add until the model says ${name}`;
  if (flip === null) {
    const story = isOther(chosen)
      ? `The model says ${bundle.className(bundle.prediction)}, not ${name}: this map has no decision to flip. Removing its pixels should make ${name} less likely.`
      : `The model says ${name} at every measured point.`;
    return html`<p class="flip muted">
      ${direction === "deletion" ? story : `The model never says ${name} on this curve.`}
    </p>`;
  }
  const point = curve.counts.indexOf(flip);
  const winner = bundle.className(curve.top1[point]);
  const [last, first] = [curve.counts[Math.max(0, point - 1)], flip];
  const shares = `${percent(last / bundle.pixels)} and ${percent(first / bundle.pixels)}`;
  return html`<p class="flip">
    <button type="button" class="button primary" data-name="flip" data-count=${flip} onClick=${onGo}>${text}</button>
    <span class="muted"
      >${point ? `between ${integer(last)} and ${integer(first)} pixels (${shares}), two measured points` : "before the first pixel"}${direction === "deletion" && `; then it says ${winner}`}</span
    >
  </p>`;
}

/**
 * Ask the model behind the page, if there is one, for the point between two measured ones.
 * @param {Selection} chosen
 * @param {import("../state.js").State} state
 * @param {import("../state.js").SetState} set
 */
async function measureHere({ bundle, entry, target, direction, reference, count, explained }, state, set) {
  const question = {
    image: state.image,
    method: bundle.entries.indexOf(entry),
    class: explained.index,
    direction,
    count,
  };
  const answer = await host.measure?.({ ...question, reference: bundle.references[reference].name });
  if (answer) entry.addPoint(target, direction, reference, { count, ...answer });
  set({});
}

/**
 * What the model says here, and how that is known.
 * @param {{ chosen: Selection, now: ReturnType<typeof probabilitiesAt>, ask: (() => void) | null }} props
 */
function Verdict({ chosen: { bundle, curve, explained }, now, ask }) {
  const named = (/** @type {number} */ point) => bundle.className(curve.top1[point]);
  const at = (/** @type {number} */ point) => percent(curve.counts[point] / bundle.pixels);
  if (!now.measured) {
    const same = named(now.left) === named(now.right);
    return html`<p class="verdict">
      Between two measured points: ${explained.name} about <b>${probability(now.values[explained.slot])}</b>.${" "}
      <span class="muted">
        Measured at ${at(now.left)} and ${at(now.right)}: ${same ? named(now.left) : `${named(now.left)}, then ${named(now.right)}`}.
      </span>
      ${ask && html`<button type="button" class="button" data-name="exact" onClick=${ask}>Exact here</button>`}
    </p>`;
  }
  const changed = curve.top1[now.left] !== bundle.prediction;
  return html`<p class=${`verdict ${changed ? "changed" : ""}`}>
    The model ${changed ? "now says" : "says"} <b>${named(now.left)}</b> with <b>${probability(curve.highest[now.left])}</b>.
  </p>`;
}

/**
 * @param {Selection} chosen
 * @returns {import("../components/chart.js").Series[]}
 */
function classSeries({ bundle, curve, explained }) {
  const width = bundle.watched.length;
  const lines = bundle.watched.map(({ name, slot, index }) => ({
    name,
    color: seriesColor(slot),
    x: curve.counts,
    y: curve.counts.map((_, point) => curve.probabilities[point * width + slot]),
    strong: index === explained.index,
  }));
  return lines.sort((a, b) => Number(a.strong) - Number(b.strong)); // the explained class on top
}
