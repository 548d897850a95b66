import Type from 'typebox';
import { ARGUMENTS_SIZE, CLOSED, count, keptValue, optionalText, RESULT_SIZE, TOOL } from './fields.ts';

const CALL = {
  attempt: Type.Optional(
    Type.Integer({ minimum: 1, description: 'The attempt of the run; absent for a test of a tool.' }),
  ),
  call_id: Type.Optional(
    Type.String({ format: 'uuid', description: 'The call, for a test of a tool; absent for a call by a run.' }),
  ),
  step: optionalText('JSON Pointer of the calling step; workflow runs only.'),
  ...TOOL,
};

export const TOOL_CALL_EVENTS = {
  tool_call_started: Type.Object(
    {
      ...CALL,
      read_only: Type.Optional(
        Type.Literal(true, { description: 'The server marks the tool as one that only reads.' }),
      ),
      arguments: keptValue('The arguments, scrubbed of secrets.'),
      ...ARGUMENTS_SIZE,
    },
    { ...CLOSED, description: 'A tool is about to be called; without an answer it may have had an effect.' },
  ),
  tool_call_answered: Type.Object(
    {
      ...CALL,
      is_error: Type.Optional(Type.Literal(true, { description: "The tool's own result is an error." })),
      duration_ms: Type.Optional(count('Milliseconds from the call to its answer.')),
      answer: keptValue('The result, scrubbed of secrets.'),
      ...RESULT_SIZE,
    },
    { ...CLOSED, description: 'A tool gave its result.' },
  ),
  tool_call_failed: Type.Object(
    {
      ...CALL,
      because: Type.Enum(['arguments_refused', 'server_failure', 'timed_out', 'cancelled', 'too_large'], {
        description: 'Why there is no result.',
      }),
      detail: optionalText('Why, in words.'),
      duration_ms: Type.Optional(count('Milliseconds from the call to its failure.')),
      ...RESULT_SIZE,
    },
    { ...CLOSED, description: 'A call of a tool gave no result.' },
  ),
};
