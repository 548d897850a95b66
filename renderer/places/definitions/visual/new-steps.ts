// The steps that can be inserted: each is short and valid, and is completed in the form or in the source.
import { WORKFLOW_TASKS } from '../../../../shared/api/descriptions.generated.ts';
import type { JsonObject } from '../../../../shared/json.ts';

export interface NewStep {
  /** How it is offered. */
  title: string;
  about: string;
  /** The name of the inserted step; another one if its list has it already. */
  name: string;
  task: JsonObject;
}

/** The types that are offered first, in this order. */
const FIRST = ['set', 'switch', 'for', 'do', 'fork', 'try', 'wait', 'emit', 'listen', 'raise'];

/** A step of each type of task that offers one. */
export const NEW_STEPS: readonly NewStep[] = [...new Set([...FIRST, ...Object.keys(WORKFLOW_TASKS)])].flatMap(
  (title) => {
    const step = WORKFLOW_TASKS[title]?.insert;
    return step === undefined ? [] : [{ title, ...step }];
  },
);

/** A definition that a step can call. */
export interface Callable {
  /** TYPE/NAME. */
  reference: string;
  /** What the document says about itself. */
  description?: string | undefined;
}

/** A step that calls a definition of the playbook. */
export function callOf({ reference, description }: Callable): NewStep {
  const name = reference.slice(reference.indexOf('/') + 1);
  return { title: reference, about: description ?? 'Call it and wait for its output', name, task: { call: reference } };
}
