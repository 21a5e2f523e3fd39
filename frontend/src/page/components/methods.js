import { useState } from "preact/hooks";
import { passes } from "../../format.js";
import { html, withCode } from "../../html.js";
import { useGet } from "../hooks.js";
import { OptionForm } from "./form.js";

/**
 * Several methods and their options.
 * @param {{ model: import("../api.js").Model, chosen: string[], options: Record<string, Record<string, unknown>>, limit: number,
 *   onChange: (chosen: string[], options: Record<string, Record<string, unknown>>) => void }} props
 */
export function MethodChoice({ model, chosen, options, limit, onChange }) {
  const [text, setText] = useState("");
  const answer = useGet(`methods?model=${encodeURIComponent(model.id)}`);
  /** @type {import("../api.js").Method[]} */
  const all = answer.data?.methods ?? [];
  const fitting = all.filter((each) => each.fits && !each.wraps);
  const wrappers = all.filter((each) => each.fits && each.wraps);
  const words = text.toLowerCase().trim();
  const shown = fitting.filter((each) => !words || `${each.name} ${each.summary}`.toLowerCase().includes(words));
  const change = (/** @type {string[]} */ next) =>
    onChange(next, Object.fromEntries(Object.entries(options).filter(([name]) => next.includes(name))));
  const toggle = (/** @type {string} */ name) =>
    change(chosen.includes(name) ? chosen.filter((each) => each !== name) : [...chosen, name].slice(-limit));
  const wrap = (/** @type {string} */ name, /** @type {string} */ wrapper) =>
    change(chosen.map((each) => (each === name ? (wrapper ? `${wrapper}:${base(name)}` : base(name)) : each)));
  return html`<div class="field">
    <span class="label">Methods</span>
    ${answer.error && html`<p class="error" role="alert">${answer.error}</p>`}
    <ul class="chosen">
      ${chosen.map(
        (name) =>
          html`<${Chosen} key=${name} name=${name} model=${model} wrappers=${wrappers} values=${options[name] ?? {}}
            onRemove=${() => toggle(name)} onWrap=${(/** @type {string} */ wrapper) => wrap(name, wrapper)}
            onOptions=${(/** @type {any} */ values) => onChange(chosen, { ...options, [name]: values })} />`,
      )}
    </ul>
    <details class="more" open=${!chosen.length}>
      <summary>Add a method (${fitting.length})</summary>
      <input type="text" role="searchbox" aria-label="Find a method" placeholder="Find a method" value=${text} onInput=${(/** @type {any} */ event) => setText(event.currentTarget.value)} />
      <ul class="methods-list">
        ${shown.map(
          (each) =>
            html`<li key=${each.name}>
              <label class="check" title=${each.doc.replaceAll("`", "")}
                ><input type="checkbox" name=${each.name} checked=${chosen.some((name) => base(name) === each.name)} onChange=${() => toggle(chosen.find((name) => base(name) === each.name) ?? each.name)} />
                <span><code>${each.name}</code> ${each.passes !== null && html`<span class="cost" title="Forward and backward passes of a map, measured on a bundled model of this kind">${passes(each.passes)} ${passes(each.passes) === "1" ? "pass" : "passes"}</span>`} <span class="muted">${withCode(each.summary)}</span></span></label
              >
            </li>`,
        )}
        ${!shown.length && all.length > 0 && html`<li class="muted">No method is called that.</li>`}
      </ul>
    </details>
  </div>`;
}

/** The method behind its wrappers. @param {string} name */
const base = (name) => name.split(":").at(-1) ?? name;

/** @param {{ name: string, model: import("../api.js").Model, wrappers: import("../api.js").Method[], values: Record<string, unknown>,
 *   onRemove: () => void, onWrap: (wrapper: string) => void, onOptions: (values: Record<string, unknown>) => void }} props */
function Chosen({ name, model, wrappers, values, onRemove, onWrap, onOptions }) {
  const form = useGet(`methods/${encodeURIComponent(name)}?model=${encodeURIComponent(model.id)}`);
  const changed = Object.keys(values).length;
  const wrapper = name.includes(":") ? name.split(":")[0] : "";
  return html`<li data-method=${name}>
    <details>
      <summary>
        <code>${name}</code> <span class="muted">${changed ? `${changed} ${changed === 1 ? "option" : "options"} changed` : "options"}</span>
      </summary>
      ${form.error && html`<p class="error" role="alert">${form.error}</p>`}
      ${form.data && html`<p class="muted">${withCode(form.data.summary)}</p>`}
      ${
        wrappers.length > 0 &&
        html`<label class="field option"><span class="label">Wrapped in</span>
        <select onChange=${(/** @type {any} */ event) => onWrap(event.currentTarget.value)}>
          <option value="" selected=${!wrapper}>nothing</option>
          ${wrappers.map((each) => html`<option value=${each.name} selected=${each.name === wrapper}>${each.name}</option>`)}
        </select></label>`
      }
      ${form.data && html`<${OptionForm} options=${form.data.options} values=${values} onChange=${onOptions} />`}
    </details>
    <button type="button" class="button small" aria-label=${`Remove ${name}`} onClick=${onRemove}>×</button>
  </li>`;
}
