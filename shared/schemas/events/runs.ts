import Type from 'typebox';
import type { Reason } from '../../problems.ts';
import { IssueSchema, timestamp } from '../fields.ts';
import { RunOriginSchema } from '../run.ts';
import { ATTEMPT, CLOSED, count, digest, keptValue, optionalText, RECORD, text, TOKENS } from './fields.ts';

const RejectionSchema = Type.Object(
  {
    reason: Type.Unsafe<Reason>({ type: 'string', description: 'Why the run was rejected.' }),
    kind: optionalText('The kind of the reason.'),
    because: optionalText('The cause.'),
    detail: text('Why, as a message for people.'),
    retry_after: Type.Optional(count('Seconds to wait before a new run.')),
    issues: Type.Optional(Type.Array(IssueSchema, { description: 'For `invalid_input`: every issue that was found.' })),
    issue_count: Type.Optional(
      count('The total number of issues, if `issues` was cut: its last entry then stands for the rest.'),
    ),
  },
  { ...CLOSED, description: 'Why the run has no output.' },
);

export const RUN_EVENTS = {
  run_started: Type.Object(
    {
      attempt: ATTEMPT,
      input: keptValue('The input of the run.'),
      model: optionalText('The model that the caller named instead of the one in the document.'),
      input_sha256: digest('Digest of the canonical input; never returned.'),
      origin: Type.Optional(RunOriginSchema),
      trigger_events: Type.Optional(
        Type.Array(Type.String(), {
          description:
            'The ids of the recorded events that started the run together, if there are several; never returned.',
        }),
      ),
    },
    { ...CLOSED, description: 'A run, or another attempt of it, started.' },
  ),
  run_deferred: Type.Object(
    {
      attempt: ATTEMPT,
      waits_for: optionalText('What the run is waiting for, as text for people.'),
      until: Type.Optional(timestamp('When the run ends or continues at the latest, if that is known.')),
    },
    { description: 'A run that cannot end within the request started to wait.' },
  ),
  run_succeeded: Type.Object(
    {
      attempt: ATTEMPT,
      output_shape: optionalText('Name of the shape of the output, if it has one.'),
      output: keptValue('The output.'),
      tokens: TOKENS,
      record: RECORD,
    },
    { ...CLOSED, description: 'A run ended with an output.' },
  ),
  run_rejected: Type.Object(
    { attempt: ATTEMPT, rejection: RejectionSchema, tokens: TOKENS, record: RECORD },
    { ...CLOSED, description: 'A run was rejected: it ended without an output, for the given reason.' },
  ),
  run_failed: Type.Object(
    { attempt: ATTEMPT, detail: text('What went wrong, as a message for people.'), tokens: TOKENS, record: RECORD },
    { ...CLOSED, description: 'A run failed: the service could not complete it.' },
  ),
  run_cancel_requested: Type.Object(
    {
      kind: Type.Enum(['requested', 'parent_ended', 'deadline'], {
        description: 'Why the cancellation was requested.',
      }),
      detail: optionalText('The reason that the caller gave, or who requested it.'),
    },
    { description: 'The cancellation of a waiting run was requested.' },
  ),
};
