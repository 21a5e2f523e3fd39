/**
 * MDA's magnitudes blended towards magnitudes that fall evenly with the rank, as `seewhy.ops.magnitudes.densify`.
 * @param {ArrayLike<number>} sparse by rank
 * @param {number} gamma 0 is sparse, 1 is dense
 * @param {number} kappa patches below it stay as they are
 */
export function densify(sparse, gamma, kappa) {
  const values = Array.from(sparse);
  const dense = values.map((value, i) => (value >= kappa ? 1 - (i + 1) / values.length : value));
  const largest = Math.max(...dense);
  const scale = Math.max(...values) / (largest > 0 ? largest : 1);
  return values.map((value, i) => (1 - gamma) * value + gamma * dense[i] * scale);
}

/**
 * Values by rank put back where their patches are.
 * @param {number[]} ranked
 * @param {ArrayLike<number>} order
 */
export function scatter(ranked, order) {
  const map = new Float64Array(ranked.length);
  ranked.forEach((value, rank) => (map[order[rank]] = value));
  return map;
}
