import Type from 'typebox';
import { count, integer, object, oneOf, optional, text } from '../fields.ts';
import { ARGUMENTS_SIZE, keptValue, optionalText, RESULT_SIZE, TOOL } from './fields.ts';

const CALL = {
  attempt: optional(integer('The attempt of the run; absent for a test of a tool.', { minimum: 1 })),
  call_id: optional(text('The id of the call, for a test of a tool; absent for a call by a run.', { format: 'uuid' })),
  step: optionalText('JSON Pointer to the calling step; workflow runs only.'),
  ...TOOL,
};

export const TOOL_CALL_EVENTS = {
  tool_call_started: object('A tool is about to be called. If no result follows, the call may have had an effect.', {
    ...CALL,
    read_only: optional(Type.Literal(true, { description: 'The server marks the tool as read-only.' })),
    arguments: keptValue('The arguments, with secrets removed.'),
    ...ARGUMENTS_SIZE,
  }),
  tool_call_answered: object('A tool returned a result.', {
    ...CALL,
    is_error: optional(Type.Literal(true, { description: 'The tool returned an error as its result.' })),
    duration_ms: optional(count('Milliseconds from the call to its result.')),
    answer: keptValue('The result, with secrets removed.'),
    ...RESULT_SIZE,
  }),
  tool_call_failed: object('A tool call returned no result.', {
    ...CALL,
    because: oneOf('Why there is no result.', [
      'arguments_refused',
      'server_failure',
      'timed_out',
      'cancelled',
      'too_large',
    ]),
    detail: optionalText('Why, as a message for people.'),
    duration_ms: optional(count('Milliseconds from the call to its failure.')),
    ...RESULT_SIZE,
  }),
};
