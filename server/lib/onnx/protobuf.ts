// Reads protobuf messages from untrusted bytes. It is stricter than the format, because the bytes are later read again
// by another parser (onnxruntime's), and both must see the same model:
// 1. A field that the message type does not have, a group, and a second value of a singular field (which other parsers
//    merge) are errors.
// 2. Integers beyond the range of their field, which other parsers truncate, are errors.
// 3. Depth and the number of kept values are bounded; values that nobody needs are checked and counted, not kept.
import { FaultyModel } from './fault.ts';

/** `blob`, `varint`, `fixed32` and `fixed64` are checked but not kept; the others are. */
export type ScalarType = 'text' | 'bytes' | 'int32' | 'int64' | 'blob' | 'varint' | 'fixed32' | 'fixed64';

export interface MessageType {
  name: string;
  fields: Readonly<Record<number, Field>>;
}

interface Field {
  name: string;
  type: ScalarType | (() => MessageType);
  isRepeated: boolean;
}

/** A repeated field is an array; one whose values are not kept is their number. Absent fields are absent. */
export type Message = Record<string, unknown>;

export function one(name: string, type: Field['type']): Field {
  return { name, type, isRepeated: false };
}

export function many(name: string, type: Field['type']): Field {
  return { name, type, isRepeated: true };
}

export interface Bounds {
  depth: number;
  /** The number of messages and of other values that are kept. */
  values: number;
}

const VARINT = 0;
const FIXED64 = 1;
const DELIMITED = 2;
const FIXED32 = 5;
const WIRE_TYPES: Readonly<Record<ScalarType, number>> = {
  text: DELIMITED,
  bytes: DELIMITED,
  blob: DELIMITED,
  int32: VARINT,
  int64: VARINT,
  varint: VARINT,
  fixed32: FIXED32,
  fixed64: FIXED64,
};
const MOST_VARINT_BYTES = 10;
const MAX_INT32 = 2 ** 31 - 1;

/** @throws FaultyModel `load`, with the offset in the bytes */
export function readMessage(bytes: Uint8Array, type: MessageType, bounds: Bounds): Message {
  return new Reader(bytes, bounds.values).message(type, bytes.length, bounds.depth);
}

class Reader {
  readonly #bytes: Uint8Array;
  readonly #utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  #valuesLeft: number;
  #at = 0;
  #end = 0;
  /** Which field is being read, for errors. */
  #where = '';

  constructor(bytes: Uint8Array, values: number) {
    this.#bytes = bytes;
    this.#valuesLeft = values;
  }

  message(type: MessageType, end: number, depthLeft: number): Message {
    if (depthLeft === 0) this.#fail('it is nested too deeply');
    const message: Message = {};
    const outerEnd = this.#end;
    this.#end = end;
    while (this.#at < end) this.#field(type, message, depthLeft);
    this.#end = outerEnd;
    return message;
  }

  #field(type: MessageType, message: Message, depthLeft: number): void {
    this.#where = type.name;
    const tag = this.#integer(MAX_INT32);
    const number = Math.floor(tag / 8);
    const wireType = tag % 8;
    const field = type.fields[number];
    if (field === undefined) return this.#fail(`field ${number} is unknown`);
    this.#where = `${type.name}.${field.name}`;
    const { name, type: fieldType, isRepeated } = field;
    if (!isRepeated && Object.hasOwn(message, name)) this.#fail('the field occurs twice');

    if (typeof fieldType === 'function') {
      if (wireType !== DELIMITED) this.#fail(`wire type ${wireType} does not fit the field`);
      const value = this.message(fieldType(), this.#endOfDelimited(), depthLeft - 1);
      this.#keep(message, field, value);
      return;
    }
    const expected = WIRE_TYPES[fieldType];
    if (isRepeated && wireType === DELIMITED && expected !== DELIMITED) {
      const outerEnd = this.#end;
      const end = this.#endOfDelimited();
      this.#end = end;
      while (this.#at < end) this.#keep(message, field, this.#scalar(fieldType));
      this.#end = outerEnd;
      return;
    }
    if (wireType !== expected) this.#fail(`wire type ${wireType} does not fit the field`);
    this.#keep(message, field, this.#scalar(fieldType));
  }

  #keep(message: Message, { name, isRepeated }: Field, value: unknown): void {
    if (value !== undefined) this.#valuesLeft -= 1;
    if (this.#valuesLeft < 0) this.#fail('it has too many parts');
    if (!isRepeated) message[name] = value;
    else if (value === undefined) message[name] = ((message[name] as number | undefined) ?? 0) + 1;
    else {
      const values = message[name] as unknown[] | undefined;
      if (values === undefined) message[name] = [value];
      else values.push(value);
    }
  }

  /** Undefined where the type is not kept. */
  #scalar(type: ScalarType): unknown {
    switch (type) {
      case 'int32':
        return this.#integer(MAX_INT32);
      case 'int64':
        return this.#integer(Number.MAX_SAFE_INTEGER);
      case 'varint':
        return this.#skipVarint();
      case 'fixed32':
        return this.#skip(4);
      case 'fixed64':
        return this.#skip(8);
      case 'text':
        return this.#text();
      case 'bytes':
        return this.#delimited();
      case 'blob':
        this.#delimited();
        return undefined;
    }
  }

  /** No field that is kept has a meaning for negative numbers. */
  #integer(most: number): number {
    const from = this.#at;
    this.#skipVarint();
    let value = 0;
    for (let at = this.#at - 1; at >= from; at -= 1) value = value * 128 + ((this.#bytes[at] ?? 0) & 0x7f);
    if (value > most) this.#fail('the number is negative or too large');
    return value;
  }

  #skipVarint(): undefined {
    const from = this.#at;
    while (this.#at < this.#end) {
      const byte = this.#bytes[this.#at] ?? 0;
      this.#at += 1;
      const length = this.#at - from;
      if (byte < 0x80) {
        if (byte === 0 && length > 1) this.#fail('a number is longer than necessary');
        if (length === MOST_VARINT_BYTES && byte > 1) this.#fail('a number has more than 64 bits');
        return undefined;
      }
      if (length === MOST_VARINT_BYTES) this.#fail('a number has more than 64 bits');
    }
    return this.#fail('the bytes end inside of a number');
  }

  #skip(length: number): undefined {
    if (length > this.#end - this.#at) this.#fail('the bytes end before the field does');
    this.#at += length;
  }

  #endOfDelimited(): number {
    const length = this.#integer(Number.MAX_SAFE_INTEGER);
    if (length > this.#end - this.#at) this.#fail('the bytes end before the field does');
    return this.#at + length;
  }

  #delimited(): Uint8Array {
    const end = this.#endOfDelimited();
    const value = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return value;
  }

  #text(): string {
    const bytes = this.#delimited();
    try {
      return this.#utf8.decode(bytes);
    } catch {
      return this.#fail('the text is not UTF-8');
    }
  }

  #fail(what: string): never {
    throw new FaultyModel(
      'load',
      `The model is not a valid ONNX file: in ${this.#where || 'it'}, before byte ${this.#at}, ${what}. Export it again, for example with onnx.save, and upload the file unchanged.`,
    );
  }
}
