import Type from 'typebox';
import { count, integer, list, object, oneOf, open, optional, text } from '../fields.ts';
import { TriggerReferenceSchema } from '../run.ts';
import { keptValue, optionalText } from './fields.ts';

const STEP = {
  step: text('JSON Pointer to the step in its document.'),
  kind: optionalText('The type of the step: `call`, `do`, `fork`, `for`, `listen`, `set`, `wait`, ...'),
  iterations: optional(
    list(
      'Inside `for`, or `foreach` of a `listen`: the iteration that the event belongs to, from 0. Nested loops have one number per loop, outermost first.',
      Type.Integer({ minimum: 0 }),
    ),
  ),
};

export const WORKFLOW_EVENTS = {
  workflow_input_applied: object('A workflow run applied an input, which moved the steps whose events follow.', {
    kind: text('The kind of input: `started`, `called_run_ended`, `call_answered`, `timer_due`, ...'),
    key: text('The id of the run, call, timer or event.'),
    moved: count('The number of steps that moved.'),
    steps: list('JSON Pointers to the first five of these steps.', Type.String(), { maxItems: 5 }),
    took: optional(list('Ids of the first five events that the run consumed.', Type.String(), { maxItems: 5 })),
  }),
  step_started: open('A step that contains other steps started.', STEP),
  step_waiting: open('A step is waiting.', {
    ...STEP,
    waits_for: optionalText('What the step is waiting for, as text for people.'),
  }),
  step_finished: open('A step finished with an output.', {
    ...STEP,
    case: optionalText('For a `switch`: the case that it took; absent if none matched. An addition to the contract.'),
    output: keptValue('The output of the step.'),
  }),
  step_failed: open('A step raised an error.', {
    ...STEP,
    error: open('The error that the step raised.', {
      type: text('URI of the error type.'),
      status: integer('The status of the error, in terms of HTTP.'),
      title: optionalText('The error in a few words.'),
      detail: optionalText('The error as a message for people.'),
    }),
  }),
  step_skipped: open('A step was skipped.', {
    ...STEP,
    because: optional(
      oneOf('`condition`: its `if` was false; `stopped`: it was stopped before it finished.', ['condition', 'stopped']),
    ),
  }),
  reaction_refused: open('A trigger fired, but no run was started.', {
    trigger: object('The trigger that would have started a run.', TriggerReferenceSchema.properties),
    because: text('Why no run was started, as a code.'),
    detail: optionalText('Why, as a message for people.'),
  }),
};
