import Type from 'typebox';
import { TriggerReferenceSchema } from '../run.ts';
import { CLOSED, count, keptValue, optionalText, text } from './fields.ts';

const STEP = {
  step: text('JSON Pointer of the step in its document.'),
  kind: optionalText('What the step is: `call`, `do`, `fork`, `for`, `listen`, `set`, `wait`, ...'),
  iterations: Type.Optional(
    Type.Array(Type.Integer({ minimum: 0 }), {
      description:
        'Inside `for`, or `foreach` of a `listen`: which iteration the event belongs to, from 0; for nested loops one number a loop, outermost first.',
    }),
  ),
};

export const WORKFLOW_EVENTS = {
  workflow_input_applied: Type.Object(
    {
      kind: text('What the run took in: `started`, `called_run_ended`, `call_answered`, `timer_due`, ...'),
      key: text('Which one: the id of the run, call, timer or event.'),
      moved: count('Steps moved by it.'),
      steps: Type.Array(Type.String(), { maxItems: 5, description: 'JSON Pointers of the first five steps moved.' }),
      took: Type.Optional(
        Type.Array(Type.String(), {
          maxItems: 5,
          description: 'Ids of the first five events, sent to the run, that it took.',
        }),
      ),
    },
    { ...CLOSED, description: 'A workflow run took one input, which moved the steps whose events follow.' },
  ),
  step_started: Type.Object(STEP, { description: 'A step that runs others started and still runs.' }),
  step_waiting: Type.Object(
    { ...STEP, waits_for: optionalText('What the step waits for, in words.') },
    { description: 'A step waits.' },
  ),
  step_finished: Type.Object(
    { ...STEP, output: keptValue('What the step gave.') },
    { description: 'A step ended with its output.' },
  ),
  step_failed: Type.Object(
    {
      ...STEP,
      error: Type.Object(
        {
          type: text('URI of the error type.'),
          status: Type.Integer({ description: 'The status of the error, as of HTTP.' }),
          title: optionalText('The error in a few words.'),
          detail: optionalText('The error in words.'),
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
        Type.Enum(['condition', 'stopped'], { description: 'Its `if` did not hold, or it was stopped on its way.' }),
      ),
    },
    { description: 'A step was passed over.' },
  ),
  reaction_refused: Type.Object(
    {
      trigger: Type.Object(TriggerReferenceSchema.properties, {
        ...CLOSED,
        description: 'The trigger that would have started a run.',
      }),
      because: text('Why no run was started, as a word.'),
      detail: optionalText('Why, in words.'),
    },
    { description: 'A trigger fired and no run was started.' },
  ),
};
