import { useState } from "preact/hooks";
import { html } from "../../html.js";

/**
 * A button that starts a job: once for a double click, and not again while the server has not answered.
 * @param {{ name: string, primary?: boolean, disabled?: boolean, onStart: () => Promise<unknown>, children?: any }} props
 */
export function StartButton({ name, primary, disabled, onStart, children }) {
  const [sending, setSending] = useState(false);
  const click = async (/** @type {MouseEvent} */ event) => {
    if (event.detail > 1) return;
    setSending(true);
    await onStart();
    setSending(false);
  };
  return html`<button type="button" class=${`button ${primary ? "primary" : ""}`} data-name=${name} disabled=${disabled || sending} onClick=${click}>${children}</button>`;
}
