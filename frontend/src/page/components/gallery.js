import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { decimal, probability } from "../../format.js";
import { html } from "../../html.js";
import { get } from "../api.js";

/** @typedef {import("../screens/data.js").Item} Item */

const PAGE = 200; // images per request
const CELL = { width: 132, height: 178 }; // pixels
const BEYOND = 2; // rows drawn above and below the window

/**
 * Thousands of images in a window: only the rows in sight exist, and only their pages are asked for.
 * @param {{ filter: string, again: unknown, name: (index: number | null) => string, selected: Set<string>,
 *   onSelect: (change: (before: Set<string>) => Set<string>) => void, onOpen: (item: Item) => void, onTotal: (total: number) => void }} props
 */
export function Gallery({ filter, again, name, selected, onSelect, onOpen, onTotal }) {
  const frame = useRef(/** @type {HTMLDivElement | null} */ (null));
  const { total, items, error, want } = usePages(filter, again, onTotal);
  const { columns, first, last } = useWindow(frame, total);
  const [focus, setFocus] = useState(0);
  useEffect(() => want(first, last), [first, last, total, again]);
  const toggle = (/** @type {Item} */ item) =>
    onSelect((before) => {
      const next = new Set(before);
      if (!next.delete(item.id)) next.add(item.id);
      return next;
    });
  const latest = useRef(onOpen); // cells that did not change keep what they were given first
  latest.current = onOpen;
  const open = useCallback((/** @type {Item} */ item) => latest.current(item), []);
  const keys = (/** @type {KeyboardEvent} */ event) => {
    const step = {
      ArrowLeft: -1,
      ArrowRight: 1,
      ArrowUp: -columns,
      ArrowDown: columns,
      PageDown: 4 * columns,
      PageUp: -4 * columns,
    }[event.key];
    const item = items.get(focus);
    if (step !== undefined)
      reveal(
        /** @type {HTMLElement} */ (frame.current),
        setFocus(Math.min(total - 1, Math.max(0, focus + step))) ??
          Math.floor(Math.min(total - 1, Math.max(0, focus + step)) / columns),
      );
    else if (event.key === "Enter" && item) onOpen(item);
    else if (event.key === " " && item) toggle(item);
    else return;
    event.preventDefault();
  };
  const numbers = Array.from({ length: Math.max(0, last - first) }, (_, i) => first + i);
  return html`${error && html`<p class="error" role="alert">${error}</p>`}
    <div class="gallery" ref=${frame} style=${{ maxHeight: total > 0 ? `${Math.ceil(total / columns) * CELL.height + 2}px` : null }} tabindex="0" role="grid" aria-label="Images. Arrows move, Enter opens, space selects" aria-rowcount=${Math.ceil(total / columns)} onKeyDown=${keys}>
      <div style=${{ height: `${Math.ceil(total / columns) * CELL.height}px` }}>
        ${numbers.map(
          (n) =>
            html`<${Cell} key=${n} n=${n} item=${items.get(n)} x=${100 * ((n % columns) / columns)} y=${Math.floor(n / columns) * CELL.height} share=${100 / columns}
              name=${name} focused=${n === focus} selected=${selected.has(items.get(n)?.id ?? "")} onOpen=${open} onToggle=${toggle} />`,
        )}
      </div>
      ${total === 0 && html`<p class="muted">No image matches.</p>`}
    </div>`;
}

/** @param {HTMLElement} frame @param {number} row */
function reveal(frame, row) {
  const top = row * CELL.height;
  if (top < frame.scrollTop) frame.scrollTop = top;
  else if (top + CELL.height > frame.scrollTop + frame.clientHeight)
    frame.scrollTop = top + CELL.height - frame.clientHeight;
}

/** @param {{ n: number, item: Item | undefined, x: number, y: number, share: number, name: (index: number | null) => string, focused: boolean,
 *   selected: boolean, onOpen: (item: Item) => void, onToggle: (item: Item) => void }} props */
