import { useRef, useState } from "preact/hooks";
import { html } from "../../html.js";

/**
 * An image whose patches can be brushed; dragging repeats what the first patch got. Where the model does
 * not see the image, the reference is drawn.
 * @param {{ image: string, reference: string, grid: [number, number], size: [number, number], kind: string, patches: number[], onStart: () => void,
 *   onChange: (patches: number[]) => void }} props
 */
export function Brush({
  image,
  reference,
  grid: [rows, cols],
  size: [height, width],
  kind,
  patches,
  onStart,
  onChange,
}) {
  const stroke = useRef({ adding: true, chosen: new Set(patches), active: false });
  const [cursor, setCursor] = useState(-1);
  const chosen = new Set(patches);
  const patchAt = (/** @type {any} */ event) => {
    const box = event.currentTarget.getBoundingClientRect();
    const col = Math.floor(((event.clientX - box.left) / box.width) * cols);
    const row = Math.floor(((event.clientY - box.top) / box.height) * rows);
    return row >= 0 && row < rows && col >= 0 && col < cols ? row * cols + col : -1;
  };
  const paint = (/** @type {number} */ patch) => {
    const { adding, chosen: set } = stroke.current;
    if (patch < 0 || set.has(patch) === adding) return;
    if (adding) set.add(patch);
    else set.delete(patch);
    onChange([...set]);
  };
  const begin = (/** @type {number} */ patch) => {
    stroke.current = { adding: !chosen.has(patch), chosen: new Set(patches), active: true };
    onStart();
    paint(patch);
  };
  const keys = (/** @type {KeyboardEvent} */ event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -cols, ArrowDown: cols }[event.key];
    if (step !== undefined)
      setCursor(Math.min(rows * cols - 1, Math.max(0, Math.max(0, cursor) + (cursor < 0 ? 0 : step))));
    else if ((event.key === " " || event.key === "Enter") && cursor >= 0)
      (begin(cursor), (stroke.current.active = false));
    else return;
    event.preventDefault();
  };
  const at = (/** @type {number} */ patch) => ({ x: patch % cols, y: Math.floor(patch / cols) });
  const hidden =
    kind === "delete"
      ? patches
      : Array.from({ length: rows * cols }, (_, i) => i).filter((patch) => !chosen.has(patch));
  return html`<div class="brush" tabindex="0" role="application" aria-label=${`Patches of the image, ${patches.length} chosen. Arrows move, space chooses`}
    style=${{ aspectRatio: `${width} / ${height}` }}
    onKeyDown=${keys}
    onBlur=${() => setCursor(-1)}
    onPointerDown=${(/** @type {PointerEvent} */ event) => {
      /** @type {Element} */ (event.currentTarget).setPointerCapture(event.pointerId);
      begin(patchAt(event));
    }}
    onPointerMove=${(/** @type {PointerEvent} */ event) => event.buttons && stroke.current.active && paint(patchAt(event))}
    onPointerUp=${() => (stroke.current.active = false)}
  >
    <img src=${image} alt="" draggable=${false} />
    <svg viewBox=${`0 0 ${cols} ${rows}`} preserveAspectRatio="none" aria-hidden="true">
      <defs><clipPath id="hidden">${hidden.map((patch) => html`<rect key=${patch} ...${at(patch)} width="1" height="1" />`)}</clipPath></defs>
      <image class="reference" href=${reference} width=${cols} height=${rows} preserveAspectRatio="none" clip-path="url(#hidden)" />
      ${patches.map((patch) => html`<rect key=${`c${patch}`} data-patch=${patch} ...${at(patch)} width="1" height="1" class="chosen-patch" />`)}
      ${Array.from({ length: cols - 1 }, (_, i) => html`<line key=${`v${i}`} x1=${i + 1} x2=${i + 1} y1="0" y2=${rows} />`)}
      ${Array.from({ length: rows - 1 }, (_, i) => html`<line key=${`h${i}`} y1=${i + 1} y2=${i + 1} x1="0" x2=${cols} />`)}
      ${cursor >= 0 && html`<rect class="cursor-patch" ...${at(cursor)} width="1" height="1" />`}
    </svg>
  </div>`;
}
