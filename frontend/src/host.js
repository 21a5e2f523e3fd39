/**
 * One point of a curve that has not been measured.
 * @typedef {{ image: number, method: number, class: number, direction: import("./bundle.js").Direction, reference: string, count: number }} Question
 * @typedef {{ probabilities: number[], top1: number, top1_probability: number }} Answer probabilities: of the watched classes; null where it failed
 */

/** What a page with a model behind it provides; a file alone has nothing. */
export const host = { measure: /** @type {((question: Question) => Promise<Answer | null>) | null} */ (null) };