function Cell({ n, item, x, y, share, name, focused, selected, onOpen, onToggle }) {
  return useMemo(() => {
    const place = { left: `${x}%`, width: `${share}%`, transform: `translateY(${y}px)` };
    if (!item) return html`<div class="cell" style=${place}><span class="blank"></span></div>`;
    const facts = [
      item.ins_del === null ? "" : decimal(item.ins_del, 2),
      item.disagreement === null ? "" : `≠${decimal(item.disagreement, 2)}`,
    ]
      .filter(Boolean)
      .join(" ");
    return html`<div class=${`cell ${focused ? "focused" : ""} ${item.wrong ? "wrong" : ""}`} role="gridcell" aria-selected=${selected} data-number=${n} data-image=${item.id} style=${place}>
      <button type="button" tabindex="-1" class="open" title=${item.name} onClick=${() => onOpen(item)}>${item.unreadable ? html`<span class="blank"></span>` : html`<img src=${`api/v1/images/${item.id}/thumbnail`} alt=${item.name} decoding="async" />`}</button>
      <input type="checkbox" tabindex="-1" aria-label=${`Select ${item.name}`} checked=${selected} onChange=${() => onToggle(item)} />
      <span class="says" title=${item.label === null ? item.name : `${item.name}: ${name(item.label)}`}><b>${item.unreadable ? "cannot be read" : item.prediction === null ? "…" : name(item.prediction)}</b> <i>${item.confidence !== null && probability(item.confidence)}</i></span>
      <span class="muted says">${item.wrong && html`<span class="was">is ${name(item.label)}</span>`}<span class="was file-name"><bdi>${item.wrong ? item.name.split("/").at(-1) : item.name}</bdi></span> <i title="insertion − deletion; ≠ how much the methods disagree, from 0 to 2">${facts}</i></span>
    </div>`;
  }, [item, x, y, share, focused, selected, name(item?.prediction ?? null)]);
}

/** Which images are in sight. @param {{ current: HTMLDivElement | null }} frame @param {number} total */
function useWindow(frame, total) {
  const [sight, setSight] = useState({ columns: 1, first: 0, last: 0 });
  useLayoutEffect(() => {
    const element = /** @type {HTMLDivElement} */ (frame.current);
    const update = () => {
      const columns = Math.max(2, Math.floor(element.clientWidth / CELL.width));
      const top = Math.max(0, Math.floor(element.scrollTop / CELL.height) - BEYOND);
      const bottom = Math.ceil((element.scrollTop + element.clientHeight) / CELL.height) + BEYOND;
      const next = { columns, first: top * columns, last: Math.min(total, bottom * columns) };
      setSight((before) => (JSON.stringify(before) === JSON.stringify(next) ? before : next));
    };
    const observer = new ResizeObserver(update);
    observer.observe(element);
    element.addEventListener("scroll", update, { passive: true });
    update();
    return () => {
      observer.disconnect();
      element.removeEventListener("scroll", update);
    };
  }, [total]);
  return sight;
}

/**
 * Pages of the filtered list, asked for when they come into sight and again when something changed.
 * @param {string} filter
 * @param {unknown} again
 * @param {(total: number) => void} onTotal
 */
function usePages(filter, again, onTotal) {
  const [state, setState] = useState({ total: -1, items: /** @type {Map<number, Item>} */ (new Map()), error: "" });
  const asked = useRef(/** @type {Set<number>} */ (new Set()));
  const ask = async (/** @type {number} */ page) => {
    if (asked.current.has(page)) return;
    asked.current.add(page);
    try {
      const found = await get(`dataset/images?${filter ? `${filter}&` : ""}offset=${page * PAGE}&limit=${PAGE}`);
      setState(({ items }) => {
        const next = new Map(items);
        found.items.forEach((/** @type {Item} */ item, /** @type {number} */ i) => next.set(page * PAGE + i, item));
        return { total: found.total, items: next, error: "" };
      });
      onTotal(found.total);
    } catch (problem) {
      asked.current.delete(page);
      setState((before) => ({ ...before, error: /** @type {Error} */ (problem).message }));
    }
  };
  useEffect(() => {
    asked.current = new Set();
    ask(0);
  }, [again]);
  const want = (/** @type {number} */ first, /** @type {number} */ last) => {
    for (let page = Math.floor(first / PAGE); page * PAGE < last; page++) ask(page);
  };
  return { ...state, want };
}
