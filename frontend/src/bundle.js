// The data of one image, decoded: see src/seewhy/explorer/bundle.py for its layout.

import { correctedRanks, withPoint } from "./ops/curves.js";
import { heatmap } from "./ops/heat.js";
import { readSafetensors } from "./safetensors.js";

/** @typedef {import("./safetensors.js").Tensor} Tensor */
/** @typedef {"deletion" | "insertion"} Direction */
/** @typedef {{ metric: string, reference: string, target: number, score: number | null, higher_is_better: boolean }} Score */
/** @typedef {{ index: number, name: string, probability: number, slot: number }} ClassInfo slot: position in `watched` */

/**
 * Everything measured along one curve.
 * @typedef {object} Curve
 * @property {number[]} counts pixels replaced (deletion) or shown (insertion) at each point
 * @property {Float32Array} probabilities points x watched
 * @property {Int32Array} top1
 * @property {Float32Array} highest the probability of the top class
 */

/** @type {Direction[]} */
export const DIRECTIONS = ["deletion", "insertion"];
export const BASELINES = ["random", "center"];

/** One explanation of the image. */
export class Entry {
  /**
   * @param {any} facts
   * @param {Map<string, Tensor>} tensors
   * @param {Bundle} bundle
   */
  constructor(facts, tensors, bundle) {
    this.bundle = bundle;
    /** @type {string} */ this.method = facts.label || facts.method;
    /** @type {string} */ this.about = facts.about;
    /** @type {Record<string, unknown>} */ this.options = facts.options;
    /** @type {boolean} */ this.classAgnostic = facts.class_agnostic;
    /** @type {{ forwards: number, backwards: number, seconds: number }} */ this.cost = facts.cost;
    /** @type {Record<string, boolean[]>} */ this.checks = facts.checks;
    /** @type {string[]} */ this.notes = facts.notes;
    /** @type {Score[]} */ this.scores = facts.scores;
    /** @type {string} */ this.citation = facts.citation;
    /** @type {string} */ this.code = facts.code;
    this.rounded = tensors.has("order"); // to steps of 1/65,536 of the largest value
    this.tensors = tensors.has("order") ? unsorted(tensors, bundle) : tensors;
    /** @type {Map<string, import("./ops/curves.js").Point[]>} */ this.asked = new Map();
    /** @type {Map<number, Uint16Array | Uint32Array>} */ this.ranked = new Map();
    /** @type {Map<number, boolean>} */ this.ordered = new Map();
    const [, rows, cols] = this.tensor("maps").shape;
    this.rows = rows;
    this.cols = cols;
    /** @type {string} */ this.name = facts.method;
    this.isBaseline = BASELINES.includes(this.name);
  }

  /** @param {string} name */
  tensor(name) {
    const found = this.tensors.get(name);
    if (!found) throw new Error(`the bundle holds no ${name} of ${this.method}`);
    return found;
  }

  /** @param {string[]} names */
  has(...names) {
    return names.every((name) => this.tensors.has(name));
  }

  /**
   * The part of a tensor that belongs to one class; class-agnostic methods have one for all.
   * @param {string} name
   * @param {number} target position among the bundle's targets
   */
  ofClass(name, target) {
    const { values, shape } = this.tensor(name);
    const size = values.length / shape[0];
    const row = shape[0] === 1 ? 0 : target;
    return values.subarray(row * size, (row + 1) * size);
  }

  /**
   * A score for a reference, or over all where it has none of its own.
   * @param {string} metric
   * @param {number} target class
   * @param {string} reference
   */
  score(metric, target, reference) {
    const found = this.scores.filter((each) => each.metric === metric && each.target === target);
    return found.find((each) => each.reference === reference) ?? found.find((each) => each.reference === "all");
  }

  /** @param {number} target */
  map(target) {
    return /** @type {Float32Array} */ (this.ofClass("maps", target));
  }

  /** Whether the map orders the pixels: one with NaN does not, and its curves say nothing. @param {number} target */
  orders(target) {
    const row = this.classAgnostic ? 0 : target;
    const known = this.ordered.get(row) ?? this.map(row).every(Number.isFinite);
    this.ordered.set(row, known);
    return known;
  }

