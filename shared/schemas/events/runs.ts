import Type from 'typebox';
import type { Reason } from '../../problems.ts';
import { count, IssueSchema, list, object, oneOf, open, optional, text, timestamp } from '../fields.ts';
import { RunOriginSchema } from '../run.ts';
import { ATTEMPT, digest, keptValue, optionalText, RECORD, TOKENS } from './fields.ts';

const RejectionSchema = object('Why the run has no output.', {
  reason: Type.Unsafe<Reason>({ type: 'string', description: 'Why the run was rejected.' }),
  kind: optionalText('The kind of the reason.'),
  because: optionalText('The cause.'),
  detail: text('Why, as a message for people.'),
  retry_after: optional(count('Seconds to wait before a new run.')),
  issues: optional(list('For `invalid_input`: every issue that was found.', IssueSchema)),
  issue_count: optional(
    count('The total number of issues, if `issues` was cut: its last entry then stands for the rest.'),
  ),
});

export const RUN_EVENTS = {
  run_started: object('A run, or another attempt of it, started.', {
    attempt: ATTEMPT,
    input: keptValue('The input of the run.'),
    model: optionalText('The model that the caller named instead of the one in the document.'),
    input_sha256: digest('Digest of the canonical input; never returned.'),
    origin: optional(RunOriginSchema),
    trigger_events: optional(
      list(
        'The ids of the recorded events that started the run together, if there are several; never returned.',
        Type.String(),
      ),
    ),
  }),
  run_deferred: open('A run that cannot end within the request started to wait.', {
    attempt: ATTEMPT,
    waits_for: optionalText('What the run is waiting for, as text for people.'),
    until: optional(timestamp('When the run ends or continues at the latest, if that is known.')),
  }),
  run_succeeded: object('A run ended with an output.', {
    attempt: ATTEMPT,
    output_shape: optionalText('Name of the shape of the output, if it has one.'),
    output: keptValue('The output.'),
    tokens: TOKENS,
    record: RECORD,
  }),
  run_rejected: object('A run was rejected: it ended without an output, for the given reason.', {
    attempt: ATTEMPT,
    rejection: RejectionSchema,
    tokens: TOKENS,
    record: RECORD,
  }),
  run_failed: object('A run failed: the service could not complete it.', {
    attempt: ATTEMPT,
    detail: text('What went wrong, as a message for people.'),
    tokens: TOKENS,
    record: RECORD,
  }),
  run_cancel_requested: open('The cancellation of a waiting run was requested.', {
    kind: oneOf('Why the cancellation was requested.', ['requested', 'parent_ended', 'deadline']),
    detail: optionalText('The reason that the caller gave, or who requested it.'),
  }),
};
