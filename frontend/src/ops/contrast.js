// VAR: classes compete by a softmax at every location, as in `seewhy.ops.contrast`; one array per class.

/** @typedef {Float64Array[]} ClassMaps */
/** @typedef {{ temperatures: number[], mode: "multiply" | "divide", scale: "max" | null }} Softmax */

const EPSILON = 8 * 2 ** -23; // 8 eps of float32: equal maps must give exactly zero

/**
 * Per location, how the evidence is shared between the classes; sums to one over them.
 * @param {ClassMaps} maps
 * @param {Softmax} options
 * @returns {ClassMaps}
 */
export function classDistribution(maps, { temperatures, mode, scale }) {
  const factors = temperatures.map((t) => (mode === "multiply" ? t : 1 / t));
  const unit = scale === "max" ? largest(maps) || 1 : 1;
  const size = maps[0].length;
  const shares = maps.map(() => new Float64Array(size));
  const terms = new Float64Array(maps.length);
  for (let i = 0; i < size; i++) {
    const peak = Math.max(...maps.map((map) => map[i]));
    for (const factor of factors) {
      let sum = 0;
      for (let k = 0; k < maps.length; k++) sum += terms[k] = Math.exp(((maps[k][i] - peak) / unit) * factor);
      for (let k = 0; k < maps.length; k++) shares[k][i] += terms[k] / sum / factors.length;
    }
  }
  return shares;
}

/**
 * A class keeps a location only where it has more than its even share by `margin`.
 * @param {ClassMaps} maps
 * @param {ClassMaps} distribution
 * @param {number} margin
 * @returns {ClassMaps}
 */
export function keepOwn(maps, distribution, margin) {
  const even = 1 / maps.length;
  const least = Math.max(margin, EPSILON);
  return maps.map((map, k) =>
    map.map((value, i) => (distribution[k][i] - even > least ? value * distribution[k][i] : 0)),
  );
}

/**
 * Positive evidence that all classes have in common, fading where one of them dominates.
 * @param {ClassMaps} maps
 * @param {ClassMaps} distribution
 */
export function sharedEvidence(maps, distribution) {
  const even = 1 / maps.length;
  return maps[0].map((_, i) => {
    const common = Math.min(...maps.map((map) => Math.max(map[i], 0)));
    const first = Math.max(...distribution.map((share) => share[i]));
    return common * (1 - (first - even) / (1 - even));
  });
}

/**
 * Positive evidence of the class with the largest share times its lead; zero for all others.
 * @param {ClassMaps} maps
 * @param {ClassMaps} distribution
 * @returns {ClassMaps}
 */
export function wonEvidence(maps, distribution) {
  const won = maps.map((map) => new Float64Array(map.length));
  for (let i = 0; i < maps[0].length; i++) {
    const shares = distribution.map((share) => share[i]);
    const first = Math.max(...shares);
    const winner = shares.indexOf(first);
    const second = Math.max(...shares.filter((_, k) => k !== winner));
    if (first - second > EPSILON) won[winner][i] = Math.max(maps[winner][i], 0) * (first - second);
  }
  return won;
}

/** @param {ClassMaps} maps */
function largest(maps) {
  let most = 0;
  for (const map of maps) for (const value of map) most = Math.max(most, Math.abs(value));
  return most;
}
