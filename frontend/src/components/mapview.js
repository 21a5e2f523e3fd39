import { PixelCanvas } from "./panel.js";
import { html } from "../html.js";
import { paintContours, paintFaded, paintMagnitude, paintSigned } from "../ops/colors.js";
import { compose } from "../ops/curves.js";
import { heatStrength } from "../ops/heat.js";

/** @typedef {import("../bundle.js").Entry} Entry */
/** @typedef {import("../state.js").State["view"]} ViewName */

/**
 * The image with its top pixels removed, or only them shown: exactly what the model was run on.
 * @param {{ entry: Entry, target: number, reference: number, direction: import("../bundle.js").Direction, count: number, label: string, name?: string }} props
 */
export function Perturbed({ entry, target, reference, direction, count, label, name = "perturbed" }) {
  const { bundle } = entry;
  const fill = bundle.references[reference].image(direction, target);
  return html`<${PixelCanvas}
    name=${name}
    width=${bundle.width}
    height=${bundle.height}
    label=${label}
    draw=${(/** @type {Uint32Array} */ out) => compose(out, bundle.image, fill, entry.ranks(target), count, direction)}
    deps=${[entry, target, reference, direction, count]}
  />`;
}

/**
 * A map as a translucent layer.
 * @param {{ entry: Entry, target: number, view: ViewName, opacity: number, label?: string }} props
 */
export function MapLayer({ entry, target, view, opacity, label }) {
  const { width, height } = entry.bundle;
  const draw = (/** @type {Uint32Array} */ out) => {
    if (view === "off" || (view === "contour" && !entry.orders(target))) out.fill(0);
    else if (view === "contour") paintContours(out, entry.ranks(target), width, opacity);
    else (view === "signed" ? paintSigned : paintMagnitude)(out, heatStrength(entry, target), opacity);
  };
  return html`<${PixelCanvas}
    name="map"
    width=${width}
    height=${height}
    draw=${draw}
    deps=${[entry, target, view, opacity]}
    label=${label}
  />`;
}

/**
 * The image as a quiet ground for a map.
 * @param {{ bundle: import("../bundle.js").Bundle, color?: number }} props
 */
export function Faded({ bundle, color }) {
  return html`<${PixelCanvas}
    width=${bundle.width}
    height=${bundle.height}
    deps=${[bundle, color]}
    draw=${(/** @type {Uint32Array} */ out) => paintFaded(out, bundle.image, color)}
  />`;
}

/** What the colors of a map mean. @param {{ view: ViewName }} props */
export function MapLegend({ view }) {
  if (view === "signed") return html`<span class="key"><i class="ramp signed"></i>against to for</span>`;
  if (view === "contour") return html`<span class="key">top 5, 15, 30 %</span>`;
  if (view === "off") return html`<span class="key">map hidden</span>`;
  return html`<span class="key"><i class="ramp"></i>low to high</span>`;
}
