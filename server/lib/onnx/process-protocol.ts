// What a server and a model process send each other, over Node's channel with its `advanced` serialization.
import { MIB } from '../../../shared/product.ts';
import type { Fault } from './fault.ts';
import type { ModelFacts } from './read-model.ts';
import type { Signature } from './signature.ts';

/** Values of an input, row after row. */
export type TensorData = Float32Array | BigInt64Array;

/** Rows for a model, by input. Inputs that the model does not declare are not sent. */
export interface Batch {
  /** The number of rows, 1 to 1,024. */
  rows: number;
  tensors: Readonly<Record<string, TensorData>>;
}

/** A part of the model that is loaded next. Parts are sent in order and not answered. */
export interface ModelPart {
  part: Uint8Array;
  at: number;
  /** The bytes of the whole model. */
  size: number;
}

/** A message blocks the server while it is written: larger models are sent in parts. */
export const PART_BYTES = MIB;

export type ProcessRequest =
  | { request: 'load'; key: string; signature: Signature }
  | { request: 'run'; key: string; batch: Batch }
  | { request: 'release'; key: string };

export type ProcessAnswer =
  /** The process has started. */
  | { answer: 'ready' }
  /** The runtime cannot be loaded. */
  | { answer: 'no_runtime'; detail: string }
  | { answer: 'loaded'; facts: ModelFacts }
  | { answer: 'ran'; type: string; dims: readonly number[]; data: unknown }
  | { answer: 'released' }
  | { answer: 'fault'; fault: Fault };

/** The memory that a process may allocate. Node does not start with less. */
export const MEMORY_LIMIT_KB = 1_000_000;
