import type { Json } from '../../../shared/json.ts';

/** The JSON Pointer of a step, as in the graph: `/do/2/charge`, or `/use/functions/NAME`. */
export type StepPath = string;

/** The JSON Pointer of a list of steps: `/do`, `/do/1/each/do`, `/do/3/f/fork/branches`. */
export type ListPath = string;

export type StepEdit =
  /** Adds a step so that its index is `at`, from 0 to the length of the list. A taken name gets a number. */
  | { do: 'insert'; list: ListPath; at: number; name: string; task: Json }
  /** Moves a step so that its index in the list is `at` afterwards. A name that is taken there gets a number. */
  | { do: 'move'; step: StepPath; list: ListPath; at: number }
  /** Removes a step. An empty list remains as `[]`. */
  | { do: 'delete'; step: StepPath }
  | { do: 'rename'; step: StepPath; name: string }
  /**
   * Sets a field of the task, with the objects that it needs; undefined removes it, and `input`, `output`, `export`
   * and `metadata` with it if they are then empty. In an object, only what differs is changed.
   * @param field a JSON Pointer into the task, such as `/output/as`
   */
  | { do: 'set'; step: StepPath; field: string; value: Json | undefined }
  /** Adds a copy after the step. */
  | { do: 'duplicate'; step: StepPath };

/** A change of the text. Offsets are in UTF-16 code units of the source before the edit. */
export interface TextChange {
  from: number;
  to: number;
  insert: string;
}

export type EditResult =
  /** Changes in the order of the source; they do not touch each other. `step` is absent after `delete`. */
  | { changes: TextChange[]; step?: StepPath }
  /** A sentence that says why the edit is not made, and what to do instead. */
  | { refused: string };
