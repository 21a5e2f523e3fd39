// Reads safetensors files: an 8-byte length, a JSON header, then the tensors.

/** @typedef {Uint8Array | Uint16Array | Uint32Array | Int32Array | Float32Array} Values */
/** @typedef {{ values: Values, shape: number[] }} Tensor */

/** @type {Record<string, { new (buffer: ArrayBuffer): Values, BYTES_PER_ELEMENT: number }>} */
const ARRAYS = { U8: Uint8Array, U16: Uint16Array, U32: Uint32Array, I32: Int32Array, F32: Float32Array };

/**
 * @param {Uint8Array} bytes
 * @param {{ packed?: boolean }} [options] packed: bytes by significance, unsigned values as differences to their neighbors
 * @returns {{ metadata: Record<string, string>, tensors: Map<string, Tensor> }}
 */
export function readSafetensors(bytes, { packed = false } = {}) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const start = 8 + Number(view.getBigUint64(0, true));
  const header = JSON.parse(new TextDecoder().decode(bytes.subarray(8, start)));
  const tensors = new Map();
  for (const [name, entry] of Object.entries(header)) {
    if (name === "__metadata__") continue;
    const [first, last] = entry.data_offsets;
    const raw = bytes.slice(start + first, start + last); // copied, so that it is aligned
    const shape = entry.shape;
    const content = packed ? joinPlanes(raw, ARRAYS[entry.dtype].BYTES_PER_ELEMENT) : raw;
    const values = new ARRAYS[entry.dtype](/** @type {ArrayBuffer} */ (content.buffer));
    if (packed && entry.dtype.startsWith("U")) addNeighbors(values, shape[shape.length - 1]);
    tensors.set(name, { values, shape });
  }
  return { metadata: header.__metadata__ ?? {}, tensors };
}

/**
 * Bytes of each value side by side again.
 * @param {Uint8Array} planes
 * @param {number} width bytes per value
 */
function joinPlanes(planes, width) {
  const values = planes.length / width;
  const bytes = new Uint8Array(planes.length);
  for (let plane = 0; plane < width; plane++)
    for (let i = 0; i < values; i++) bytes[i * width + plane] = planes[plane * values + i];
  return bytes;
}

/**
 * Undo the differences along rows and columns, whose sign is in the lowest bit; typed arrays wrap as numpy does.
 * @param {Values} values
 * @param {number} columns
 */
function addNeighbors(values, columns) {
  for (let i = 0; i < values.length; i++) values[i] = (values[i] >>> 1) ^ -(values[i] & 1);
  for (let i = columns; i < values.length; i++) values[i] += values[i - columns];
  for (let i = 1; i < values.length; i++) if (i % columns) values[i] += values[i - 1];
}