  /** Whether the maps of the classes can compete. */
  get contrasts() {
    if (this.name.split(":").includes("var")) return false; // its classes have competed
    return !this.classAgnostic && this.bundle.targets.every((_, target) => this.orders(target));
  }

  /**
   * Ranks of the pixels, exactly as the metrics order them; a compact file holds only corrections to what is found here.
   * @param {number} target
   */
  ranks(target) {
    if (this.has("ranks")) return /** @type {Uint16Array | Uint32Array} */ (this.ofClass("ranks", target));
    const row = this.classAgnostic ? 0 : target;
    const known = this.ranked.get(row);
    if (known) return known;
    const values = this.orders(row) ? heatmap(this, row) : new Float64Array(this.bundle.pixels); // flat, as for the metrics
    const ranks = correctedRanks(values, this.ofClass("corrections", row));
    this.ranked.set(row, ranks);
    return ranks;
  }

  /**
   * @param {number} target
   * @param {Direction} direction
   * @param {number} reference
   * @returns {Curve}
   */
  curve(target, direction, reference) {
    const counts = this.bundle.counts[direction];
    const references = this.bundle.references.length;
    const row = DIRECTIONS.indexOf(direction) * references + reference;
    const width = this.bundle.watched.length;
    const probabilities = /** @type {Float32Array} */ (this.ofClass("probabilities", target));
    const top1 = /** @type {Int32Array} */ (this.ofClass("top1", target));
    const highest = /** @type {Float32Array} */ (this.ofClass("top1_probabilities", target));
    const points = counts.length;
    const stored = {
      counts,
      probabilities: probabilities.subarray(row * points * width, (row + 1) * points * width),
      top1: top1.subarray(row * points, (row + 1) * points),
      highest: highest.subarray(row * points, (row + 1) * points),
    };
    return (this.asked.get(curveKey(target, direction, reference)) ?? []).reduce(withPoint, stored);
  }

  /**
   * Keep a point that was measured on request.
   * @param {number} target
   * @param {Direction} direction
   * @param {number} reference
   * @param {import("./ops/curves.js").Point} point
   */
  addPoint(target, direction, reference, point) {
    const key = curveKey(target, direction, reference);
    this.asked = new Map(this.asked).set(key, [...(this.asked.get(key) ?? []), point]);
  }
}

/**
 * @param {number} target
 * @param {Direction} direction
 * @param {number} reference
 */
const curveKey = (target, direction, reference) => `${target} ${direction} ${reference}`;

/** The image that replaces pixels; it may depend on the direction and the class. */
export class Reference {
  /**
   * @param {string} name
   * @param {(direction: Direction) => Tensor | undefined} tensor classes 3 height width, 1 class if all have the same
   * @param {number} pixels
   */
  constructor(name, tensor, pixels) {
    this.name = name;
    const [deletion, insertion] = DIRECTIONS.map((direction) => {
      const { values, shape } = /** @type {Tensor} */ (tensor(direction) ?? tensor("deletion"));
      const size = values.length / shape[0];
      return Array.from({ length: shape[0] }, (_, i) => toPixels(values.subarray(i * size, (i + 1) * size), pixels));
    });
    this.images = { deletion, insertion };
  }

  /**
   * @param {Direction} direction
   * @param {number} target
   */
  image(direction, target) {
    const images = this.images[direction];
    return images.length === 1 ? images[0] : images[target];
  }
}

/** One image and its explanations. */
export class Bundle {
  /**
   * @param {any} facts
   * @param {Map<string, Tensor>} tensors
   */
  constructor(facts, tensors) {
    /** @type {string} */ this.name = facts.name;
    /** @type {string} */ this.model = facts.model;
    /** @type {number[]} */ this.targets = facts.targets;
    /** @type {number} */ this.prediction = facts.prediction;
    /** @type {Record<Direction, number[]>} */ this.counts = facts.counts;
    /** @type {Record<string, string>} */ this.classNames = facts.class_names;
    const image = tensors.get("image");
    if (!image) throw new Error("the bundle holds no image");
    this.height = image.shape[1];
    this.width = image.shape[2];
    this.pixels = this.height * this.width;
    this.image = toPixels(image.values, this.pixels);
    /** @type {ClassInfo[]} */
    this.watched = facts.watched.map((/** @type {number} */ index, /** @type {number} */ slot) => ({
      index,
      slot,
      name: this.className(index),
      probability: facts.probabilities[slot],
    }));
    /** @type {Reference[]} */
    this.references = facts.references.map(
      (/** @type {string} */ name) =>
        new Reference(name, (direction) => tensors.get(`references.${name}.${direction}`), this.pixels),
    );
    /** @type {Entry[]} */
    this.entries = facts.explanations.map(
      (/** @type {any} */ entry, /** @type {number} */ i) =>
        new Entry(entry, below(tensors, `explanations.${i}.`), this),
    );
  }

