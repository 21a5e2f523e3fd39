/**
 * Bilinear without corner alignment, as `seewhy.ops.resize.resize_maps`.
 * @param {ArrayLike<number>} map
 * @param {number} rows
 * @param {number} cols
 * @param {number} height
 * @param {number} width
 */
export function resizeMap(map, rows, cols, height, width) {
  const [ys, xs] = [weights(rows, height), weights(cols, width)];
  const out = new Float64Array(height * width);
  for (let y = 0, i = 0; y < height; y++) {
    const { low: top, high: bottom, share: down } = ys[y];
    for (let x = 0; x < width; x++, i++) {
      const { low: left, high: right, share: along } = xs[x];
      const above = (1 - along) * map[top * cols + left] + along * map[top * cols + right];
      const under = (1 - along) * map[bottom * cols + left] + along * map[bottom * cols + right];
      out[i] = (1 - down) * above + down * under;
    }
  }
  return out;
}

/**
 * Both neighbors of every output position, and the share of the second.
 * @param {number} from
 * @param {number} to
 */
function weights(from, to) {
  return Array.from({ length: to }, (_, i) => {
    const position = Math.max(0, ((i + 0.5) * from) / to - 0.5);
    const low = Math.min(Math.floor(position), from - 1);
    return { low, high: Math.min(low + 1, from - 1), share: from === to ? 0 : position - low };
  });
}
