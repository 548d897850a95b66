// Writes ONNX models: the messages of onnx.proto in protobuf's wire format.
// https://protobuf.dev/programming-guides/encoding and https://github.com/onnx/onnx/blob/main/onnx/onnx.proto

export type Bytes = Uint8Array<ArrayBuffer>;

/** A field's number, and its value: an integer, a text, bytes (or a message), or a 32-bit float. */
export type Field = readonly [number: number, value: number | bigint | string | Bytes | { float: number }];

export function message(...fields: readonly Field[]): Bytes {
  return joined(
    fields.flatMap(([number, value]) => {
      if (typeof value === 'number' || typeof value === 'bigint') return [varint(number * 8), varint(value)];
      if (typeof value === 'object' && 'float' in value) {
        return [varint(number * 8 + 5), new Uint8Array(Float32Array.of(value.float).buffer)];
      }
      const bytes = typeof value === 'string' ? new TextEncoder().encode(value) : value;
      return [varint(number * 8 + 2), varint(bytes.length), bytes];
    }),
  );
}

/** A negative number is written in two's complement of 64 bits. */
export function varint(value: number | bigint): Bytes {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  for (; rest > 127n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128);
  return Uint8Array.of(...bytes, Number(rest));
}

function joined(parts: readonly Bytes[]): Bytes {
  const all = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

const DATA_TYPES = { float32: 1, int64: 7 };
export type ElementType = keyof typeof DATA_TYPES;

/** A constant. Numbers become int64. */
export function tensor(
  name: string,
  dims: readonly number[],
  values: Float32Array<ArrayBuffer> | readonly number[],
): Bytes {
  const data = values instanceof Float32Array ? values : BigInt64Array.from(values, BigInt);
  return message(
    ...dims.map((dim): Field => [1, dim]),
    [2, values instanceof Float32Array ? DATA_TYPES.float32 : DATA_TYPES.int64],
    [8, name],
    [9, new Uint8Array(data.buffer, data.byteOffset, data.byteLength)],
  );
}

/** An input or output. A dimension that is a text is symbolic. */
export function value(name: string, type: ElementType, dims: readonly (number | string)[]): Bytes {
  const shape = message(...dims.map((dim): Field => [1, message([typeof dim === 'number' ? 1 : 2, dim])]));
  return message([1, name], [2, message([1, message([1, DATA_TYPES[type]], [2, shape])])]);
}

/** An integer, a float, integers, a text, a constant or a graph. */
export type Attribute = number | { float: number } | readonly number[] | string | { tensor: Bytes } | { graph: Bytes };

export function node(
  operator: string,
  inputs: readonly string[],
  outputs: readonly string[],
  attributes: Readonly<Record<string, Attribute>> = {},
  domain = '',
): Bytes {
  return message(
    ...inputs.map((input): Field => [1, input]),
    ...outputs.map((output): Field => [2, output]),
    [4, operator],
    ...Object.entries(attributes).map(
      ([name, attribute]): Field => [5, message([1, name], ...attributeFields(attribute))],
    ),
    [7, domain],
  );
}

/** The value, and its type in field 20. */
function attributeFields(attribute: Attribute): Field[] {
  if (typeof attribute === 'number')
    return [
      [3, attribute],
      [20, 2],
    ];
  if (typeof attribute === 'string')
    return [
      [4, attribute],
      [20, 3],
    ];
  if ('float' in attribute)
    return [
      [2, attribute],
      [20, 1],
    ];
  if ('tensor' in attribute)
    return [
      [5, attribute.tensor],
      [20, 4],
    ];
  if ('graph' in attribute)
    return [
      [6, attribute.graph],
      [20, 5],
    ];
  return [...attribute.map((item): Field => [8, item]), [20, 7]];
}

export interface Graph {
  inputs: readonly Bytes[];
  outputs: readonly Bytes[];
  nodes: readonly Bytes[];
  constants?: readonly Bytes[];
}

export function graph({ inputs, outputs, nodes, constants = [] }: Graph): Bytes {
  return message(
    ...nodes.map((bytes): Field => [1, bytes]),
    [2, 'graph'],
    ...constants.map((bytes): Field => [5, bytes]),
    ...inputs.map((bytes): Field => [11, bytes]),
    ...outputs.map((bytes): Field => [12, bytes]),
  );
}

/** @param opset version of the default operator set */
export function model(content: Graph, opset = 17): Bytes {
  return message([1, 8], [2, 'cuebook-trainer'], [7, graph(content)], [8, message([1, ''], [2, opset])]);
}
