import { useLayoutEffect, useRef } from "preact/hooks";
import { html } from "../html.js";

/** @typedef {(out: Uint32Array) => void} Draw */
/** @typedef {{ zoom: number, x: number, y: number }} View x, y: offset of the image in shares of its frame */

/**
 * A canvas with one pixel per pixel of the image; drawn again whenever `deps` change.
 * @param {{ width: number, height: number, draw: Draw, deps: unknown[], label?: string, name?: string, opacity?: number }} props
 */
export function PixelCanvas({ width, height, draw, deps, label, name, opacity }) {
  const canvas = useRef(/** @type {HTMLCanvasElement | null} */ (null));
  const buffer = useRef(/** @type {ImageData | null} */ (null));
  useLayoutEffect(() => {
    const context = /** @type {HTMLCanvasElement} */ (canvas.current).getContext("2d", { willReadFrequently: true });
    if (buffer.current?.width !== width || buffer.current.height !== height)
      buffer.current = new ImageData(width, height);
    draw(new Uint32Array(buffer.current.data.buffer));
    /** @type {CanvasRenderingContext2D} */ (context).putImageData(buffer.current, 0, 0);
  }, [width, height, ...deps]);
  const described = label ? { role: "img", "aria-label": label } : { "aria-hidden": true };
  return html`<canvas
    ref=${canvas}
    width=${width}
    height=${height}
    data-name=${name}
    style=${{ opacity }}
    ...${described}
  />`;
}

/**
 * An image with a caption, zoomed and panned together with all others that share the view.
 * @param {{ title: any, note?: any, width: number, height: number, view: View, onView: (view: View) => void,
 *   children: any, action?: any }} props
 */
export function Panel({ title, note, width, height, view, onView, children, action }) {
  const { zoom, x, y } = view;
  const gestures = useGestures(view, onView);
  return html`<figure class="panel">
    <figcaption>
      <span class="title">${title}</span>${note !== undefined && html`<span class="note">${note}</span>`}${action}
    </figcaption>
    <div
      class=${`frame ${zoom > 1 ? "zoomed" : ""}`}
      tabindex="0"
      role="group"
      aria-label="Image. Plus and minus zoom, arrows pan, zero resets"
      style=${{ aspectRatio: `${width} / ${height}` }}
      ...${gestures}
    >
      <div
        class=${`layers ${zoom > 2 ? "sharp" : ""}`}
        style=${{ transform: `translate(${100 * x}%, ${100 * y}%) scale(${zoom})` }}
      >
        ${children}
      </div>
    </div>
  </figure>`;
}

/**
 * Zoom towards a point of the frame, given in shares of it; the image always covers the frame.
 * @param {View} view
 * @param {number} zoom
 * @param {number} [atX]
 * @param {number} [atY]
 * @returns {View}
 */
export function zoomAt(view, zoom, atX = 0.5, atY = 0.5) {
  const next = Math.min(16, Math.max(1, zoom));
  const ratio = next / view.zoom;
  return covered({ zoom: next, x: atX - (atX - view.x) * ratio, y: atY - (atY - view.y) * ratio });
}

/**
 * @param {View} view
 * @returns {View}
 */
export function covered({ zoom, x, y }) {
  const limit = (/** @type {number} */ offset) => Number(Math.min(0, Math.max(1 - zoom, offset)).toFixed(4)) || 0;
  return { zoom: Number(zoom.toFixed(3)), x: limit(x), y: limit(y) };
}

/**
 * Drag to pan, pinch or ctrl and wheel to zoom, double click, keys.
 * @param {View} view
 * @param {(view: View) => void} onView
 */
function useGestures(view, onView) {
  const pointers = useRef(/** @type {Map<number, { x: number, y: number }>} */ (new Map()));
  const now = useRef(view);
  now.current = view;
  const place = (/** @type {any} */ event) => {
    const box = event.currentTarget.getBoundingClientRect();
    return { x: (event.clientX - box.left) / box.width, y: (event.clientY - box.top) / box.height };
  };
  return {
    onPointerDown(/** @type {PointerEvent} */ event) {
      pointers.current.set(event.pointerId, place(event));
      if (now.current.zoom > 1) /** @type {Element} */ (event.currentTarget).setPointerCapture(event.pointerId);
    },
    onPointerMove(/** @type {PointerEvent} */ event) {
      if (!event.buttons) pointers.current.delete(event.pointerId); // released outside
      const before = pointers.current.get(event.pointerId);
      if (!before) return;
      const point = place(event);
      const other = [...pointers.current].find(([id]) => id !== event.pointerId)?.[1];
      pointers.current.set(event.pointerId, point);
      if (other) {
        const spread = (/** @type {{ x: number, y: number }} */ p) => Math.hypot(p.x - other.x, p.y - other.y) || 1e-3;
        const middle = { x: (point.x + other.x) / 2, y: (point.y + other.y) / 2 };
        onView(zoomAt(now.current, (now.current.zoom * spread(point)) / spread(before), middle.x, middle.y));
      } else if (now.current.zoom > 1) {
        onView(
          covered({
            zoom: now.current.zoom,
            x: now.current.x + point.x - before.x,
            y: now.current.y + point.y - before.y,
          }),
        );
      }
    },
    onPointerUp: (/** @type {PointerEvent} */ event) => pointers.current.delete(event.pointerId),
    onPointerCancel: (/** @type {PointerEvent} */ event) => pointers.current.delete(event.pointerId),
    onDblClick(/** @type {MouseEvent} */ event) {
      const { x, y } = place(event);
      onView(now.current.zoom > 1 ? { zoom: 1, x: 0, y: 0 } : zoomAt(now.current, 3, x, y));
    },
    onWheel(/** @type {WheelEvent} */ event) {
      if (!event.ctrlKey && !event.metaKey) return; // the wheel alone scrolls the page
      event.preventDefault();
      const { x, y } = place(event);
      onView(zoomAt(now.current, now.current.zoom * Math.exp(-event.deltaY / 200), x, y));
    },
    onKeyDown(/** @type {KeyboardEvent} */ event) {
      const { zoom, x, y } = now.current;
      const moved = { ArrowLeft: [0.1, 0], ArrowRight: [-0.1, 0], ArrowUp: [0, 0.1], ArrowDown: [0, -0.1] }[event.key];
      if (event.key === "+" || event.key === "=") onView(zoomAt(now.current, zoom * 1.5));
      else if (event.key === "-") onView(zoomAt(now.current, zoom / 1.5));
      else if (event.key === "0") onView({ zoom: 1, x: 0, y: 0 });
      else if (moved && zoom > 1) onView(covered({ zoom, x: x + moved[0], y: y + moved[1] }));
      else return;
      event.preventDefault();
    },
  };
}
