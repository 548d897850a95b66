import { expect, test } from 'vitest';
import type { Json } from '../../../shared/json.ts';
import type { RunInput } from '../durable.ts';
import { askTrainer, decideBuild } from './decide.ts';
import { functionOf } from './document.ts';
import type { PredictionDocument } from './schema.ts';

const DOCUMENT: PredictionDocument = {
  dataset: { value: 'tickets' },
  period: 'month',
  context: 12,
  horizon: 3,
  trainer: { inbox: 'forecasters', expires: 'P1D' },
};
const BEGUN = { dataset: 'd'.repeat(64), briefUrl: 'http://x/brief', rowsUrl: 'http://x/rows', askingRunId: 'asking' };
const REQUEST = { function: 'tickets', run_id: 'run', brief_url: BEGUN.briefUrl, rows_url: BEGUN.rowsUrl };
const RUN = {
  org: 'local',
  playbook: 'desk',
  runId: 'run',
  name: 'tickets',
  version: 1,
  source: 'source',
  depth: 0,
  now: 0,
  takenEventKeys: new Set<string>(),
};
const CANDIDATE = 'c'.repeat(64);

const asked = (document = DOCUMENT) => askTrainer({ ...RUN, startedAt: 1000 }, functionOf(document), BEGUN);

/** What a build decides on an input, from the state that its decisions before left. */
function decide(input: Partial<RunInput>, parts: ReadonlyMap<string, Json | undefined> = asked().parts) {
  const state = { part: (key: string) => parts.get(key), mailbox: async () => [] };
  return decideBuild(RUN, state, { kind: 'request_ended', key: '', data: {}, ...input });
}

test('given a party, then it is asked with what a trainer needs until the request expires', () => {
  expect(asked()).toMatchObject({
    facts: [{ type: 'build_asked', data: { dataset: BEGUN.dataset, trainer: 'forecasters' } }],
    commands: [
      { do: 'expect_upload' },
      {
        do: 'put_request',
        request: { to: 'forecasters', input: REQUEST, expiresAt: 1000 + 24 * 60 * 60 * 1000, delivery: null },
      },
    ],
  });
});

test('given an interaction, then it is called with what a trainer needs', () => {
  expect(asked({ ...DOCUMENT, trainer: { interaction: 'train' } }).commands[1]).toMatchObject({
    do: 'start_run',
    runId: 'asking',
    type: 'interaction',
    name: 'train',
    input: REQUEST,
  });
});

test('given an answer, then no upload is taken any more, and the candidates are scored', async () => {
  const decision = await decide({ data: { status: 'succeeded', output: { candidates: [CANDIDATE] } } });
  expect(decision?.commands).toMatchObject([
    { do: 'stop_expecting_upload' },
    { do: 'perform', effect: { dataset: BEGUN.dataset, candidates: [CANDIDATE], source: 'source' } },
  ]);
  expect(await decide({ data: { status: 'succeeded', output: {} } }, decision?.parts)).toBeUndefined();
});

test.each([
  [{}, 'unworkable'],
  [{ candidates: [] }, 'unworkable'],
  [{ candidates: ['c'] }, 'unworkable'],
])('given the answer %j of an interaction, then the build ends as %s', async (output, kind) => {
  expect(await decide({ kind: 'called_run_ended', data: { status: 'succeeded', output } })).toMatchObject({
    facts: [{ type: 'build_ended', data: { activated: false } }],
    ending: { status: 'rejected', rejection: { reason: 'conflict', kind } },
  });
});

test('given a request that expired, then the build ends as the request did', async () => {
  const rejection = { reason: 'unanswered', kind: 'expired', detail: 'Nobody answered.' };
  expect(await decide({ data: { status: 'rejected', rejection } })).toMatchObject({
    facts: [{ type: 'build_ended', data: { activated: false, detail: 'Nobody answered.' } }],
    ending: { status: 'rejected', rejection },
  });
});

test('given scores, then their result is recorded unchanged', async () => {
  const scored = {
    facts: [{ type: 'build_ended', data: { activated: true } }],
    ending: { status: 'succeeded', output: { version: 1 }, record: {}, hasNoShape: true },
  };
  expect(await decide({ kind: 'call_answered', data: { ok: true, output: scored } })).toMatchObject({
    ...scored,
    commands: [{ do: 'add_task', kind: 'pending-version', key: 'tickets' }],
  });
  const rejection = { reason: 'unavailable', kind: null, because: 'no_model_runtime', detail: 'No runtime.' };
  expect(await decide({ kind: 'call_answered', data: { ok: false, error: { rejection } } })).toMatchObject({
    ending: { rejection: { reason: 'unavailable', because: 'no_model_runtime', detail: 'No runtime.' } },
  });
});

test('given a cancel, then the interaction that asks is cancelled too', async () => {
  const { parts } = asked({ ...DOCUMENT, trainer: { interaction: 'train' } });
  const cancel = { kind: 'cancel_requested', data: { kind: 'requested', detail: 'Stop.' } } as const;
  expect(await decide(cancel, parts)).toMatchObject({
    commands: [{ do: 'stop_performing' }, { do: 'cancel_run', runId: 'asking', kind: 'parent_ended' }],
    ending: { status: 'rejected', rejection: { reason: 'cancelled', kind: 'requested', detail: 'Stop.' } },
  });
});
