// What a draft run keeps for its answer. What does not fit is not kept while the draft runs either: a run in a loop could
// otherwise fill the memory of the server.
import type { Json } from '../../../shared/json.ts';
import { DRAFT_BOUNDS, LIMITS } from '../../../shared/limits.ts';
import { jsonBytes } from '../../lib/canonical-json.ts';

/** Shows outputs as long as there is room for them. */
export interface OutputRoom {
  show: (output: Json | undefined) => { output?: Json; output_bytes?: number };
}

export function createOutputRoom(): OutputRoom {
  let room: number = DRAFT_BOUNDS.shownBytes;
  return {
    show(output) {
      if (output === undefined) return {};
      const bytes = jsonBytes(output);
      if (bytes > LIMITS.shownValueBytes || bytes > room) return { output_bytes: bytes };
      room -= bytes;
      return { output };
    },
  };
}

/** Values as JSON, until they have too many bytes together. */
export interface BoundedList<Value> {
  values: readonly Value[];
  isFull: () => boolean;
  /** Adds the value if it fits; once one does not, no other is added. */
  add: (value: Value) => void;
}

export function createBoundedList<Value>(mostBytes: number): BoundedList<Value> {
  const values: Value[] = [];
  let bytes = 0;
  return {
    values,
    isFull: () => bytes > mostBytes,
    add(value) {
      if (bytes > mostBytes) return;
      bytes += jsonBytes(value);
      if (bytes <= mostBytes) values.push(value);
    },
  };
}
