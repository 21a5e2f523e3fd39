import { useMemo } from "preact/hooks";
import { Check, Segmented, Select, Slider } from "../components/controls.js";
import { Faded } from "../components/mapview.js";
import { Panel, PixelCanvas } from "../components/panel.js";
import { percent, probability } from "../format.js";
import { html } from "../html.js";
import { paintEvidence, paintWinners, scaleOf } from "../ops/colors.js";
import { classDistribution, keepOwn, sharedEvidence, wonEvidence } from "../ops/contrast.js";
import { heatmap } from "../ops/heat.js";
import { select } from "../selection.js";

/**
 * VAR for two classes of one explanation, at the size of the image.
 * @param {import("../bundle.js").Entry} entry
 * @param {number[]} targets positions among the bundle's targets
 * @param {import("../ops/contrast.js").Softmax & { margin: number }} options
 */
export function contrastClasses(entry, targets, options) {
  const maps = targets.map((target) => heatmap(entry, target));
  const distribution = classDistribution(maps, options);
  return {
    distribution,
    own: keepOwn(maps, distribution, options.margin),
    won: wonEvidence(maps, distribution),
    shared: sharedEvidence(maps, distribution),
  };
}

const USUAL = [1, 5, 100];

/**
 * Numbers separated by commas or spaces, factors of at least zero or divisors above it; null where there is anything else.
 * @param {string} text
 * @param {import("../state.js").State["mode"]} mode
 */
export function parseTemperatures(text, mode) {
  const numbers = text
    .split(/[\s,;]+/)
    .filter(Boolean)
    .map(Number);
  const allowed = (/** @type {number} */ each) => each < Infinity && (mode === "divide" ? each > 0 : each >= 0);
  return numbers.length && numbers.every(allowed) ? numbers : null;
}