  /** @param {number} index */
  className(index) {
    return (this.classNames[index] ?? `class ${index}`).split(",")[0];
  }

  /** @param {number} index */
  info(index) {
    return this.watched.find((each) => each.index === index);
  }
}

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%,()*+-;.=:?@^_`{|}~";

/**
 * @param {string} text a packed bundle as an HTML file holds it: base 85, five letters for four bytes
 */
export function decodeBundle(text) {
  const letters = text.trim();
  const value = Object.fromEntries([...ALPHABET].map((letter, i) => [letter.charCodeAt(0), i]));
  const view = new DataView(new ArrayBuffer(Math.ceil(letters.length / 5) * 4));
  for (let at = 0; at < letters.length; at += 5) {
    let number = 0;
    for (let i = at; i < at + 5; i++) number = number * 85 + (value[letters.charCodeAt(i)] ?? 84); // short at the end
    view.setUint32((at / 5) * 4, number);
  }
  return readBundle(new Uint8Array(view.buffer, 0, Math.floor(letters.length * 0.8)));
}

/** @param {BlobPart} bytes a packed bundle: a gzipped safetensors file */
export async function readBundle(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  const content = new Uint8Array(await new Response(stream).arrayBuffer());
  const { metadata, tensors } = readSafetensors(content, { packed: true });
  return new Bundle(JSON.parse(metadata.seewhy), tensors);
}

/**
 * Opaque RGBA pixels; one color is repeated.
 * @param {import("./safetensors.js").Values} values 3 height width
 * @param {number} pixels
 */
function toPixels(values, pixels) {
  const size = values.length / 3;
  const bytes = new Uint8ClampedArray(pixels * 4);
  for (let i = 0, at = 0; i < pixels; i++, at += 4) {
    const from = size === 1 ? 0 : i;
    bytes[at] = values[from];
    bytes[at + 1] = values[size + from];
    bytes[at + 2] = values[2 * size + from];
    bytes[at + 3] = 255;
  }
  return new Uint32Array(bytes.buffer);
}

/**
 * Maps and ranks from the order of the pixels and their values in steps: see src/seewhy/explorer/ranks.py.
 * @param {Map<string, Tensor>} tensors
 * @param {{ height: number, width: number, pixels: number }} image
 */
function unsorted(tensors, { height, width, pixels }) {
  const [order, levels, step] = ["order", "levels", "step"].map(
    (name) => /** @type {Tensor} */ (tensors.get(name)).values,
  );
  const narrow = order instanceof Int16Array;
  const pixelAt = narrow ? new Uint16Array(order.buffer) : order;
  const valueOf = new Int32Array(levels.buffer);
  const ranks = narrow ? new Uint16Array(order.length) : new Uint32Array(order.length);
  const maps = new Float32Array(order.length);
  for (let i = 0; i < order.length; i++) {
    const row = Math.floor(i / pixels);
    const at = row * pixels + pixelAt[i];
    ranks[at] = i - row * pixels;
    maps[at] = valueOf[i] * step[row];
  }
  const shape = [step.length, height, width];
  return new Map(tensors).set("maps", { values: maps, shape }).set("ranks", { values: ranks, shape });
}

/**
 * @param {Map<string, Tensor>} tensors
 * @param {string} prefix
 */
function below(tensors, prefix) {
  return new Map(
    [...tensors].filter(([name]) => name.startsWith(prefix)).map(([name, each]) => [name.slice(prefix.length), each]),
  );
}
