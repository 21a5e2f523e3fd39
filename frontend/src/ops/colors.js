// Maps as colors. Scaling happens here and nowhere else; the rules are those of `seewhy.ops.colors`.

const SPIKES = 0.995; // values beyond this quantile are drawn as the maximum
const SIGNED = 0.05; // negative evidence smaller than this share of the positive is not worth a second color
const FOR = [228, 60, 42];
const AGAINST = [44, 112, 200];
export const CLASS_COLORS = [[228, 116, 0], [0, 114, 178]]; // prettier-ignore
const SHARED = [17, 140, 90];
const CONTOURS = [0.05, 0.15, 0.3]; // of the pixels, most important first

const INFERNO = makeInferno();

/**
 * Values between -1 and 1 for drawing: zero stays zero where the map is signed, else the minimum is zero.
 * @param {ArrayLike<number>} map
 */
export function strength(map) {
  const values = Float64Array.from(map, (value) => (Number.isFinite(value) ? value : 0));
  const sorted = values.slice().sort();
  let [low, high] = [quantile(sorted, 1 - SPIKES), quantile(sorted, SPIKES)];
  if (low < 0 && -low > SIGNED * Math.max(high, 0))
    return values.map((value) => clamp(value / Math.max(high, -low), -1, 1));
  if (high <= low) [low, high] = [sorted[0], sorted[sorted.length - 1]];
  return values.map((value) => (high > low ? clamp((value - low) / (high - low), 0, 1) : 0));
}

/**
 * @param {Uint32Array} out
 * @param {ArrayLike<number>} values strengths
 * @param {number} opacity
 */
export function paintMagnitude(out, values, opacity) {
  for (let i = 0; i < out.length; i++) {
    const size = Math.abs(values[i]);
    out[i] = (INFERNO[Math.round(255 * size)] & 0xffffff) | (Math.round(255 * opacity * size ** 0.9) << 24);
  }
}

/**
 * @param {Uint32Array} out
 * @param {ArrayLike<number>} values strengths
 * @param {number} opacity
 */
export function paintSigned(out, values, opacity) {
  for (let i = 0; i < out.length; i++)
    out[i] = rgba(values[i] > 0 ? FOR : AGAINST, opacity * Math.abs(values[i]) ** 0.6);
}

/**
 * Lines around the top 5, 15 and 30 % of the pixels.
 * @param {Uint32Array} out
 * @param {ArrayLike<number>} ranks
 * @param {number} width
 * @param {number} opacity
 */
export function paintContours(out, ranks, width, opacity) {
  out.fill(0);
  CONTOURS.forEach((share, level) => {
    const limit = share * out.length;
    const color = INFERNO[[255, 200, 140][level]];
    for (let i = 0; i < out.length; i++) {
      const edge = ranks[i] < limit && outside(ranks, i, width, limit);
      if (edge) out[i] = (color & 0xffffff) | (Math.round(255 * Math.min(1, opacity + 0.15)) << 24);
    }
  });
}

/**
 * Whether one of the four neighbors lies beyond the limit.
 * @param {ArrayLike<number>} ranks
 * @param {number} i
 * @param {number} width
 * @param {number} limit
 */
function outside(ranks, i, width, limit) {
  const column = i % width;
  return (
    (column > 0 && ranks[i - 1] >= limit) ||
    (column < width - 1 && ranks[i + 1] >= limit) ||
    (i >= width && ranks[i - width] >= limit) ||
    (i + width < ranks.length && ranks[i + width] >= limit)
  );
}

/**
 * Every location in the color of the class that won it; `weights` fade one class or the other.
 * @param {Uint32Array} out
 * @param {Float64Array[]} won
 * @param {number[]} weights
 * @param {number} opacity
 */
export function paintWinners(out, won, weights, opacity) {
  const high = scaleOf(won);
  for (let i = 0; i < out.length; i++) {
    const k = won.reduce((best, each, index) => (each[i] > won[best][i] ? index : best), 0);
    const value = Math.min(1, won[k][i] / high) ** 0.75;
    out[i] = rgba(CLASS_COLORS[k % CLASS_COLORS.length], k < weights.length ? opacity * weights[k] * value : 0);
  }
}

/**
 * One kind of evidence in one color.
 * @param {Uint32Array} out
 * @param {ArrayLike<number>} values
 * @param {number} high drawn at full strength
 * @param {number} [which] class, or none for shared evidence
 */
export function paintEvidence(out, values, high, which = -1) {
  const color = which < 0 ? SHARED : CLASS_COLORS[which % CLASS_COLORS.length];
  for (let i = 0; i < out.length; i++) out[i] = rgba(color, 0.9 * clamp(values[i] / high, 0, 1) ** 0.75);
}

/**
 * The value that is drawn at full strength, common to several maps.
 * @param {Float64Array[]} maps
 */
export function scaleOf(maps) {
  const most = maps[0].map((_, i) => Math.max(...maps.map((map) => map[i]))).sort();
  return quantile(most, SPIKES) || most[most.length - 1] || 1;
}

/**
 * The image with little color of its own, so that a map's colors are not mistaken for it.
 * @param {Uint32Array} out
 * @param {Uint32Array} image
 * @param {number} [color] share of the image's own color that stays
 */
export function paintFaded(out, image, color = 0.3) {
  for (let i = 0; i < out.length; i++) {
    const pixel = image[i];
    const channels = [pixel & 255, (pixel >> 8) & 255, (pixel >> 16) & 255];
    const gray = (channels[0] + channels[1] + channels[2]) / 3;
    out[i] = rgba(
      channels.map((each) => 0.9 * (gray + color * (each - gray))),
      1,
    );
  }
}

/**
 * Linear between neighbors, as numpy's.
 * @param {Float64Array} sorted
 * @param {number} share
 */
function quantile(sorted, share) {
  const position = share * (sorted.length - 1);
  const low = Math.floor(position);
  const high = Math.min(low + 1, sorted.length - 1);
  return sorted[low] + (position - low) * (sorted[high] - sorted[low]);
}

/**
 * @param {number} value
 * @param {number} low
 * @param {number} high
 */
function clamp(value, low, high) {
  return Math.min(high, Math.max(low, value));
}

/**
 * A pixel as canvases store it on little-endian machines.
 * @param {number[]} color
 * @param {number} alpha 0 to 1
 */
function rgba([red, green, blue], alpha) {
  return (
    ((Math.round(255 * alpha) << 24) | (Math.round(blue) << 16) | (Math.round(green) << 8) | Math.round(red)) >>> 0
  );
}

/** matplotlib's inferno in 256 steps, by a polynomial of degree six per channel. */
function makeInferno() {
  const terms = [
    [0.0002189403691192265, 0.001651004631001012, -0.01948089843709184],
    [0.1065134194856116, 0.5639564367884091, 3.932712388889277],
    [11.60249308247187, -3.972853965665698, -15.9423941062914],
    [-41.70399613139459, 17.43639888205313, 44.35414519872813],
    [77.162935699427, -33.40235894210092, -81.80730925738993],
    [-71.31942824499214, 32.62606426397723, 73.20951985803202],
    [25.13112622477341, -12.24266895238567, -23.07032500287172],
  ];
  return Uint32Array.from({ length: 256 }, (_, i) => {
    const channel = (/** @type {number} */ c) => terms.reduceRight((sum, term) => sum * (i / 255) + term[c], 0);
    return rgba(
      [0, 1, 2].map((c) => clamp(255 * channel(c), 0, 255)),
      1,
    );
  });
}
