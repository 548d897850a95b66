// What an uploaded model is tried with: rows of zeros, of ones, and of real data, alone and in batches.
import { MIB } from '../../../shared/product.ts';
import { FaultyModel } from './fault.ts';
import { checkVariance } from './output.ts';
import type { Batch, TensorData } from './process-protocol.ts';
import type { Signature, TensorSpec } from './signature.ts';

const BATCHES = [7, 128];
/** Bytes of a batch's inputs, but where 7 rows take more: the main thread copies them to the process. */
const MOST_BATCH_BYTES = MIB;

/**
 * @param run throws FaultyModel, also for an output that is not as declared
 * @throws FaultyModel
 */
export async function tryModel(
  run: (batch: Batch) => Promise<Float32Array>,
  signature: Signature,
  samples: Batch | undefined,
): Promise<void> {
  const rows = probeRows(signature, samples);
  const alone: Float32Array[] = [];
  for (const row of rows) alone.push(await run(row));
  const bytes = signature.inputs.reduce((sum, input) => sum + rowSize(input) * (input.type === 'int64' ? 8 : 4), 0);
  const sizes = BATCHES.map((size) => Math.min(size, Math.max(7, Math.floor(MOST_BATCH_BYTES / bytes))));
  for (const size of new Set(sizes)) {
    const batch = joined(Array.from({ length: size }, (_, index) => rows[index % rows.length] ?? noRow()));
    const output = await run(batch);
    checkVariance(output, size, alone);
    const again = await run(batch);
    if (output.some((value, index) => value !== again[index])) {
      throw new FaultyModel(
        'batch_variance',
        'The model returned other values when it ran again with the same inputs.',
      );
    }
  }
}

/** Batches of one row. */
function probeRows({ inputs }: Signature, samples: Batch | undefined): Batch[] {
  const filled = (value: 0 | 1): Batch => ({
    rows: 1,
    tensors: Object.fromEntries(inputs.map((input) => [input.name, filledTensor(input, value)])),
  });
  const sampled =
    samples === undefined ? [] : Array.from({ length: samples.rows }, (_, row) => rowOf(samples, inputs, row));
  return [filled(0), filled(1), ...sampled];
}

/** One row of a batch. */
export function rowOf({ tensors }: Batch, inputs: readonly TensorSpec[], row: number): Batch {
  const cut = inputs.flatMap((input): [string, TensorData][] => {
    const data = tensors[input.name];
    const size = rowSize(input);
    return data === undefined ? [] : [[input.name, data.slice(row * size, (row + 1) * size)]];
  });
  return { rows: 1, tensors: Object.fromEntries(cut) };
}

function filledTensor(input: TensorSpec, value: 0 | 1): TensorData {
  const size = rowSize(input);
  return input.type === 'float32' ? new Float32Array(size).fill(value) : new BigInt64Array(size).fill(BigInt(value));
}

/** The values of one row. */
function rowSize({ dims }: TensorSpec): number {
  return dims.reduce<number>((size, dim) => (dim === 'batch' ? size : size * dim), 1);
}

function joined(rows: readonly Batch[]): Batch {
  const names = Object.keys(rows[0]?.tensors ?? {});
  const tensors = names.map((name) => [name, joinedData(rows.map(({ tensors }) => tensors[name] ?? noRow()))] as const);
  return { rows: rows.length, tensors: Object.fromEntries(tensors) };
}

function joinedData(parts: readonly TensorData[]): TensorData {
  const [first = new Float32Array()] = parts;
  const all =
    first instanceof Float32Array
      ? new Float32Array(first.length * parts.length)
      : new BigInt64Array(first.length * parts.length);
  // The parts of a tensor have one type and length.
  parts.forEach((part, at) => (all as Float32Array).set(part as Float32Array, at * first.length));
  return all;
}

function noRow(): never {
  throw new Error('A sample lacks an input.');
}
