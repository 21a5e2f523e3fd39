import { useState } from "preact/hooks";
import { html } from "../html.js";

/**
 * A choice among a few, as a row of buttons.
 * @param {{ label: string, value: string, options: [string, string][], onChange: (value: any) => void }} props
 */
export function Segmented({ label, value, options, onChange }) {
  return html`<div class="field">
    <span class="label">${label}</span>
    <div class="segmented" role="group" aria-label=${label}>
      ${options.map(
        ([name, text]) =>
          html`<button type="button" key=${name} aria-pressed=${name === value} onClick=${() => onChange(name)}>
            ${text}
          </button>`,
      )}
    </div>
  </div>`;
}

/**
 * @param {{ label: string, value: number, min: number, max: number, step: number, text: string, name?: string,
 *   onInput: (value: number) => void, ends?: [any, any] }} props
 */
export function Slider({ label, value, min, max, step, text, name, onInput, ends }) {
  const filled = `${(100 * (value - min)) / (max - min || 1)}%`;
  return html`<label class="field slider">
    <span class="label">${label} <output>${text}</output></span>
    <input
      type="range"
      data-name=${name}
      min=${min}
      max=${max}
      step=${step}
      value=${value}
      aria-valuetext=${text}
      style=${{ "--filled": filled }}
      onInput=${(/** @type {any} */ event) => onInput(Number(event.currentTarget.value))}
    />
    ${ends && html`<span class="ends"><span>${ends[0]}</span><span>${ends[1]}</span></span>`}
  </label>`;
}

/** @param {{ label: string, checked: boolean, onChange: (checked: boolean) => void }} props */
export function Check({ label, checked, onChange }) {
  return html`<label class="check">
    <input
      type="checkbox"
      checked=${checked}
      onChange=${(/** @type {any} */ event) => onChange(event.currentTarget.checked)}
    />
    ${label}
  </label>`;
}

/**
 * @param {{ label: string, value: number, options: [number, string][], onChange: (value: number) => void }} props
 */
export function Select({ label, value, options, onChange }) {
  return html`<label class="field">
    <span class="label">${label}</span>
    <select value=${value} onChange=${(/** @type {any} */ event) => onChange(Number(event.currentTarget.value))}>
      ${options.map(([key, text]) => html`<option key=${key} value=${key} selected=${key === value}>${text}</option>`)}
    </select>
  </label>`;
}

/** @param {{ text: string, label: string }} props */
export function CopyButton({ text, label }) {
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    if (!(await copyText(text))) return;
    setCopied(true);
    setTimeout(() => setCopied(false), 1500);
  };
  return html`<button type="button" class="button" onClick=${copy} aria-live="polite">
    ${copied ? "Copied" : label}
  </button>`;
}

/** A text that is made here, as a file. @param {{ name: string, label: string, make: () => string }} props */
export function DownloadButton({ name, label, make }) {
  const save = () => {
    const address = URL.createObjectURL(new Blob([make()]));
    Object.assign(document.createElement("a"), { href: address, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(address), 1000);
  };
  return html`<button type="button" class="button" onClick=${save}>${label}</button>`;
}

/** @param {string} text */
async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = Object.assign(document.createElement("textarea"), { value: text });
    document.body.append(area);
    area.select();
    const done = document.execCommand("copy"); // where the clipboard's interface is refused, as in some iframes
    area.remove();
    return done;
  }
}
