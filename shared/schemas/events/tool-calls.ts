import Type from 'typebox';
import { ARGUMENTS_SIZE, CLOSED, count, keptValue, optionalText, RESULT_SIZE, TOOL } from './fields.ts';

const CALL = {
  attempt: Type.Optional(
    Type.Integer({ minimum: 1, description: 'The attempt of the run; absent for a test of a tool.' }),
  ),
  call_id: Type.Optional(
    Type.String({
      format: 'uuid',
      description: 'The id of the call, for a test of a tool; absent for a call by a run.',
    }),
  ),
  step: optionalText('JSON Pointer to the calling step; workflow runs only.'),
  ...TOOL,
};

export const TOOL_CALL_EVENTS = {
  tool_call_started: Type.Object(
    {
      ...CALL,
      read_only: Type.Optional(Type.Literal(true, { description: 'The server marks the tool as read-only.' })),
      arguments: keptValue('The arguments, with secrets removed.'),
      ...ARGUMENTS_SIZE,
    },
    { ...CLOSED, description: 'A tool is about to be called. If no result follows, the call may have had an effect.' },
  ),
  tool_call_answered: Type.Object(
    {
      ...CALL,
      is_error: Type.Optional(Type.Literal(true, { description: 'The tool returned an error as its result.' })),
      duration_ms: Type.Optional(count('Milliseconds from the call to its result.')),
      answer: keptValue('The result, with secrets removed.'),
      ...RESULT_SIZE,
    },
    { ...CLOSED, description: 'A tool returned a result.' },
  ),
  tool_call_failed: Type.Object(
    {
      ...CALL,
      because: Type.Enum(['arguments_refused', 'server_failure', 'timed_out', 'cancelled', 'too_large'], {
        description: 'Why there is no result.',
      }),
      detail: optionalText('Why, as a message for people.'),
      duration_ms: Type.Optional(count('Milliseconds from the call to its failure.')),
      ...RESULT_SIZE,
    },
    { ...CLOSED, description: 'A tool call returned no result.' },
  ),
};
