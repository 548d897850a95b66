// The constants of a model: as many values as their dimensions say, inside the file.
import { FaultyModel } from './fault.ts';
import type { SparseTensorProto, TensorProto } from './messages.ts';

type TypedData = 'float_data' | 'int32_data' | 'int64_data' | 'double_data' | 'uint64_data';

/** Bits of a value in `raw_data`, and the field that may hold it instead, by `TensorProto.DataType`. */
const DATA_TYPES: Readonly<Record<number, readonly [bits: number, typed: TypedData, perValue?: number]>> = {
  1: [32, 'float_data'],
  2: [8, 'int32_data'],
  3: [8, 'int32_data'],
  4: [16, 'int32_data'],
  5: [16, 'int32_data'],
  6: [32, 'int32_data'],
  7: [64, 'int64_data'],
  9: [8, 'int32_data'],
  10: [16, 'int32_data'],
  11: [64, 'double_data'],
  12: [32, 'uint64_data'],
  13: [64, 'uint64_data'],
  14: [64, 'float_data', 2],
  15: [128, 'double_data', 2],
  16: [16, 'int32_data'],
  // 8-bit floats, 4-bit integers and floats (two in one entry), then 2-bit integers (four).
  17: [8, 'int32_data'],
  18: [8, 'int32_data'],
  19: [8, 'int32_data'],
  20: [8, 'int32_data'],
  21: [4, 'int32_data', 1 / 2],
  22: [4, 'int32_data', 1 / 2],
  23: [4, 'int32_data', 1 / 2],
  24: [8, 'int32_data'],
  25: [2, 'int32_data', 1 / 4],
  26: [2, 'int32_data', 1 / 4],
};
const STRING = 8;

/** A sparse constant becomes a dense one when it is loaded. */
const MOST_DENSE_VALUES = 2 ** 24;

/**
 * @param where names the tensor, as the beginning of a sentence
 * @throws FaultyModel `load`
 */
export function checkTensor(tensor: TensorProto, where: string): void {
  const { dims = [], data_type = 0, raw_data, string_data, segment, external_data, data_location = 0 } = tensor;
  if (data_location !== 0 || external_data !== undefined) {
    throw refused(
      where,
      'stores its values in another file',
      'save the model as one file (in Python: onnx.save with save_as_external_data=False)',
    );
  }
  if (segment !== undefined) throw refused(where, 'is stored in segments', 'store it whole');
  const count = product(dims);
  if (data_type === STRING) {
    if (raw_data === undefined && count === (string_data ?? 0)) return;
    throw refused(
      where,
      `has dimensions [${dims.join(', ')}] and ${string_data ?? 0} texts`,
      'store one text per element in string_data',
    );
  }
  const type = DATA_TYPES[data_type];
  if (type === undefined) throw refused(where, `has the data type ${data_type}, which is unknown`, 'use one of ONNX');
  const [bits, typed, perValue = 1] = type;
  const stored = (['float_data', 'int32_data', 'int64_data', 'double_data', 'uint64_data'] as const).filter(
    (field) => tensor[field] !== undefined,
  );
  const isRaw = raw_data !== undefined;
  const fits = isRaw
    ? stored.length === 0 && raw_data.length === Math.ceil((count * bits) / 8)
    : stored.every((field) => field === typed) && (tensor[typed] ?? 0) === Math.ceil(count * perValue);
  if (fits && string_data === undefined) return;
  const found = isRaw ? `${raw_data.length} bytes of raw data` : `${tensor[typed] ?? 0} values in ${typed}`;
  throw refused(
    where,
    `has dimensions [${dims.join(', ')}] and ${found}`,
    'store as many values as the dimensions say',
  );
}

/** @throws FaultyModel `load` */
export function checkSparseTensor({ values, indices, dims = [] }: SparseTensorProto, where: string): void {
  if (values !== undefined) checkTensor(values, `${where} (values)`);
  if (indices !== undefined) checkTensor(indices, `${where} (indices)`);
  if (product(dims) <= MOST_DENSE_VALUES) return;
  throw refused(where, `is sparse with dimensions [${dims.join(', ')}]`, `use at most ${MOST_DENSE_VALUES} elements`);
}

/** Infinite where it is not exact. */
function product(dims: readonly number[]): number {
  let count = 1;
  for (const dim of dims) count *= dim;
  return Number.isSafeInteger(count) ? count : Number.POSITIVE_INFINITY;
}

function refused(where: string, what: string, instead: string): FaultyModel {
  return new FaultyModel('load', `${where} ${what}; ${instead}.`);
}
