import { Value } from 'typebox/value';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../../shared/json.ts';
import {
  EVENT_SCHEMAS,
  isReservedEventType,
  RESERVED_EVENT_TYPES,
  type ReservedEventType,
} from '../../../shared/schemas/events/index.ts';
import type { WriteTransaction } from '../../kernel/log/index.ts';
import { type Attempt, endedEvent, startedEvent } from '../runs/history/events.ts';
import { storedEvent } from './stored-event.testing.ts';
import { summaryOf } from './summary.ts';

const DIGEST = 'ab'.repeat(32);
const RUN = 'Run of computation/priority-score version 3';
const TOOL = { server: 'shop', tool: 'find' };
const ARGUMENTS = { arguments_bytes: 2 };
const CONVERSATION = { ...TOOL, conversation: '1' };
const DATASET = { dataset: DIGEST };
const VERSION = { function: 'tickets', version: 2 };
const SCORES = { scores: { score: 0.7, mase: 0.8, coverage: null, width: 1 } };
const GRADE = { ...VERSION, ...DATASET, periods: 1, values: 3, score: 0.7, active_score: 0.8 };
const DEFINITION = { type: 'computation', name: 'priority-score', version: 3 };
const SAVED = { ...DEFINITION, media_type: 'text/typescript', details: {}, overview: '', references: [], warnings: [] };
const STEP = { step: '/do/0/ask' };

/** The summary of each event type, for data that fits its schema. */
const SUMMARIES: Readonly<Record<ReservedEventType, readonly [JsonObject, string]>> = {
  run_started: [{ attempt: 1, input_sha256: DIGEST }, `${RUN} started (attempt 1).`],
  run_deferred: [{ attempt: 1, waits_for: 'an answer' }, `${RUN} is waiting for an answer (attempt 1).`],
  run_succeeded: [{ attempt: 2 }, `${RUN} succeeded (attempt 2).`],
  run_rejected: [
    { attempt: 1, rejection: { reason: 'conflict', kind: 'unworkable', detail: 'It threw.' } },
    `${RUN} was rejected (attempt 1): program error (conflict, unworkable).`,
  ],
  run_failed: [{ attempt: 1, detail: 'No.' }, `${RUN} failed (attempt 1).`],
  run_cancel_requested: [{ kind: 'deadline' }, `${RUN} was asked to stop because its deadline passed.`],
  tool_call_started: [{ ...TOOL, ...ARGUMENTS, read_only: true }, 'The tool shop/find was called.'],
  tool_call_answered: [{ ...TOOL, is_error: true }, 'The tool shop/find returned an error.'],
  tool_call_failed: [{ ...TOOL, because: 'timed_out' }, 'The call of the tool shop/find failed: timed_out.'],
  request_answered: [{ answered_by: 'ada', claimed_for: 'Bo' }, 'The request was answered by ada for Bo.'],
  delivery_started: [
    { attempt: 1, ...TOOL, ...ARGUMENTS },
    'Delivery of the request through shop/find started (attempt 1).',
  ],
  delivery_succeeded: [{ attempt: 2, conversation: null }, 'The request was delivered (attempt 2).'],
  delivery_failed: [{ attempt: 1, because: 'timed_out' }, 'Delivery of the request failed (attempt 1): timed_out.'],
  delivery_refused: [
    { attempt: 1, because: 'too_large' },
    'The request cannot be delivered and will not be retried: too_large.',
  ],
  reply_refused: [{ reply: '17' }, 'A reply was not accepted as the answer.'],
  telling_started: [
    { attempt: 1, about: 'reply_refused', ...TOOL, ...ARGUMENTS },
    'Posting to the conversation started (reply_refused, attempt 1).',
  ],
  telling_succeeded: [{ attempt: 1, about: 'expired' }, 'A message was posted to the conversation (expired).'],
  telling_failed: [
    { attempt: 1, about: 'expired', because: 'timed_out' },
    'Posting to the conversation failed (expired, attempt 1): timed_out.',
  ],
  replies_read: [
    { ...CONVERSATION, replies: 1, passed_over: 2 },
    '1 new message read from a conversation through shop/find; 2 from before the request ignored.',
  ],
  reading_failed: [
    { ...CONVERSATION, because: 'timed_out' },
    'Reading a conversation through shop/find failed: timed_out.',
  ],
  interaction_requested: [
    { to: 'ada', delivery: null, message_bytes: 3, takes_answer: true, expires_at: '2026-01-31T07:00:00.000Z' },
    'ada was asked a question in the inbox.',
  ],
  dataset_assembled: [
    { ...DATASET, bytes: 9, rows: 2, series: 1, period: 'month' },
    'The dataset abababababab was assembled: 2 rows, 1 series.',
  ],
  candidate_uploaded: [{ candidate: DIGEST, bytes: 9, opset: 17 }, 'The candidate abababababab was uploaded.'],
  candidate_refused: [{ candidate: DIGEST, detail: 'No.' }, 'The candidate abababababab was refused.'],
  candidate_scored: [{ candidate: DIGEST, ...SCORES }, 'The candidate abababababab was evaluated with the score 0.7.'],
  candidate_disqualified: [
    { candidate: DIGEST, because: 'not_finite', detail: 'No.' },
    'The candidate abababababab was disqualified: not_finite.',
  ],
  baseline_scored: [{ baseline: 'theta', ...SCORES }, 'The baseline theta was evaluated with the score 0.7.'],
  baseline_not_walked: [{ windows: 2 }, 'The data gives 2 windows, too few to score on.'],
  version_built: [
    { ...VERSION, candidate: DIGEST, ...DATASET },
    'Version 2 of the prediction function tickets was built from the candidate abababababab.',
  ],
  shadow_predicted: [
    { ...VERSION, ...DATASET, active_version: 1, origin: '2024-01', predictions: 5 },
    'Version 2 of the prediction function tickets made 5 shadow predictions.',
  ],
  shadow_graded: [
    { ...GRADE, until: '2024-02' },
    'Version 2 of the prediction function tickets was graded over 1 period.',
  ],
  shadow_passed: [GRADE, 'Version 2 of the prediction function tickets passed its shadow after 1 period.'],
  shadow_failed: [
    { ...GRADE, because: 'worse', detail: 'No.' },
    'Version 2 of the prediction function tickets failed its shadow after 1 period: worse.',
  ],
  version_activated: [
    { ...VERSION, rule: 'gate' },
    'Version 2 of the prediction function tickets was activated by the rule gate.',
  ],
  activation_refused: [
    { ...VERSION, because: 'beat', detail: 'No.' },
    'Version 2 of the prediction function tickets was not activated: beat.',
  ],
  build_asked: [
    { ...DATASET, trainer: 'forecasters' },
    'forecasters was asked for candidates for the dataset abababababab.',
  ],
  build_ended: [{ version: 2, activated: false }, 'The build ended with version 2, which is not active.'],
  definition_created: [{ ...SAVED, version: 1 }, 'Definition computation/priority-score version 1 was created.'],
  definition_updated: [SAVED, 'Definition computation/priority-score version 3 was saved.'],
  definition_retired: [DEFINITION, 'Definition computation/priority-score version 3 was retired.'],
  event_published: [
    {
      event: { source: '/shop', type: 'order\npaid', id: '1', time: '2026-01-31T07:00:00Z' },
      time_given: true,
    },
    'Event order paid from /shop was published.',
  ],
  workflow_input_applied: [
    { kind: 'timer_due', key: '4', moved: 2, steps: ['/do/0/wait', '/do/1/ask'] },
    `${RUN} received the input timer_due, which advanced 2 steps.`,
  ],
  step_started: [STEP, 'The step /do/0/ask started.'],
  step_waiting: [{ ...STEP, waits_for: 'an answer' }, 'The step /do/0/ask is waiting for an answer.'],
  step_finished: [{ ...STEP, output: 7 }, 'The step /do/0/ask finished.'],
  step_failed: [
    { ...STEP, error: { type: 'https://example.com/errors/validation', status: 400, title: 'It does not fit' } },
    'The step /do/0/ask failed: It does not fit.',
  ],
  step_skipped: [STEP, 'The step /do/0/ask was skipped.'],
  reaction_refused: [
    { trigger: { kind: 'event', reference: '/schedule/on' }, because: 'too_deep' },
    'The trigger /schedule/on of computation/priority-score started no run: too_deep.',
  ],
};