/** Why one class and not the other. @param {import("./explain.js").ScreenProps} props */
export function Contrast({ bundle, state, set }) {
  const { view } = select(bundle, state);
  const entries = bundle.entries.filter((each) => each.contrasts);
  const entry = entries.includes(bundle.entries[state.method]) ? bundle.entries[state.method] : entries[0];
  const a = Math.max(0, bundle.targets.indexOf(state.a));
  const b =
    bundle.targets.includes(state.b) && bundle.targets.indexOf(state.b) !== a
      ? bundle.targets.indexOf(state.b)
      : Number(a === 0);
  const temperatures = parseTemperatures(state.temperatures, state.mode);
  const valid = temperatures ?? USUAL;
  const found = useMemo(
    () =>
      contrastClasses(entry, [a, b], {
        temperatures: valid,
        mode: state.mode,
        scale: state.scaled ? "max" : null,
        margin: state.margin,
      }),
    [entry, a, b, valid.join(), state.mode, state.scaled, state.margin],
  );
  const high = useMemo(() => scaleOf(found.own), [found]);
  const [first, second] = [a, b].map((target) => bundle.className(bundle.targets[target]));
  const weights = [Math.min(1, 2 * (1 - state.mix)), Math.min(1, 2 * state.mix)];
  const kept = useMemo(
    () => found.own.map((own, k) => positive(own) / positive(heatmap(entry, [a, b][k]))), // NaN without any evidence
    [found],
  );
  const beaten = kept.findIndex((share) => !(share >= 0.005));
  const shared = { width: bundle.width, height: bundle.height, view, onView: set };
  const names = /** @type {[number, string][]} */ (bundle.targets.map((index) => [index, bundle.className(index)]));
  const evidence = (
    /** @type {string} */ name,
    /** @type {Float64Array} */ values,
    /** @type {number} */ scale,
    /** @type {number} */ which,
    /** @type {string} */ label,
  ) =>
    html`<${Faded} bundle=${bundle} color=${0} /><${PixelCanvas}
        name=${name}
        width=${bundle.width}
        height=${bundle.height}
        label=${label}
        deps=${[values, scale]}
        draw=${(/** @type {Uint32Array} */ out) => paintEvidence(out, values, scale, which)}
      />`;
  return html`<header class="intro">
      <h1>Why <strong class="class-a">${first}</strong> and not <strong class="class-b">${second}</strong>?</h1>
      <p>
        Where both classes claim the same pixels, they compete, and each keeps only what it wins (VAR); what both claim
        about equally is shared. Slide from one class to the other. The model gives${" "}
        ${first} ${probability(bundle.info(bundle.targets[a])?.probability ?? 0)} and ${second} ${probability(bundle.info(bundle.targets[b])?.probability ?? 0)}.
      </p>
      ${
        beaten >= 0 &&
        html`<p class="error" role="status" data-name="beaten">
        ${[first, second][beaten]} wins ${kept[beaten] > 0 ? "next to nothing" : "nothing"}: the map of ${[second, first][beaten]} is higher wherever ${[first, second][beaten]} has evidence.
      </p>`
      }
    </header>
    <div class="choices row">
      <${Select}
        label="A"
        value=${bundle.targets[a]}
        options=${names}
        onChange=${(/** @type {number} */ index) => set(index === bundle.targets[b] ? { a: index, b: bundle.targets[a] } : { a: index })}
      />
      <${Select}
        label="B"
        value=${bundle.targets[b]}
        options=${names}
        onChange=${(/** @type {number} */ index) => set(index === bundle.targets[a] ? { a: bundle.targets[b], b: index } : { b: index })}
      />
      <${Select}
        label="Method"
        value=${bundle.entries.indexOf(entry)}
        options=${entries.map((each) => [bundle.entries.indexOf(each), each.method])}
        onChange=${(/** @type {number} */ method) => set({ method })}
      />
    </div>
    <div class="contrast">
      <section class="stage">
        <${Panel} ...${shared} title="Who wins where" note="gray: no lead">
          <${Faded} bundle=${bundle} color=${0} />
          <${PixelCanvas}
            name="winners"
            width=${bundle.width}
            height=${bundle.height}
            label=${`${first} in orange, ${second} in blue`}
            deps=${[found, ...weights]}
            draw=${(/** @type {Uint32Array} */ out) => paintWinners(out, found.won, weights, 0.9)}
          />
        <//>
        <${Slider}
          label="From A to B"
          name="mix"
          value=${state.mix}
          min=${0}
          max=${1}
          step=${0.01}
          text=${mixText(state.mix, first, second)}
          onInput=${(/** @type {number} */ mix) => set({ mix })}
          ends=${[html`<b class="class-a">${first}</b>`, html`<b class="class-b">${second}</b>`]}
        />
      </section>
      <section class="parts">
        <${Panel}
          ...${shared}
          title=${html`<i class="swatch class-a"></i>Won by ${first}`}
          note=${keptText(kept[0])}
          >${evidence("own-a", found.own[0], high, 0, `Evidence that ${first} keeps`)}<//
        >
        <${Panel}
          ...${shared}
          title=${html`<i class="swatch class-b"></i>Won by ${second}`}
          note=${keptText(kept[1])}
          >${evidence("own-b", found.own[1], high, 1, `Evidence that ${second} keeps`)}<//
        >
        <${Panel} ...${shared} title=${html`<i class="swatch class-shared"></i>Shared`}
          >${evidence("shared", found.shared, scaleOf([found.shared]), -1, "Evidence that both classes have")}<//
        >
        <div class="card settings">
          <h2>Settings</h2>
          <label class="field"
            ><span class="label">Temperatures</span
            ><input
              type="text"
              value=${state.temperatures}
              aria-invalid=${!temperatures}
              inputmode="decimal"
              onChange=${(/** @type {any} */ event) => set({ temperatures: event.currentTarget.value })}
            />${
              !temperatures &&
              html`<span class="error" role="alert">
              Give numbers ${state.mode === "divide" ? "above 0" : "of at least 0"}, separated by commas. Shown: ${USUAL.join(", ")}.
            </span>`
            }</label
          >
          <${Segmented}
            label="They are"
            value=${state.mode}
            onChange=${(/** @type {any} */ mode) => set({ mode })}
            options=${[
              ["multiply", "factors"],
              ["divide", "divisors"],
            ]}
          />
          <${Slider}
            label="Threshold above an even share"
            name="margin"
            value=${state.margin}
            min=${0}
            max=${0.5}
            step=${0.01}
            text=${state.margin.toFixed(2)}
            onInput=${(/** @type {number} */ margin) => set({ margin })}
          />
          <${Check}
            label="Scale the maps to a largest value of 1 first"
            checked=${state.scaled}
            onChange=${(/** @type {boolean} */ scaled) => set({ scaled })}
          />
          ${
            entry.rounded &&
            html`<p class="muted" data-name="rounded">
              To keep this file small, the values of these maps are rounded to 1/65,536 of the largest; the shares here
              differ from Python's by up to about 0.0002.
            </p>`
          }
        </div>
      </section>
    </div>`;
}

/** The sum of the positive values. @param {Float64Array} values */
const positive = (values) => values.reduce((sum, each) => sum + Math.max(each, 0), 0);

/** @param {number} share of the evidence of a class; NaN if it has none */
const keptText = (share) => (share >= 0 ? `keeps ${percent(share)} of its evidence` : "has no evidence");

/**
 * @param {number} mix
 * @param {string} first
 * @param {string} second
 */
function mixText(mix, first, second) {
  if (mix === 0.5) return "both";
  return mix < 0.5
    ? mix === 0
      ? `only ${first}`
      : `mostly ${first}`
    : mix === 1
      ? `only ${second}`
      : `mostly ${second}`;
}
