// The schemas of what run_draft takes and returns.
import Type, { type Static } from 'typebox';
import { DRAFT_BOUNDS, LIMITS } from '../limits.ts';
import { KIB } from '../product.ts';
import type { Reason } from '../problems.ts';
import { IssueSchema, jsonObject, SourceIssueSchema, timestamp } from './fields.ts';

const CLOSED = { additionalProperties: false } as const;
const CALL_ID = Type.String({
  maxLength: 4000,
  description: 'The call: JSON Pointers of the calling steps, joined by ` > `; `#2` is the second call of a step.',
  examples: ['/do/1/approve'],
});
const SHOWN_OUTPUT = {
  output: Type.Optional(
    Type.Unknown({
      description: `Left out if it exceeds ${LIMITS.shownValueBytes / KIB} KiB, or all of them ${DRAFT_BOUNDS.shownBytes / KIB} KiB.`,
    }),
  ),
  output_bytes: Type.Optional(Type.Integer({ minimum: 0, description: 'The size of an output that is left out.' })),
};

/** How a call ended, as the caller gives it. */
export const GivenResultSchema = Type.Object(
  {
    call: CALL_ID,
    output: Type.Optional(Type.Unknown({ description: 'The output of the call, or the answer to its question.' })),
    failure: Type.Optional(
      Type.Enum(['invalid_input', 'unavailable', 'unanswered', 'cancelled', 'failed'], {
        description: 'Instead of `output`: how the call ends.',
      }),
    ),
  },
  CLOSED,
);

export const DraftStepSchema = Type.Object(
  {
    step: Type.String({ description: 'JSON Pointer of the step.' }),
    kind: Type.String({ description: '`call`, `do`, `set`, ...' }),
    iterations: Type.Optional(
      Type.Array(Type.Integer({ minimum: 0 }), {
        description: 'The iterations of the loops around the step, outermost first, from 0.',
      }),
    ),
    state: Type.Enum(['started', 'waiting', 'finished', 'failed', 'skipped'], { description: 'Its state now.' }),
    at: timestamp('When it came to this state, by the time of the draft run: timers take no time.'),
    taken: Type.Optional(Type.String({ description: 'The case that a `switch` took.' })),
    waits_for: Type.Optional(Type.String({ description: 'What the step waits for.' })),
    because: Type.Optional(Type.Enum(['condition', 'stopped'], { description: 'Why it was skipped.' })),
    ...SHOWN_OUTPUT,
    error: Type.Optional(jsonObject('The error of a failed step.')),
  },
  CLOSED,
);

export const DraftCallSchema = Type.Object(
  {
    call: CALL_ID,
    called: Type.String({ description: 'TYPE/NAME, or SERVER/TOOL.' }),
    how: Type.Enum(['run', 'given', 'called', 'dry_run', 'open'], {
      description:
        '`run`: a function of the playbook was run, `called`: a model, tool or service was called, `given`: the caller gave the result, `dry_run`: a tool was only checked, `open`: it has no result yet.',
    }),
    status: Type.Enum(['succeeded', 'rejected', 'failed', 'waiting'], { description: 'How it ended.' }),
    detail: Type.Optional(Type.String({ description: 'Why it did not succeed, or what a dry run found.' })),
    ...SHOWN_OUTPUT,
  },
  CLOSED,
);

export const DraftQuestionSchema = Type.Object(
  {
    call: CALL_ID,
    called: Type.String({ description: 'What was called: TYPE/NAME, or SERVER/TOOL.' }),
    asks_for: Type.Enum(['answer', 'result'], {
      description: 'The answer to a question, or the result of a call that a draft run does not make.',
    }),
    to: Type.Optional(Type.String({ description: 'The party that a question is addressed to.' })),
    message: Type.Optional(Type.String({ description: 'The question.' })),
    detail: Type.Optional(Type.String({ description: 'Why the call was not made, and what a dry run found.' })),
    schema: Type.Optional(jsonObject('JSON Schema of the answer or result.')),
    issues: Type.Optional(Type.Array(IssueSchema, { description: 'Why the given result does not match the schema.' })),
  },
  CLOSED,
);

export const DraftRunSchema = Type.Object(
  {
    valid: Type.Boolean({ description: 'Whether the document can be saved; if not, it was not run.' }),
    issues: Type.Array(SourceIssueSchema, { description: 'Errors that prevent saving.' }),
    status: Type.Optional(
      Type.Enum(['succeeded', 'rejected', 'failed', 'waiting'], {
        description: '`waiting`: it has open questions, or waits for an event. Absent if the document is not valid.',
      }),
    ),
    output: Type.Optional(Type.Unknown({ description: 'The output, if it succeeded.' })),
    output_shape: Type.Optional(Type.String({ description: 'Name of the shape of the output, if it has one.' })),
    rejection: Type.Optional(
      Type.Object(
        {
          reason: Type.Unsafe<Reason>({ type: 'string', description: 'The reason.' }),
          kind: Type.Optional(Type.String({ description: 'The kind of the reason.' })),
          because: Type.Optional(Type.String({ description: 'The cause.' })),
          issues: Type.Optional(Type.Array(IssueSchema, { description: 'Of `invalid_input`.' })),
        },
        { ...CLOSED, description: 'Why it was rejected.' },
      ),
    ),
    detail: Type.Optional(Type.String({ description: 'Why it did not succeed, or what it waits for.' })),
    record: Type.Optional(jsonObject('What the run did besides its output, such as the turns and tokens of a model.')),
    duration_ms: Type.Integer({ minimum: 0, description: 'How long this request ran the draft.' }),
    steps: Type.Array(DraftStepSchema, {
      description: `The steps of a workflow, each in its last state: the first ${DRAFT_BOUNDS.steps}.`,
    }),
    calls: Type.Array(DraftCallSchema, {
      description: 'What it called, in order, calls of called workflows included.',
    }),
    questions: Type.Array(DraftQuestionSchema, {
      description: 'To continue, send `continuation` with a result for each.',
    }),
    published: Type.Array(jsonObject('A CloudEvent.'), {
      description: 'Events that a run would publish. None was published.',
    }),
    continuation: Type.Optional(
      Type.Object(
        {
          run_id: Type.String({ format: 'uuid', description: 'The id that the draft run sees as its own.' }),
          started_at: timestamp('When the draft run started.'),
          results: Type.Array(GivenResultSchema, {
            description: 'The results so far that cannot be computed again. Add yours.',
          }),
        },
        {
          ...CLOSED,
          description: `What to send with the same source and input to continue; absent if the run has ended, or if the results exceed ${DRAFT_BOUNDS.resultBytes / KIB} KiB.`,
        },
      ),
    ),
    shortened: Type.Optional(Type.Boolean({ description: 'True if steps, calls, questions or events are left out.' })),
  },
  CLOSED,
);
export type DraftRun = Static<typeof DraftRunSchema>;
