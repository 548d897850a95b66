import { expect, test } from 'vitest';
import type { JsonObject } from '../../../shared/json.ts';
import type { StoredEvent } from '../../kernel/log/index.ts';
import { storedEvent } from '../events/stored-event.testing.ts';
import { MOST_EXPLAINED, fitLines } from './bound.ts';
import { tellRun } from './story.ts';

const RUN = '0198c5a0-0000-7000-8000-00000000000a';
const START = Date.UTC(2026, 0, 31, 7);

type Recorded = [type: string, data: JsonObject];

/** Events of one run, each a second after the one before. */
function history(events: readonly Recorded[]): StoredEvent[] {
  return events.map(([type, data], index) =>
    storedEvent(type, data, {
      id: `e${index}`,
      position: index + 1,
      readPosition: index + 1,
      metadata: {
        ...storedEvent(type, data).metadata,
        at: new Date(START + 1000 * index).toISOString(),
        run_id: RUN,
        definition: { type: 'workflow', name: 'refund', version: 2 },
      },
    }),
  );
}

const sentences = (...events: Recorded[]): string[] =>
  tellRun(history(events), RUN, START + 60_000).map(({ text, depth }) => `${'  '.repeat(depth)}${text}`);

test('the story of a run in progress names the steps that are waiting', () => {
  expect(
    sentences(
      ['run_started', { attempt: 1 }],
      ['step_started', { step: '/do/0/group', kind: 'do' }],
      ['step_finished', { step: '/do/0/group/do/0/~1first', kind: 'set' }],
      ['step_waiting', { step: '/do/0/group/do/1/hear', kind: 'listen', waits_for: 'an event paid' }],
    ),
  ).toEqual([
    'workflow/refund version 2, started by ada, has been in progress for 1 min.',
    '  group (do): running for 59 s.',
    '    /first (set): finished.',
    '    hear (listen): waiting for an event paid, 57 s so far.',
  ]);
});

test('a step that is visited again has a line for each visit, and a switch names its case', () => {
  expect(
    sentences(
      ['run_started', { attempt: 1 }],
      ['step_waiting', { step: '/do/0/pause', kind: 'wait', waits_for: 'the time 2026' }],
      ['step_finished', { step: '/do/0/pause', kind: 'wait' }],
      ['step_finished', { step: '/do/1/more', kind: 'switch', case: 'again' }],
      ['step_skipped', { step: '/do/0/pause', kind: 'wait', because: 'condition' }],
      ['step_finished', { step: '/do/1/more', kind: 'switch' }],
      ['run_succeeded', { attempt: 1 }],
    ),
  ).toEqual([
    'workflow/refund version 2, started by ada, succeeded in 6.0 s.',
    '  pause (wait): finished after waiting 1.0 s for the time 2026.',
    '  more (switch): case again.',
    '  pause (wait): skipped, because its `if` was false.',
    '  more (switch): no case matched.',
  ]);
});

test('a failed step and the ending say why, on one line each', () => {
  const error = { type: 'https://x/timeout', title: 'Timeout', detail: 'Too\nlate.' };
  expect(
    sentences(
      ['run_started', { attempt: 1 }],
      ['tool_call_answered', { server: 'mail', tool: 'send', is_error: true, duration_ms: 12 }],
      ['step_failed', { step: '/do/0/a', kind: 'call', error }],
      ['run_rejected', { attempt: 1, rejection: { reason: 'conflict', kind: 'unworkable', detail: 'It broke.' } }],
    ),
  ).toEqual([
    'workflow/refund version 2, started by ada, was rejected: program error after 3.0 s: It broke.',
    '  Called the tool mail/send: an error after 12 ms.',
    '  a (call): failed: Timeout: Too late.',
  ]);
});

test('a step that failed with the run that it called says what that run reported', () => {
  const error = {
    type: 'https://x/runtime',
    title: 'An error occurred while the workflow was running',
    detail: 'unworkable: computation/fee: There is no rate for CHF.',
    rejection: { reason: 'conflict', kind: 'unworkable', detail: 'There is no rate for CHF.' },
  };
  expect(sentences(['run_started', { attempt: 1 }], ['step_failed', { step: '/do/0/a', kind: 'call', error }])[1]).toBe(
    '  a (call): failed: There is no rate for CHF.',
  );
});

test('an explanation has at most 4 KiB: lines in the middle are left out', () => {
  const lines = Array.from({ length: 500 }, (_, index) => ({
    text: `step ${index}: ${'é'.repeat(index % 60)}.`,
    depth: 1,
    event_id: `event-${index}`,
  }));
  const fitted = fitLines(lines);
  expect(Buffer.byteLength(JSON.stringify({ run_id: RUN, ...fitted }))).toBeLessThanOrEqual(MOST_EXPLAINED);
  expect([fitted.lines[0], fitted.lines.at(-1)]).toEqual([lines[0], lines.at(-1)]);
  const gap = fitted.lines.find(({ text }) => text.startsWith('…'));
  expect(gap).toMatchObject({ text: `… ${fitted.left_out} lines are left out.`, event_id: expect.any(String) });
  expect(fitted.lines.length - 1 + fitted.left_out).toBe(500);
});

