import htm from "htm";
import { h } from "preact";

/** Templates instead of JSX. @type {(strings: TemplateStringsArray, ...values: any[]) => any} */
export const html = htm.bind(h);
