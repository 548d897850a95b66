// How the steps of a workflow are edited: each type of task describes it on the server, and the studio follows it.
import type { JsonObject } from './json.ts';

export interface TaskEditing {
  /** A step that can be inserted: short and valid. Absent: none is offered. */
  insert?: { about: string; name: string; task: JsonObject };
  /** The fields of the form beside those of every step. Lists of steps have none: they are edited in the graph. */
  fields?: readonly TaskField[];
  /** JSON Pointers, in the task, of its lists of steps. */
  lists?: readonly { at: string; isBranches?: boolean }[];
  /** What the schema of the standard lacks, or has and the service does not support; for completion in the editor. */
  schema?: SchemaChange;
}

/** Pointers are into the schema of the standard. */
export interface SchemaChange {
  /** A schema with `oneOf`: titles of alternatives that are left out, and further ones. */
  alternatives: { at: string; without?: readonly string[]; add?: readonly JsonObject[] };
  /** Members that are left out. */
  remove?: readonly string[];
}

export interface TaskField {
  label: string;
  /** JSON Pointer in the task. */
  pointer: string;
  /** `text` on one line; `json` as text; `called` and `target` by a choice of definitions or of steps. */
  kind: 'text' | 'json' | 'called' | 'target';
  /** The task is not valid without it. */
  isRequired?: boolean;
  placeholder?: string;
}
