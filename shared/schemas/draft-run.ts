// The schemas of what run_draft takes and returns.
import Type, { type Static } from 'typebox';
import { DRAFT_BOUNDS, LIMITS } from '../limits.ts';
import { KIB } from '../product.ts';
import type { Reason } from '../problems.ts';
import {
  count,
  flag,
  IssueSchema,
  jsonObject,
  list,
  object,
  oneOf,
  optional,
  SourceIssueSchema,
  text,
  timestamp,
} from './fields.ts';

const CALL_ID = text(
  'The call: JSON Pointers of the calling steps, joined by ` > `; `#2` is the second call of a step.',
  { maxLength: 4000, examples: ['/do/1/approve'] },
);
const SHOWN_OUTPUT = {
  output: optional(
    Type.Unknown({
      description: `Left out if it exceeds ${LIMITS.shownValueBytes / KIB} KiB, or all of them ${DRAFT_BOUNDS.shownBytes / KIB} KiB.`,
    }),
  ),
  output_bytes: optional(count('The size of an output that is left out.')),
};

/** How a call ended, as the caller gives it. */
export const GivenResultSchema = object({
  call: CALL_ID,
  output: optional(Type.Unknown({ description: 'The output of the call, or the answer to its question.' })),
  failure: optional(
    oneOf('Instead of `output`: how the call ends.', [
      'invalid_input',
      'unavailable',
      'unanswered',
      'cancelled',
      'failed',
    ]),
  ),
});

export const DraftStepSchema = object({
  step: text('JSON Pointer of the step.'),
  kind: text('`call`, `do`, `set`, ...'),
  iterations: optional(
    list('The iterations of the loops around the step, outermost first, from 0.', Type.Integer({ minimum: 0 })),
  ),
  state: oneOf('Its state now.', ['started', 'waiting', 'finished', 'failed', 'skipped']),
  at: timestamp('When it came to this state, by the time of the draft run: timers take no time.'),
  taken: optional(text('The case that a `switch` took.')),
  waits_for: optional(text('What the step waits for.')),
  because: optional(oneOf('Why it was skipped.', ['condition', 'stopped'])),
  ...SHOWN_OUTPUT,
  error: optional(jsonObject('The error of a failed step.')),
});

export const DraftCallSchema = object({
  call: CALL_ID,
  called: text('TYPE/NAME, or SERVER/TOOL.'),
  how: oneOf(
    '`run`: a function of the playbook was run, `called`: a model, tool or service was called, `given`: the caller gave the result, `dry_run`: a tool was only checked, `open`: it has no result yet.',
    ['run', 'given', 'called', 'dry_run', 'open'],
  ),
  status: oneOf('How it ended.', ['succeeded', 'rejected', 'failed', 'waiting']),
  detail: optional(text('Why it did not succeed, or what a dry run found.')),
  ...SHOWN_OUTPUT,
});

export const DraftQuestionSchema = object({
  call: CALL_ID,
  called: text('What was called: TYPE/NAME, or SERVER/TOOL.'),
  asks_for: oneOf('The answer to a question, or the result of a call that a draft run does not make.', [
    'answer',
    'result',
  ]),
  to: optional(text('The party that a question is addressed to.')),
  message: optional(text('The question.')),
  detail: optional(text('Why the call was not made, and what a dry run found.')),
  schema: optional(jsonObject('JSON Schema of the answer or result.')),
  issues: optional(list('Why the given result does not match the schema.', IssueSchema)),
});

export const DraftRunSchema = object({
  valid: flag('Whether the document can be saved; if not, it was not run.'),
  issues: list('Errors that prevent saving.', SourceIssueSchema),
  status: optional(
    oneOf('`waiting`: it has open questions, or waits for an event. Absent if the document is not valid.', [
      'succeeded',
      'rejected',
      'failed',
      'waiting',
    ]),
  ),
  output: optional(Type.Unknown({ description: 'The output, if it succeeded.' })),
  output_shape: optional(text('Name of the shape of the output, if it has one.')),
  rejection: optional(
    object('Why it was rejected.', {
      reason: Type.Unsafe<Reason>({ type: 'string', description: 'The reason.' }),
      kind: optional(text('The kind of the reason.')),
      because: optional(text('The cause.')),
      issues: optional(list('Of `invalid_input`.', IssueSchema)),
    }),
  ),
  detail: optional(text('Why it did not succeed, or what it waits for.')),
  record: optional(jsonObject('What the run did besides its output, such as the turns and tokens of a model.')),
  duration_ms: count('How long this request ran the draft.'),
  steps: list(`The steps of a workflow, each in its last state: the first ${DRAFT_BOUNDS.steps}.`, DraftStepSchema),
  calls: list('What it called, in order, calls of called workflows included.', DraftCallSchema),
  questions: list('To continue, send `continuation` with a result for each.', DraftQuestionSchema),
  published: list('Events that a run would publish. None was published.', jsonObject('A CloudEvent.')),
  continuation: optional(
    object(
      `What to send with the same source and input to continue; absent if the run has ended, or if the results exceed ${DRAFT_BOUNDS.resultBytes / KIB} KiB.`,
      {
        run_id: text('The id that the draft run sees as its own.', { format: 'uuid' }),
        started_at: timestamp('When the draft run started.'),
        results: list('The results so far that cannot be computed again. Add yours.', GivenResultSchema),
      },
    ),
  ),
  shortened: optional(flag('True if steps, calls, questions or events are left out.')),
});
export type DraftRun = Static<typeof DraftRunSchema>;
