import { useRef } from "preact/hooks";
import { html } from "../../html.js";
import { useGet } from "../hooks.js";

/** Where an image is dropped, pasted or picked, and the recent ones. @param {import("../page.js").Context} props */
export function ImagePicker({ add, go, about, problem }) {
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
      hidden
      aria-label="Image file"
      onChange=${(/** @type {any} */ event) => (add([...event.currentTarget.files]), (event.currentTarget.value = ""))}
    />
    ${problem && html`<p class="error" role="alert">${problem}</p>`}
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

/** The chosen image, and a way to another one. @param {import("../page.js").Context} props */
export function ImageBar({ state, go, problem }) {
  const image = useGet(`images/${state.image}`);
  return html`<p class="imagebar">
    ${image.data && html`<img src=${`api/v1/images/${state.image}/thumbnail`} alt="" /> <b>${image.data.name}</b> <span class="muted">${image.data.width} × ${image.data.height}</span>`}
    ${(problem || image.error) && html`<span class="error" role="alert">${problem || image.error}</span>`}
    <button type="button" class="button" onClick=${() => go({ image: "", result: "", targets: "", patches: "", flip: "" })}>Another image</button>
  </p>`;
}

/** What the model says about the image. @param {string} image @param {string} model @param {number} [top] */
export const usePrediction = (image, model, top = 5) =>
  useGet(image ? `images/${image}/prediction?model=${encodeURIComponent(model)}&top=${top}` : null);

/** The first synonym of a class name. @param {string} name */
export const shortName = (name) => name.split(",")[0];
