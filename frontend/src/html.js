import htm from "htm";
import { h } from "preact";

/** Templates instead of JSX. @type {(strings: TemplateStringsArray, ...values: any[]) => any} */
export const html = htm.bind(h);

/** Text whose parts between backticks are code. @param {string} text */
export const withCode = (text) => text.split("`").map((part, index) => (index % 2 ? html`<code>${part}</code>` : part));
