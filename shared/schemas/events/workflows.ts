import Type from 'typebox';
import { TriggerReferenceSchema } from '../run.ts';
import { CLOSED, count, keptValue, optionalText, text } from './fields.ts';

const STEP = {
  step: text('JSON Pointer to the step in its document.'),
  kind: optionalText('The type of the step: `call`, `do`, `fork`, `for`, `listen`, `set`, `wait`, ...'),
  iterations: Type.Optional(
    Type.Array(Type.Integer({ minimum: 0 }), {
      description:
        'Inside `for`, or `foreach` of a `listen`: the iteration that the event belongs to, from 0. Nested loops have one number per loop, outermost first.',
    }),
  ),
};

export const WORKFLOW_EVENTS = {
  workflow_input_applied: Type.Object(
    {
      kind: text('The kind of input: `started`, `called_run_ended`, `call_answered`, `timer_due`, ...'),
      key: text('The id of the run, call, timer or event.'),
      moved: count('The number of steps that moved.'),
      steps: Type.Array(Type.String(), { maxItems: 5, description: 'JSON Pointers to the first five of these steps.' }),
      took: Type.Optional(
        Type.Array(Type.String(), {
          maxItems: 5,
          description: 'Ids of the first five events that the run consumed.',
        }),
      ),
    },
    { ...CLOSED, description: 'A workflow run applied an input, which moved the steps whose events follow.' },
  ),
  step_started: Type.Object(STEP, { description: 'A step that contains other steps started.' }),
  step_waiting: Type.Object(
    { ...STEP, waits_for: optionalText('What the step is waiting for, as text for people.') },
    { description: 'A step is waiting.' },
  ),
  step_finished: Type.Object(
    {
      ...STEP,
      case: optionalText('For a `switch`: the case that it took; absent if none matched. An addition to the contract.'),
      output: keptValue('The output of the step.'),
    },
    { description: 'A step finished with an output.' },
  ),
  step_failed: Type.Object(
    {
      ...STEP,
      error: Type.Object(
        {
          type: text('URI of the error type.'),
          status: Type.Integer({ description: 'The status of the error, in terms of HTTP.' }),
          title: optionalText('The error in a few words.'),
          detail: optionalText('The error as a message for people.'),
        },
        { description: 'The error that the step raised.' },
      ),
    },
    { description: 'A step raised an error.' },
  ),
  step_skipped: Type.Object(
    {
      ...STEP,
      because: Type.Optional(
        Type.Enum(['condition', 'stopped'], {
          description: '`condition`: its `if` was false; `stopped`: it was stopped before it finished.',
        }),
      ),
    },
    { description: 'A step was skipped.' },
  ),
  reaction_refused: Type.Object(
    {
      trigger: Type.Object(TriggerReferenceSchema.properties, {
        ...CLOSED,
        description: 'The trigger that would have started a run.',
      }),
      because: text('Why no run was started, as a code.'),
      detail: optionalText('Why, as a message for people.'),
    },
    { description: 'A trigger fired, but no run was started.' },
  ),
};
