import { useState } from "preact/hooks";
import { html, withCode } from "../../html.js";

/** @typedef {import("../api.js").Option} Option */
/** @typedef {import("../api.js").Kind} Kind */

/**
 * A form for the options of a method, derived from its signature; only what differs from the defaults is kept.
 * @param {{ options: Option[], values: Record<string, unknown>, onChange: (values: Record<string, unknown>) => void }} props
 */
export function OptionForm({ options, values, onChange }) {
  if (!options.length) return html`<p class="muted">No options.</p>`;
  const change = (/** @type {Option} */ option, /** @type {unknown} */ value) => {
    const { [option.name]: _, ...others } = values;
    onChange(same(value, option.default) ? others : { ...others, [option.name]: value });
  };
  return html`<div class="form">
    ${options.map(
      (option) =>
        html`<${Field} key=${option.name} option=${option} value=${option.name in values ? values[option.name] : option.default}
          onChange=${(/** @type {unknown} */ value) => change(option, value)} />`,
    )}
  </div>`;
}

/** @param {{ option: Option, value: unknown, onChange: (value: unknown) => void }} props */
function Field({ option, value, onChange }) {
  const hint = option.doc || option.words;
  const only = option.kinds.length === 1 ? option.kinds[0] : null;
  return html`<label class="field option" title=${hint.replaceAll("`", "")}>
    <span class="label">${option.name}</span>
    ${
      only?.type === "boolean"
        ? html`<input type="checkbox" checked=${value === true} onChange=${(/** @type {any} */ event) => onChange(event.currentTarget.checked)} />`
        : only?.type === "choice"
          ? html`<select onChange=${(/** @type {any} */ event) => onChange(JSON.parse(event.currentTarget.value))}>
              ${only.choices?.map((choice) => html`<option value=${JSON.stringify(choice)} selected=${choice === value}>${choice}</option>`)}
            </select>`
          : html`<${TextField} option=${option} value=${value} onChange=${onChange} />`
    }
    <span class="hint muted">${option.words}${option.doc && option.doc !== option.words && html`. ${withCode(option.doc)}`}</span>
  </label>`;
}

/** Any other kind is written as text. @param {{ option: Option, value: unknown, onChange: (value: unknown) => void }} props */
function TextField({ option, value, onChange }) {
  const [wrong, setWrong] = useState(false);
  const read = (/** @type {any} */ event) => {
    const found = parseOption(event.currentTarget.value, option.kinds);
    setWrong(found === undefined);
    if (found !== undefined) onChange(found);
  };
  return html`<input type="text" value=${formatOption(value)} aria-invalid=${wrong} onChange=${read} />
    ${wrong && html`<span class="error" role="alert">Expected ${option.words}.</span>`}`;
}

/** @param {unknown} value @returns {string} */
export const formatOption = (value) =>
  value === null ? "none" : Array.isArray(value) ? value.map(formatOption).join(", ") : String(value);

/**
 * The value that a text stands for in one of the kinds; undefined if in none.
 * @param {string} text
 * @param {Kind[]} kinds
 * @returns {unknown}
 */
export function parseOption(text, kinds) {
  for (const kind of kinds) {
    const value = parseKind(text.trim(), kind);
    if (value !== undefined) return value;
  }
  return undefined;
}

/** @param {string} text @param {Kind} kind @returns {unknown} */
function parseKind(text, kind) {
  if (kind.type === "null") return /^(none|null|)$/i.test(text) ? null : undefined;
  if (kind.type === "boolean") return { true: true, false: false }[text.toLowerCase()];
  if (kind.type === "choice") return kind.choices?.find((choice) => String(choice) === text);
  if (kind.type === "integer" || kind.type === "number") return parseNumber(text, kind);
  if (kind.type === "color") return parseList(text, [{ type: "number", minimum: 0, maximum: 1 }], 3);
  if (kind.type === "list") return parseList(text, kind.items ?? [], kind.length ?? null);
  return text && /^[\w.:,\- ]{1,64}$/.test(text) && text !== "none" ? text : undefined;
}

/** @param {string} text @param {Kind} kind */
function parseNumber(text, { type, minimum = -Infinity, maximum = Infinity, above = -Infinity, odd }) {
  const value = Number(text);
  const fits = text !== "" && Number.isFinite(value) && value >= minimum && value <= maximum && value > above;
  return fits && (type === "number" || Number.isInteger(value)) && (!odd || value % 2 === 1) ? value : undefined;
}

/** @param {string} text @param {Kind[]} items @param {number | null} length */
function parseList(text, items, length) {
  const values = text
    .split(",")
    .filter((part) => part.trim())
    .map((part) => parseOption(part, items));
  const fits = values.length > 0 && !values.includes(undefined) && (length === null || values.length === length);
  return fits ? values : undefined;
}

/** @param {unknown} a @param {unknown} b */
const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);
