import { useState } from "preact/hooks";
import { probability } from "../../format.js";
import { html } from "../../html.js";
import { query } from "../api.js";
import { useGet, useSettled } from "../hooks.js";
import { shortName } from "./picture.js";

/**
 * The classes to explain: those that the model finds likely, and any other by its name.
 * @param {{ model: import("../api.js").Model, prediction: import("../api.js").Prediction | null, chosen: number[], limit: number,
 *   onChange: (chosen: number[]) => void }} props
 */
export function ClassChoice({ model, prediction, chosen, limit, onChange }) {
  const [text, setText] = useState("");
  const wanted = useSettled(text.trim());
  const path = `models/${encodeURIComponent(model.id)}/classes?`;
  const found = useGet(wanted ? `${path}${query({ q: wanted, limit: 8 })}` : null);
  const [names, setNames] = useState(/** @type {Record<number, string>} */ ({}));
  const likely = prediction?.classes ?? [];
  const usual = likely.slice(0, 2).map((each) => each.index); // what the server takes if none is chosen
  const explained = chosen.length ? chosen : usual;
  const others = chosen.filter((index) => !likely.some((each) => each.index === index));
  const toggle = (/** @type {number} */ index) =>
    onChange(
      explained.includes(index) ? explained.filter((each) => each !== index) : [...explained, index].slice(-limit),
    );
  const add = (/** @type {import("../api.js").ClassName} */ each) => {
    setNames({ ...names, [each.index]: each.name });
    setText("");
    if (!explained.includes(each.index)) toggle(each.index);
  };
  return html`<div class="field">
    <span class="label">${limit === 1 ? "Class" : "Classes"} to explain${!chosen.length && ": the two likeliest"}</span>
    <div class="chips" role="group" aria-label="Classes to explain">
      ${likely.map((each) => html`<${Chip} name=${shortName(each.name)} note=${probability(each.probability)} pressed=${explained.includes(each.index)} onClick=${() => toggle(each.index)} />`)}
      ${others.map((index) => html`<${Named} key=${index} path=${path} index=${index} known=${names[index]} onClick=${() => toggle(index)} />`)}
    </div>
    <div class="search">
      <input type="text" role="searchbox" aria-label="Find a class" placeholder=${model.named ? "Find a class by name" : "Find a class by index"} value=${text}
        onInput=${(/** @type {any} */ event) => setText(event.currentTarget.value)}
        onKeyDown=${(/** @type {KeyboardEvent} */ event) => event.key === "Enter" && found.data?.classes[0] && add(found.data.classes[0])} />
      ${
        text.trim() &&
        found.data &&
        html`<ul class="found" aria-label="Classes found">
        ${found.data.classes.map((/** @type {any} */ each) => html`<li key=${each.index}><button type="button" onClick=${() => add(each)}>${each.name} <span class="muted">${each.index}</span></button></li>`)}
        ${!found.data.total && html`<li class="muted">No class is called that.</li>`}
      </ul>`
      }
    </div>
  </div>`;
}

/** A class outside the likely ones, whose name may have to be asked for. @param {{ path: string, index: number, known?: string, onClick: () => void }} props */
function Named({ path, index, known, onClick }) {
  const found = useGet(known ? null : `${path}q=${index}&limit=1`).data?.classes[0]?.name;
  return html`<${Chip} name=${shortName(known ?? found ?? `class ${index}`)} pressed=${true} onClick=${onClick} />`;
}

/** @param {{ name: string, note?: string, pressed: boolean, onClick: () => void }} props */
export function Chip({ name, note, pressed, onClick }) {
  return html`<button type="button" class="chip" aria-pressed=${pressed} onClick=${onClick}>
    ${name}${note && html` <span>${note}</span>`}
  </button>`;
}
