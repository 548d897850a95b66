// What a model must declare: its inputs and its output, with names, types and shapes.
import { FaultyModel } from './fault.ts';
import type { GraphProto, ValueInfoProto } from './messages.ts';

export type ElementType = 'float32' | 'int64';

export interface TensorSpec {
  name: string;
  type: ElementType;
  /** Sizes, and `batch` for the dimension of rows: the model must leave its size open. */
  dims: readonly (number | 'batch')[];
}

export interface InputSpec extends TensorSpec {
  /** Whether a model must declare it. */
  required?: boolean;
}

export interface OutputSpec extends TensorSpec {
  type: 'float32';
  /** Whether the values along the last dimension must not descend. */
  ascending?: boolean;
}

export interface Signature {
  inputs: readonly InputSpec[];
  /** The model's only output. */
  output: OutputSpec;
}

const TYPE_NAMES = [
  'undefined', 'float32', 'uint8', 'int8', 'uint16', 'int16', 'int32', 'int64', 'string', 'bool', 'float16', 'float64',
  'uint32', 'uint64', 'complex64', 'complex128', 'bfloat16',
]; // biome-ignore format: a table

/**
 * @returns the names of the declared inputs
 * @throws FaultyModel `load` for names, `type` and `shape`
 */
export function checkSignature(graph: GraphProto, { inputs, output }: Signature): string[] {
  const constants = new Set((graph.initializer ?? []).map(({ name }) => name));
  const declared = (graph.input ?? []).filter(({ name }) => !constants.has(name));
  const names = new Set<string>();
  for (const value of declared) {
    const spec = inputs.find(({ name }) => name === value.name);
    if (spec === undefined) throw unknown('input', value, inputs);
    if (names.has(spec.name)) throw new FaultyModel('load', `The model declares the input \`${spec.name}\` twice.`);
    names.add(spec.name);
    checkValue('input', value, spec);
  }
  const missing = inputs.find(({ name, required }) => required === true && !names.has(name));
  if (missing !== undefined) {
    throw new FaultyModel(
      'load',
      `The model does not declare the input \`${missing.name}\` ${words(missing)}; add it.`,
    );
  }

  const [result, ...others] = graph.output ?? [];
  if (result === undefined)
    throw new FaultyModel('load', `The model has no output; add \`${output.name}\` ${words(output)}.`);
  const wrong = [result, ...others].find(({ name }) => name !== output.name);
  if (wrong !== undefined) throw unknown('output', wrong, [output]);
  if (others.length > 0) throw new FaultyModel('load', `The model declares the output \`${output.name}\` twice.`);
  checkValue('output', result, output);
  return [...names];
}

function checkValue(what: 'input' | 'output', { type }: ValueInfoProto, spec: TensorSpec): void {
  const where = `The ${what} \`${spec.name}\``;
  const tensor = type?.tensor_type;
  if (type === undefined || tensor === undefined || Object.keys(type).length > 1) {
    throw new FaultyModel('type', `${where} is not declared as a tensor; declare it as ${words(spec)}.`);
  }
  const name = TYPE_NAMES[tensor.elem_type ?? 0] ?? `type ${tensor.elem_type}`;
  if (name !== spec.type) {
    throw new FaultyModel('type', `${where} is declared as ${name}; declare it as ${words(spec)}.`);
  }
  if (tensor.shape === undefined) {
    throw new FaultyModel('shape', `${where} is declared without a shape; declare it as ${words(spec)}.`);
  }
  const dims = (tensor.shape.dim ?? []).map(({ dim_value, dim_param }) =>
    dim_value === undefined ? (dim_param ?? '?') : dim_param === undefined ? dim_value : Number.NaN,
  );
  const fits = (dim: number | string | undefined, index: number): boolean =>
    spec.dims[index] === 'batch' ? typeof dim === 'string' : dim === spec.dims[index];
  if (dims.length === spec.dims.length && dims.every(fits)) return;
  const isFixed = typeof dims[spec.dims.indexOf('batch')] === 'number' && dims.length === spec.dims.length;
  const hint = isFixed ? ' `batch` must be symbolic, so that rows can be run in batches of any size.' : '';
  throw new FaultyModel('shape', `${where} is declared as [${dims.join(', ')}]; declare it as ${words(spec)}.${hint}`);
}

function words({ type, dims }: TensorSpec): string {
  return `${type} [${dims.join(', ')}]`;
}

function unknown(what: 'input' | 'output', { name }: ValueInfoProto, specs: readonly TensorSpec[]): FaultyModel {
  const known = specs.map((spec) => `\`${spec.name}\``).join(', ');
  return new FaultyModel(
    'load',
    `The ${what} ${JSON.stringify(name ?? '')} is unknown; a model's ${what}s are: ${known}.`,
  );
}
