import Type, { type Static } from 'typebox';
import { integer, objects, optional, text } from './fields.ts';

/** A problem document (RFC 9457). */
export const ProblemSchema = Type.Object({
  type: text('A URI that identifies the problem; its last segment is the name.', { format: 'uri' }),
  title: text('The problem in a few words.'),
  status: integer('The HTTP status.', { minimum: 400, maximum: 599 }),
  detail: text('What is wrong and what to do.'),
  reason: text('The reason of the refusal or rejection.'),
  kind: optional(text('The kind of the reason.')),
  because: optional(text('The cause.')),
  instance: optional(text('With status 500: identifies the entry in the log.', { format: 'uri' })),
  errors: optional(
    objects('With `invalid_input`: every issue that was found.', {
      detail: text('What is wrong and what to write instead.'),
      pointer: text('JSON Pointer (RFC 6901) to the value.'),
    }),
  ),
  run_id: optional(text('The run that ended with this problem.', { format: 'uuid' })),
});
export type Problem = Static<typeof ProblemSchema>;
