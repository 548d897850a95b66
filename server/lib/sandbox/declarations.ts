// The names that a program can use without declaring them, from what it exports.
import type { Json, JsonObject } from '../../../shared/json.ts';
import { ambientConsole, type EventKind, playbookEventType } from './ambient.ts';
import { type Literals, typeOfSchema, typeOfState } from './schema-types.ts';

/** The schemas behind the ambient names of a program. */
export interface ProgramTypes {
  Input: JsonObject | undefined;
  Output: JsonObject | undefined;
  /** For a program that keeps a view: what its state begins with, and what its events are about. */
  view?: { initial: Json; events: readonly EventKind[] };
}

/** TypeScript that declares them. @param output whether the constants of the output stand for their whole types */
export function declarationsOf({ Input, Output, view }: ProgramTypes, output: Literals = 'exact'): string {
  return [
    typeOfSchema('Input', Input),
    typeOfSchema('Output', Output, output),
    view === undefined ? 'type State = any;' : typeOfState(view.initial),
    playbookEventType(view?.events),
    ambientConsole(),
  ].join('\n');
}
