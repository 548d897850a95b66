import Type from 'typebox';
import type { Reason } from '../../problems.ts';
import { IssueSchema, timestamp } from '../fields.ts';
import { ATTEMPT, CLOSED, count, digest, keptValue, optionalText, RECORD, text, TOKENS } from './fields.ts';

const RejectionSchema = Type.Object(
  {
    reason: Type.Unsafe<Reason>({ type: 'string', description: 'Why the run was rejected.' }),
    kind: optionalText('Which case of the reason.'),
    because: optionalText('What lies behind it.'),
    detail: text('Why, in words.'),
    retry_after: Type.Optional(count('Seconds after which it may succeed.')),
    issues: Type.Optional(Type.Array(IssueSchema, { description: 'For `invalid_input`: everything that is wrong.' })),
    issue_count: Type.Optional(
      count('How many issues there are, where `issues` was cut: its last entry then stands for the rest.'),
    ),
  },
  { ...CLOSED, description: 'Why the run has no output.' },
);

export const RUN_EVENTS = {
  run_started: Type.Object(
    {
      attempt: ATTEMPT,
      input: keptValue('What the run was given.'),
      input_sha256: digest('Digest of the canonical input; never shown.'),
    },
    { ...CLOSED, description: 'A run, or a further attempt of it, started.' },
  ),
  run_deferred: Type.Object(
    {
      attempt: ATTEMPT,
      waits_for: optionalText('What the run waits for, in words.'),
      until: Type.Optional(timestamp('When it ends or goes on at the latest, where that is known.')),
    },
    { description: 'A run that cannot end within its request began to wait.' },
  ),
  run_succeeded: Type.Object(
    {
      attempt: ATTEMPT,
      output_shape: optionalText('Name of the shape of the output, where it takes one.'),
      output: keptValue('What the run gave.'),
      tokens: TOKENS,
      record: RECORD,
    },
    { ...CLOSED, description: 'A run ended with an output.' },
  ),
  run_rejected: Type.Object(
    { attempt: ATTEMPT, rejection: RejectionSchema, tokens: TOKENS, record: RECORD },
    { ...CLOSED, description: 'A run ended without an output, for a reason that is given.' },
  ),
  run_failed: Type.Object(
    { attempt: ATTEMPT, detail: text('What went wrong, in words.'), tokens: TOKENS, record: RECORD },
    { ...CLOSED, description: 'A run broke off, or the service failed in it.' },
  ),
  run_cancel_requested: Type.Object(
    {
      kind: Type.Enum(['requested', 'parent_ended', 'deadline'], { description: 'What asked for it.' }),
      detail: optionalText('The reason that was given, or who asked.'),
    },
    { description: 'A run that waits was asked to stop.' },
  ),
};
