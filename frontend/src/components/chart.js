import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { html } from "../html.js";
import { percent } from "../format.js";

/**
 * @typedef {object} Series
 * @property {string} name
 * @property {string} color any CSS color
 * @property {number[]} x
 * @property {number[]} y NaN is left out
 * @property {boolean} [strong]
 * @property {boolean} [dashed]
 * @property {boolean} [plain] a line without dots
 */

const MARGIN = { left: 44, right: 22, top: 22, bottom: 34 };

/**
 * Lines through measured points, drawn light since only the dots are measured, and a cursor that can be dragged.
 * @param {{ series: Series[], position?: number, max: number, height?: number, label: string, axis: string,
 *   marker?: { at: number, text: string, good?: boolean } | null, range?: [number, number], formatX?: (x: number) => string,
 *   formatY?: (y: number) => string, ticks?: number[], onScrub?: (position: number) => void }} props
 */
export function Chart(props) {
  const { series, position, max, height = 200, label, axis, marker, range = [0, 1], onScrub, ticks } = props;
  const { formatX = (x) => percent(x / max), formatY = (y) => percent(y) } = props;
  const holder = useRef(/** @type {HTMLDivElement | null} */ (null));
  const width = useWidth(holder);
  const toX = (/** @type {number} */ x) => MARGIN.left + ((width - MARGIN.left - MARGIN.right) * x) / (max || 1);
  const toY = (/** @type {number} */ y) =>
    height - MARGIN.bottom - ((height - MARGIN.top - MARGIN.bottom) * (y - range[0])) / (range[1] - range[0] || 1);
  const still = useMemo(
    () =>
      html`<g>
        ${[0, 0.25, 0.5, 0.75, 1]
          .map((share) => range[0] + share * (range[1] - range[0]))
          .map(
            (y) =>
              html`<line class="grid" x1=${toX(0)} x2=${toX(max)} y1=${toY(y)} y2=${toY(y)} />
                <text class="tick" x=${MARGIN.left - 8} y=${toY(y) + 4} text-anchor="end">${formatY(y)}</text>`,
          )}
        ${(ticks ?? [0, 0.25, 0.5, 0.75, 1].map((share) => share * max)).map(
          (x) =>
            html`<text class="tick" x=${toX(x)} y=${height - MARGIN.bottom + 16} text-anchor="middle"
              >${formatX(x)}</text
            >`,
        )}
        <text class="tick" x=${(toX(0) + toX(max)) / 2} y=${height - 3} text-anchor="middle">${axis}</text>
        ${marker && html`<line class=${`marker ${marker.good ? "good" : ""}`} x1=${toX(marker.at)} x2=${toX(marker.at)} y1=${MARGIN.top} y2=${height - MARGIN.bottom} />`}
        ${series.map((each, i) => html`<${Line} key=${i} series=${each} toX=${toX} toY=${toY} />`)}
        ${
          marker &&
          html`<text
            class=${`marker-text ${marker.good ? "good" : ""}`}
            text-anchor=${marker.at > 0.6 * max ? "end" : "start"}
            x=${toX(marker.at) + (marker.at > 0.6 * max ? -6 : 6)}
            y=${MARGIN.top - 8}
            >${marker.text}</text
          >`
        }
      </g>`,
    [series, width, height, max, range[0], range[1], marker?.at, marker?.text],
  );
  const scrub = (/** @type {any} */ event) => {
    const box = event.currentTarget.getBoundingClientRect();
    const share = (event.clientX - box.left - MARGIN.left) / (width - MARGIN.left - MARGIN.right);
    onScrub?.(Math.min(1, Math.max(0, share)) * max);
  };
  const drag = useDrag(scrub);
  return html`<div class="chart" ref=${holder}>
    <svg width=${width} height=${height} role="img" aria-label=${label} class=${onScrub ? "scrubbable" : ""} ...${onScrub ? drag : {}}>
      ${still}
    </svg>
    ${
      position !== undefined &&
      html`<div
        class="cursor"
        style=${{ transform: `translateX(${toX(position)}px)`, top: `${MARGIN.top - 4}px`, height: `${height - MARGIN.top - MARGIN.bottom + 4}px` }}
      ></div>`
    }
  </div>`;
}

/**
 * Follows a pressed pointer. A finger may be about to scroll the page: it counts once it moves sideways or taps.
 * @param {(event: PointerEvent) => void} follow
 */
function useDrag(follow) {
  const waiting = useRef(/** @type {number | null} */ (null)); // where a finger came down
  return {
    onPointerDown(/** @type {PointerEvent} */ event) {
      /** @type {Element} */ (event.currentTarget).setPointerCapture(event.pointerId);
      waiting.current = event.pointerType === "touch" ? event.clientX : null;
      if (waiting.current === null) follow(event);
    },
    onPointerMove(/** @type {PointerEvent} */ event) {
      if (waiting.current !== null && Math.abs(event.clientX - waiting.current) > 8) waiting.current = null;
      if (event.buttons && waiting.current === null) follow(event);
    },
    onPointerUp(/** @type {PointerEvent} */ event) {
      if (waiting.current !== null) follow(event);
      waiting.current = null;
    },
  };
}

/** @param {{ series: Series, toX: (x: number) => number, toY: (y: number) => number }} props */
function Line({ series, toX, toY }) {
  const points = series.x.map((x, i) => [toX(x), toY(series.y[i])]).filter(([, y]) => Number.isFinite(y));
  const path = points.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(" ");
  return html`<g
    class=${["series", series.strong && "strong", series.dashed && "dashed", series.plain && "plain"].filter(Boolean).join(" ")}
    style=${{ color: series.color }}
  >
    <title>${series.name}</title>
    <polyline points=${path} />
    ${!series.plain && points.map(([x, y]) => html`<circle cx=${x.toFixed(1)} cy=${y.toFixed(1)} r=${series.strong ? 3.2 : 1.8} />`)}
  </g>`;
}

/**
 * The width that is there, followed as it changes.
 * @param {{ current: HTMLElement | null }} holder
 */
function useWidth(holder) {
  const [width, setWidth] = useState(480);
  useLayoutEffect(() => {
    const element = /** @type {HTMLElement} */ (holder.current);
    const update = () => setWidth(Math.max(200, Math.round(element.clientWidth)));
    const observer = new ResizeObserver(update);
    observer.observe(element);
    update();
    return () => observer.disconnect();
  }, []);
  return width;
}
