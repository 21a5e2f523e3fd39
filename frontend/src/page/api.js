// Requests to the server that the page came from; addresses are relative, since the page may lie under a prefix.

/** A refused request, in the server's words. */
export class ApiError extends Error {
  /**
   * @param {string} message
   * @param {number} status 0 where there was no response
   * @param {string} code
   */
  constructor(message, status, code) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/**
 * @param {string} method
 * @param {string} path
 * @param {{ body?: BodyInit, type?: string }} [content]
 */
async function request(method, path, { body, type } = {}) {
  const headers = type ? { "Content-Type": type } : undefined;
  const response = await fetch(path ? `api/v1/${path}` : "api/v1", { method, body, headers }).catch(() => {
    throw new ApiError("The server does not answer. Is `seewhy ui` still running?", 0, "no_response");
  });
  if (response.ok) return response;
  const error = (await response.json().catch(() => null))?.error;
  throw new ApiError(error?.message ?? `The server answered ${response.status}.`, response.status, error?.code ?? "");
}

/** @param {string} path @returns {Promise<any>} */
export const get = async (path) => (await request("GET", path)).json();

/** @param {string} path */
export const getBytes = async (path) => (await request("GET", path)).arrayBuffer();

/** @param {string} path @param {unknown} body @returns {Promise<any>} */
export const post = async (path, body) =>
  (await request("POST", path, { body: JSON.stringify(body), type: "application/json" })).json();

/** @param {string} path @returns {Promise<any>} */
export const remove = async (path) => (await request("DELETE", path)).json();

/** @param {File} file @returns {Promise<Picture>} */
export async function upload(file) {
  const type = file.type.startsWith("image/") ? file.type : "application/octet-stream";
  return (await request("POST", `images?${query({ name: file.name || "pasted image" })}`, { body: file, type })).json();
}

/** Empty, null and undefined values are left out. @param {Record<string, unknown>} values */
export const query = (values) =>
  new URLSearchParams(
    Object.entries(values)
      .filter(([, value]) => value !== "" && value !== null && value !== undefined)
      .map(([name, value]) => [name, String(value)]),
  ).toString();

/**
 * @typedef {{ id: string, name: string, width: number, height: number }} Picture
 * @typedef {{ id: string, name: string, image_size: [number, number], grid: [number, number], classes: number, named: boolean,
 *   default_method: string, can_patch: boolean, blocks: number | null }} Model
 * @typedef {{ index: number, name: string }} ClassName
 * @typedef {ClassName & { probability: number }} ClassProbability
 * @typedef {{ prediction: number, classes: ClassProbability[] }} Prediction
 * @typedef {{ type: string, minimum?: number, maximum?: number, above?: number, odd?: boolean, choices?: (string | number)[],
 *   items?: Kind[], length?: number | null }} Kind
 * @typedef {{ name: string, default: unknown, words: string, doc: string, kinds: Kind[] }} Option
 * @typedef {{ name: string, wraps: boolean, fits: boolean, class_agnostic: boolean, summary: string, doc: string, passes: number | null,
 *   options: Option[] }} Method
 * @typedef {{ id: string, kind: string, state: "queued" | "running" | "done" | "failed" | "cancelled", position: number,
 *   progress: number, seconds: number, seconds_left: number | null, stage: string, title: string, error: string | null, result: string | null,
 *   answer: any, entries: number, stoppable: boolean, request: any }} Job
 * @typedef {{ job: string, method: string, target: number, step: number, steps: number, objective: number | null, best: number | null,
 *   map: { rows: number, cols: number, data: string } }} Step
 */