test('a long name of a step is cut, without control characters', () => {
  const [, line = ''] = sentences(
    ['run_started', { attempt: 1 }],
    ['step_finished', { step: `/do/0/red\u001B[31m${'x'.repeat(5000)}`, kind: 'set' }],
    ['run_succeeded', { attempt: 1 }],
  );
  expect(line).toMatch(/^ {2}red \[31mx{72}… \(set\): finished\.$/);
});

test('a call that is skipped in one iteration and made in the next has its run only where it was made', () => {
  const own = history([
    ['run_started', { attempt: 1 }],
    ['step_skipped', { step: '/do/0/ask', kind: 'call', because: 'condition', iterations: [0] }],
    ['step_waiting', { step: '/do/0/ask', kind: 'call', waits_for: 'the run of interaction/ask', iterations: [1] }],
  ]);
  const [begun, ...steps] = own;
  const moved = steps.map((event, index) => ({ ...event, id: `moved_${index}` }));
  const called = storedEvent('run_started', { attempt: 1 }, { id: 'called', position: 1, readPosition: 4 });
  const definition = { type: 'interaction', name: 'ask', version: 1 } as const;
  const metadata = { ...called.metadata, at: new Date(START + 3000).toISOString(), run_id: 'asked', definition };
  const from = { called_by: { run_id: RUN, run: 'workflow/refund', reference: '/do/0/ask' }, causation_id: 'moved' };
  const events = [begun, ...moved, { ...called, metadata: { ...metadata, ...from } }].filter(
    (one) => one !== undefined,
  );
  const lines = tellRun(events, RUN, START + 60_000).map(({ text, depth }) => `${'  '.repeat(depth)}${text}`);
  expect(lines.slice(1)).toEqual([
    '  ask, iteration 0 (call): skipped, because its `if` was false.',
    '  ask, iteration 1 (call): waiting for the run of interaction/ask, 58 s so far.',
    '    interaction/ask version 1 has been in progress for 57 s.',
  ]);
});

test('a run whose input was refused names the first issue', () => {
  const issues = [
    { pointer: '/input/0', detail: 'It lacks `id`.' },
    { pointer: '/input/1', detail: 'It lacks `n`.' },
  ];
  expect(
    sentences(
      ['run_started', { attempt: 1 }],
      ['run_rejected', { attempt: 1, rejection: { reason: 'invalid_input', detail: 'It does not match.', issues } }],
    ),
  ).toEqual([expect.stringMatching(/invalid input after 1\.0 s: It does not match\. It lacks `id`\.$/)]);
});

const REQUESTED: Recorded = [
  'interaction_requested',
  { to: 'lead', takes_answer: false, delivery: { server: 'chat', tool: 'post' } },
];
const FAILED: Recorded = ['delivery_failed', { attempt: 1, because: 'failing', detail: 'It returned HTTP 500.' }];
const GAVE_UP: Recorded = [FAILED[0], { ...FAILED[1], gave_up: true }];
const REJECTED: Recorded = ['run_rejected', { attempt: 1, rejection: { reason: 'cancelled' } }];

test.each<[string, Recorded[], string]>([
  ['waits', [], 'A notice to lead is being delivered through chat/post.'],
  ['is tried again', [['delivery_started', {}], FAILED], 'A notice to lead is being delivered through chat/post.'],
  [
    'has arrived',
    [
      ['delivery_started', {}],
      ['delivery_succeeded', { landed: 'chat/post' }],
      ['run_succeeded', { attempt: 1 }],
    ],
    'Notified lead through chat/post; the message is in the record of the run.',
  ],
  [
    'could not be delivered',
    [['delivery_started', {}], GAVE_UP, REJECTED],
    'A notice to lead was not delivered through chat/post.',
  ],
  [
    'was cancelled while it was sent',
    [['delivery_started', {}], REJECTED],
    'A notice to lead may not have been delivered through chat/post.',
  ],
])('a notice through a tool that %s says only what is recorded of it', (_name, events, line) => {
  expect(sentences(['run_started', { attempt: 1 }], REQUESTED, ...events)).toContain(`  ${line}`);
});

test('a question whose delivery was given up is in the inbox, and says why', () => {
  const question: Recorded = [REQUESTED[0], { ...REQUESTED[1], takes_answer: true }];
  expect(sentences(['run_started', { attempt: 1 }], question, FAILED)).toContain('  Asked lead through chat/post.');
  expect(sentences(['run_started', { attempt: 1 }], question, GAVE_UP)).toContain(
    '  Asked lead in the inbox, because the delivery through chat/post failed.',
  );
  const answered: Recorded = ['request_answered', { answered_by: 'ada', answer: { ok: true } }];
  expect(sentences(['run_started', { attempt: 1 }], question, GAVE_UP, answered)).toContain(
    '  Asked lead in the inbox, because the delivery through chat/post failed; answered by ada after 2.0 s: {"ok":true}',
  );
});
