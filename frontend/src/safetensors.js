// Reads safetensors files: an 8-byte length, a JSON header, then the tensors.

/** @typedef {Uint8Array | Uint16Array | Uint32Array | Int16Array | Int32Array | Float32Array} Values */
/** @typedef {{ values: Values, shape: number[] }} Tensor */

/** @type {Record<string, { new (buffer: ArrayBuffer): Values, BYTES_PER_ELEMENT: number }>} */
const ARRAYS = {
  U8: Uint8Array,
  U16: Uint16Array,
  U32: Uint32Array,
  I16: Int16Array,
  I32: Int32Array,
  F32: Float32Array,
};

/**
 * @param {Uint8Array} bytes
 * @param {{ packed?: boolean }} [options] packed: as the HTML file holds it
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
    const content = packed ? unpack(raw, entry.dtype, shape[shape.length - 1]) : raw;
    const values = new ARRAYS[entry.dtype](/** @type {ArrayBuffer} */ (content.buffer));
    tensors.set(name, { values, shape });
  }
  return { metadata: header.__metadata__ ?? {}, tensors };
}

/**
 * Undo what `byte_planes` of src/seewhy/explorer/html.py did.
 * @param {Uint8Array} planes
 * @param {string} dtype
 * @param {number} columns
 */
function unpack(planes, dtype, columns) {
  const bytes = joinPlanes(planes, ARRAYS[dtype].BYTES_PER_ELEMENT);
  if (dtype.startsWith("I")) return bytes;
  const integers = new ARRAYS[dtype === "F32" ? "U32" : dtype](/** @type {ArrayBuffer} */ (bytes.buffer));
  addNeighbors(integers, columns);
  if (dtype === "F32")
    for (let i = 0; i < integers.length; i++)
      integers[i] = integers[i] & 0x80000000 ? integers[i] & 0x7fffffff : ~integers[i];
  return bytes;
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
