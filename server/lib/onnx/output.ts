// What a model returned, against what it declared: onnxruntime does not compare them.
import { FaultyModel } from './fault.ts';
import type { ProcessAnswer } from './process-protocol.ts';
import type { OutputSpec } from './signature.ts';

type Ran = Extract<ProcessAnswer, { answer: 'ran' }>;

/** @throws FaultyModel `type`, `shape`, `not_finite` or `disorder` */
export function outputValues({ type, dims, data }: Ran, output: OutputSpec, rows: number): Float32Array {
  const { name } = output;
  if (type !== output.type || !(data instanceof Float32Array)) {
    throw new FaultyModel('type', `The model returned \`${name}\` as ${type}; it must be ${output.type}.`);
  }
  const expected = output.dims.map((dim) => (dim === 'batch' ? rows : dim));
  const isSame = dims.length === expected.length && dims.every((dim, index) => dim === expected[index]);
  if (!isSame || data.length !== expected.reduce((count, dim) => count * dim, 1)) {
    throw new FaultyModel(
      'shape',
      `For a batch of ${rows}, the model returned \`${name}\` with the shape [${dims.join(', ')}]; it must be [${expected.join(', ')}].`,
    );
  }
  const place = data.findIndex((value) => !Number.isFinite(value));
  if (place >= 0)
    throw new FaultyModel('not_finite', `The model returned ${data[place]} ${at(name, expected, place)}.`);
  if (output.ascending === true) checkOrder(data, expected, name);
  return data;
}

function checkOrder(data: Float32Array, dims: readonly number[], name: string): void {
  const width = dims.at(-1) ?? 1;
  for (let index = 1; index < data.length; index += 1) {
    const [before = 0, value = 0] = [data[index - 1], data[index]];
    if (index % width === 0 || value >= before) continue;
    const what = `The model returned ${value} ${at(name, dims, index)}, below the ${before} before it`;
    throw new FaultyModel('disorder', `${what}; values along the last dimension must ascend.`);
  }
}

/** "at `quantiles`[0, 3, 1]" */
function at(name: string, dims: readonly number[], index: number): string {
  const indices: number[] = [];
  let rest = index;
  for (const dim of dims.toReversed()) {
    indices.unshift(rest % dim);
    rest = Math.floor(rest / dim);
  }
  return `at \`${name}\`[${indices.join(', ')}]`;
}

/** How much a value may differ with the batch, relative to values beyond 1. */
const TOLERANCE = 1e-4;

/**
 * Compares the output for a batch, in which rows repeat, with the output for the distinct rows one by one.
 * @throws FaultyModel `batch_variance`
 */
export function checkVariance(output: Float32Array, rows: number, alone: readonly Float32Array[]): void {
  for (let row = 0; row < rows; row += 1) checkRow(output, rows, row, alone[row % alone.length] ?? output);
}

/**
 * Compares a row of the output for a batch with the output for that row alone.
 * @throws FaultyModel `batch_variance`
 */
export function checkRow(output: Float32Array, rows: number, row: number, alone: Float32Array): void {
  const width = output.length / rows;
  for (let index = 0; index < width; index += 1) {
    const [value = 0, single = 0] = [output[row * width + index], alone[index]];
    if (Math.abs(value - single) <= TOLERANCE * Math.max(1, Math.abs(single))) continue;
    throw new FaultyModel(
      'batch_variance',
      `The model returned ${value} for a row in a batch of ${rows}, and ${single} for the same row alone; the rows of a batch must not affect each other.`,
    );
  }
}
