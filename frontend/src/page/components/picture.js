import { useRef } from "preact/hooks";
import { html } from "../../html.js";
import { useGet } from "../hooks.js";

/** Where an image is dropped, pasted or picked, and the recent ones. @param {import("../page.js").Context} props */
function ImagePicker({ add, go, about }) {
  const input = useRef(/** @type {HTMLInputElement | null} */ (null));
  const recent = useGet("images").data?.images ?? [];
  const { upload_bytes: bytes, megapixels } = about.limits;
  return html`<div class="picker">
    <button type="button" class="drop" onClick=${() => input.current?.click()}>
      <b>Drop an image, paste one, or click to pick a file</b>
      <span class="muted">${about.formats.join(", ")}, up to ${bytes / 1e6} MB and ${megapixels} megapixels. It stays on this machine.</span>
    </button>
    <input
      ref=${input}
      type="file"
      accept="image/*"
      multiple
      hidden
      aria-label="Image file"
      onChange=${(/** @type {any} */ event) => (add([...event.currentTarget.files]), (event.currentTarget.value = ""))}
    />
    ${
      about.dataset
        ? html`<p><button type="button" class="button" onClick=${() => go({ page: "data" })}>Or choose one of the data set</button></p>`
        : html`<p class="muted">To choose among the images of a folder, start the page with <code>--folder</code>.</p>`
    }
    ${
      recent.length > 0 &&
      html`<div class="field">
        <span class="label">Recent images</span>
        <div class="strip">
          ${recent.map(
            (/** @type {import("../api.js").Picture} */ image) =>
              html`<button type="button" key=${image.id} title=${image.name} onClick=${() => go({ image: image.id, targets: "", result: "", patches: "", flip: "" })}>
                <img src=${`api/v1/images/${image.id}/thumbnail`} alt="" /><span class="name"><b>${image.name}</b></span>
              </button>`,
          )}
        </div>
      </div>`
    }
  </div>`;
}

/**
 * A screen about the chosen image; without one, or where it is gone, a way to choose it.
 * @param {{ context: import("../page.js").Context, title: string, text: string, board: any }} props
 */
export function WithImage({ context, title, text, board }) {
  const { state, model, live, go } = context;
  const image = useGet(state.image ? `images/${state.image}` : null, live.connections);
  if (state.image && !image.error)
    return html`<${ImageBar} id=${state.image} image=${image.data} go=${go} /><${board} key=${state.image + model.id} ...${context} />`;
  return html`<header class="intro">
      <h1>${title}</h1>
      <p>${text}</p>
      ${image.error && html`<p class="error" role="alert">This image cannot be shown: ${image.error}.</p>`}
    </header>
    <${ImagePicker} ...${context} />`;
}

/** @param {{ id: string, image: import("../api.js").Picture | null, go: import("../page.js").Context["go"] }} props */
function ImageBar({ id, image, go }) {
  return html`<p class="imagebar">
    ${image && html`<img src=${`api/v1/images/${id}/thumbnail`} alt="" /> <b>${image.name}</b> <span class="muted">${image.width} × ${image.height}</span>`}
    <button type="button" class="button" onClick=${() => go({ image: "", result: "", targets: "", patches: "", flip: "" })}>Another image</button>
  </p>`;
}

/** What the model says about the image. @param {string} image @param {string} model @param {number} [top] */
export const usePrediction = (image, model, top = 5) =>
  useGet(image ? `images/${image}/prediction?model=${encodeURIComponent(model)}&top=${top}` : null);

/** The first synonym of a class name. @param {string} name */
export const shortName = (name) => name.split(",")[0];
