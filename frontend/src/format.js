const NUMBER = new Intl.NumberFormat("en-US");

/** @param {number} value */
export const integer = (value) => NUMBER.format(value);

/**
 * @param {number} share
 * @param {number} [digits]
 */
export const percent = (share, digits = 0) => `${(100 * share).toFixed(digits)} %`;

/** A probability: one decimal where it tells something. @param {number} value */
export const probability = (value) => percent(value, value > 0.0995 && value < 0.995 ? 0 : 1);

/** A number of passes through the network, which may be a part of one. @param {number} value */
export const passes = (value) =>
  value > 0 && value < 0.1 ? "less than 0.1" : integer(value < 9.95 ? Math.round(10 * value) / 10 : Math.round(value));

/**
 * The smallest of the usual ends of an axis that the values fit under.
 * @param {number[]} values probabilities
 */
export const axisEnd = (values) => {
  const most = Math.max(0, ...values.filter(Number.isFinite));
  return [0.004, 0.02, 0.04, 0.1, 0.2, 0.4].find((end) => most <= end) ?? 1;
};

/** @param {string} name metric names as people say them */
export const metricName = (name) => ({ ins_del: "insertion − deletion" })[name] ?? name.replaceAll("_", " ");

/** A fixed number of digits, with a true minus, which zero does not have. @param {number} value @param {number} [digits] */
export const decimal = (value, digits = 3) => {
  const text = Math.abs(value).toFixed(digits);
  return value < 0 && Number(text) ? `−${text}` : text;
};

/** @param {string} name names of references as people say them */
export const referenceName = (name) => name.replace("imagenet", "ImageNet").replaceAll("_", " ");