test.each(RESERVED_EVENT_TYPES)('given %s, then one plain sentence says what happened', (type) => {
  const [data, sentence] = SUMMARIES[type];
  expect([...Value.Errors(EVENT_SCHEMAS[type], data)]).toEqual([]);
  expect(summaryOf(storedEvent(type, data))).toBe(sentence);
});

test('given a text of any length, then the sentence stays short', () => {
  const event = { source: '/s'.repeat(500), type: '🎉'.repeat(256), id: '1', time: 'now' };
  const summary = summaryOf(storedEvent('event_published', { event }));
  expect(summary).toBe(`Event ${'🎉'.repeat(100)}… from ${'/s'.repeat(50)}… was published.`);
});

test('given an event that no list shows, then it is named', () => {
  expect(summaryOf(storedEvent('playbook_created', {}))).toBe('playbook_created was recorded.');
});

test('what runs record fits the schemas', async () => {
  // Small values stand in the event itself: nothing is written.
  const tx = {} as WriteTransaction;
  const definition = { type: 'computation', name: 'priority-score', version: 3 } as const;
  const chain = { top: 'r', callDepth: 0, depth: 0 };
  const attempt: Attempt = { org: 'local', playbook: 'support', runId: 'r', attempt: 1, definition, by: 'ada', chain };
  const issues = [{ pointer: '/input', detail: 'No.' }];
  const rejection = { reason: 'invalid_input', kind: 'a', because: 'b', detail: 'No.', issues } as const;
  const recorded = [
    await startedEvent(
      tx,
      attempt,
      { input: { a: 1 }, inputSha256: DIGEST, model: 'a/b' },
      { run_id: '0192b3a4-5c6d-7e8f-9a0b-1c2d3e4f5a6b', step: '/do/0/a', definition_version: 2 },
    ),
    await endedEvent(tx, attempt, { status: 'succeeded', output: 7, record: {} }, 'series', 'e'),
    await endedEvent(tx, attempt, { status: 'rejected', rejection, record: {} }, undefined, 'e'),
    await endedEvent(tx, attempt, { status: 'failed', detail: 'No.' }, undefined, 'e'),
  ];
  for (const { type, data } of recorded) {
    if (!isReservedEventType(type)) throw new Error(`${type} is no type of the contract.`);
    expect([...Value.Errors(EVENT_SCHEMAS[type], data)]).toEqual([]);
  }
});
