// Arithmetic of measured curves, and the images along them.

/** @typedef {import("../bundle.js").Curve} Curve */
/** @typedef {import("../bundle.js").Direction} Direction */

/**
 * The image at one count, as the metrics build it: deletion replaces the top pixels, insertion shows only them.
 * @param {Uint32Array} out
 * @param {Uint32Array} image
 * @param {Uint32Array} reference
 * @param {Uint16Array | Uint32Array} ranks
 * @param {number} count
 * @param {Direction} direction
 */
export function compose(out, image, reference, ranks, count, direction) {
  const [top, rest] = direction === "deletion" ? [reference, image] : [image, reference];
  for (let i = 0; i < out.length; i++) {
    const chosen = (ranks[i] - count) >> 31; // all bits of a pixel among the first; a branch takes twice as long
    out[i] = rest[i] ^ ((top[i] ^ rest[i]) & chosen);
  }
}

/**
 * Position of every pixel by falling value; among equals the lower index comes first.
 * @param {Float64Array} map
 */
export function rankPixels(map) {
  const order = new Uint32Array(map.keys()).sort((a, b) => map[b] - map[a] || a - b);
  const ranks = new Uint32Array(map.length);
  order.forEach((pixel, rank) => (ranks[pixel] = rank));
  return ranks;
}

/**
 * The metrics' ranks, which single precision can order differently: see src/seewhy/explorer/ranks.py.
 * @param {Float64Array} map at the size of the image
 * @param {ArrayLike<number>} corrections Int16Array or Int32Array
 */
export function correctedRanks(map, corrections) {
  const found = rankPixels(map);
  const ranks = corrections instanceof Int16Array ? new Uint16Array(map.length) : new Uint32Array(map.length);
  for (let i = 0; i < map.length; i++) ranks[i] = found[i] + corrections[i]; // wraps, as it did in Python
  return ranks;
}

/**
 * Probabilities of all watched classes at a count: measured, or on the line between the neighboring points.
 * @param {Curve} curve
 * @param {number} count
 */
export function probabilitiesAt({ counts, probabilities }, count) {
  const width = probabilities.length / counts.length;
  const right = Math.max(
    0,
    counts.findIndex((each) => each >= count),
  );
  const outside = count > counts[counts.length - 1];
  const point = outside ? counts.length - 1 : right;
  const measured = counts[point] === count;
  const left = measured || outside || point === 0 ? point : point - 1;
  const share = left === point ? 0 : (count - counts[left]) / (counts[point] - counts[left]);
  const values = Array.from({ length: width }, (_, slot) => {
    const [a, b] = [probabilities[left * width + slot], probabilities[point * width + slot]];
    return a + share * (b - a);
  });
  return { values, measured, left, right: point };
}

/** @typedef {{ count: number, probabilities: number[], top1: number, top1_probability: number }} Point */

/**
 * The curve with one more measured point.
 * @param {Curve} curve
 * @param {Point} point
 * @returns {Curve}
 */
export function withPoint({ counts, probabilities, top1, highest }, point) {
  const width = probabilities.length / counts.length;
  const at = counts.filter((each) => each < point.count).length;
  return {
    counts: insert(counts, at, [point.count]),
    probabilities: Float32Array.from(insert(Array.from(probabilities), at * width, point.probabilities)),
    top1: Int32Array.from(insert(Array.from(top1), at, [point.top1])),
    highest: Float32Array.from(insert(Array.from(highest), at, [point.top1_probability])),
  };
}

/**
 * @param {number[]} values
 * @param {number} at
 * @param {number[]} more
 */
const insert = (values, at, more) => [...values.slice(0, at), ...more, ...values.slice(at)];

/**
 * Smallest measured count at which deletion changes the top class, or insertion restores it; null if it never does.
 * @param {Curve} curve
 * @param {number} prediction
 * @param {Direction} direction
 */
export function flipCount({ counts, top1 }, prediction, direction) {
  const point = top1.findIndex((top) => (top === prediction) === (direction === "insertion"));
  return point < 0 ? null : counts[point];
}

/**
 * The nearest measured count if it is close, else the count itself.
 * @param {number[]} counts
 * @param {number} count
 * @param {number} reach
 */
export function snap(counts, count, reach) {
  const nearest = counts.reduce((best, each) => (Math.abs(each - count) < Math.abs(best - count) ? each : best));
  return Math.abs(nearest - count) <= reach ? nearest : count;
}

/**
 * Ranks in which pixels of equal value, such as all that a ReLU set to zero, have the mean of theirs.
 * @param {Float64Array} values
 * @param {ArrayLike<number>} ranks
 */
export function sharedRanks(values, ranks) {
  const order = new Uint32Array(values.length);
  for (let i = 0; i < order.length; i++) order[ranks[i]] = i;
  const shared = new Float64Array(values.length);
  for (let first = 0, next = 0; first < order.length; first = next) {
    while (next < order.length && values[order[next]] === values[order[first]]) next++;
    for (let rank = first; rank < next; rank++) shared[order[rank]] = (first + next - 1) / 2;
  }
  return shared;
}

/**
 * Standard deviation, per pixel, of the relative ranks in several maps.
 * @param {ArrayLike<number>[]} maps
 */
export function disagreement(maps) {
  const pixels = maps[0].length;
  const spread = new Float64Array(pixels);
  for (let i = 0; i < pixels; i++) {
    let sum = 0;
    let squares = 0;
    for (const ranks of maps) {
      const share = ranks[i] / pixels;
      sum += share;
      squares += share * share;
    }
    spread[i] = Math.sqrt(Math.max(0, squares / maps.length - (sum / maps.length) ** 2));
  }
  return spread;
}
