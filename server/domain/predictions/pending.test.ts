// Versions that wait for a shadow evaluation or an approval, over HTTP, with a real store and processes of models.
import { spawnSync } from 'node:child_process';
import { execPath } from 'node:process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createFakeClock, systemClock } from '../../lib/clock.ts';
import { createModelRunner } from '../../lib/onnx/index.ts';
import { CONTEXT, HORIZON, linear, seasonalNaive } from '../../lib/onnx/models.testing.ts';
import {
  createTestClient,
  SERVER_PROGRAM,
  startServer,
  startServerProcess,
  temporaryFolder,
  type TestServer,
} from '../../test/index.ts';
import { createDesk, type Desk, digestOf, month } from './desk.testing.ts';

const FUNCTION = `description: Tickets by month.
dataset: { value: tickets }
period: month
context: ${CONTEXT}
horizon: ${HORIZON}
trainer: { inbox: forecasters }
`;
const APPROVED = `${FUNCTION}activate: { beat: 0, coverage_within: 1, approval: { interaction: approve } }\n`;
const shadowed = (periods: number): string =>
  `${FUNCTION}activate: { beat: 0, coverage_within: 1 }\nshadow: { periods: ${periods} }\n`;
const APPROVE = `input: { type: object, required: [function, version, scores] }
ask:
  to: boss
  message: "Activate version {{ input.version }} of {{ input.function }}? Its score is {{ input.scores.score }}."
  answer: { type: object, required: [approved], properties: { approved: { type: boolean } } }
`;

const PATTERN = [10, 30, 50, 20, 40];
/** 60 months that repeat every five, then the given ones; the values of the second series are twice as large. */
function csvOf(later: readonly number[] = []): string {
  const values = [...Array.from({ length: 60 }, (_, at) => PATTERN[at % 5] ?? 0), ...later];
  const rows = (series: string, factor: number) =>
    values.map((value, at) => `${series},${month(at)},${value * factor}`);
  return `${['series,period,tickets', ...rows('north', 1), ...rows('south', 2)].join('\n')}\n`;
}

/** onnxruntime-node is an optional package. */
const { availability } = createModelRunner({ clock: systemClock });

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

let desks = 0;
async function givenDesk(source: string, client = () => server): Promise<Desk> {
  desks += 1;
  const desk = await createDesk(client, `waiting-${desks}`, source);
  await desk.save('interaction', 'approve', APPROVE);
  await desk.dataset(csvOf());
  return desk;
}

const typesOf = (events: { type: string }[]): string[] => events.map(({ type }) => type);
const ENDS = ['version_activated', 'activation_refused', 'shadow_passed', 'shadow_failed'];
const SHADOW = ['shadow_predicted', 'shadow_graded', ...ENDS];

/** Waits for the only open request; returns it. */
async function asked(desk: Desk) {
  await expect.poll(desk.requests).toHaveLength(1);
  return (await desk.requests())[0];
}

/** Uploads a dataset and waits until an event says that it was used. */
async function used(desk: Desk, later: readonly number[]) {
  const csv = csvOf(later);
  expect((await desk.dataset(csv)).status).toBe(201);
  const events = async () => (await desk.events(...SHADOW)).filter(({ data }) => data.dataset === digestOf(csv));
  await expect.poll(events, { timeout: 20_000 }).not.toEqual([]);
}

describe.skipIf(!availability.isAvailable)('an approval', () => {
  test('is asked for by the interaction, and the version is activated once it is approved', async () => {
    const desk = await givenDesk(APPROVED);
    const build = await desk.built(seasonalNaive(5));
    expect(build).toMatchObject({ status: 'succeeded', output: { version: 1, activated: false } });
    const [refusal] = await desk.events(...ENDS);
    expect(refusal).toMatchObject({ type: 'activation_refused', data: { version: 1, because: 'approval' } });
    expect(await desk.standing()).toMatchObject({
      active: null,
      pending: { version: 1, for: 'approval', since: refusal.metadata.at },
    });
    const request = await asked(desk);
    expect(request).toMatchObject({ type: 'interaction', function: 'approve', to: 'boss' });
    const { body: run } = await server.get(`${desk.at}/runs/${request.run_id}`);
    expect(run).toMatchObject({ called_by: { run_id: build.run_id, reference: '/activate/approval/interaction' } });
    const [, started] = await desk.events('run_started');
    expect(started.data.input).toEqual({ function: 'tickets', version: 1, scores: build.output.scores });

    await desk.answer(request.run_id, { approved: true });
    await expect.poll(desk.standing).toMatchObject({ active: { version: 1, rule: 'approval' }, pending: null });
    const [, activation] = await desk.events(...ENDS);
    expect(activation).toMatchObject({
      type: 'version_activated',
      data: { function: 'tickets', version: 1, rule: 'approval' },
      metadata: { run_id: build.run_id, by: 'developer', stream: `run-${build.run_id}` },
    });
  }, 60_000);

  test('that is refused, cancelled or impossible leaves the version inactive', async () => {
    const desk = await givenDesk(APPROVED);
    await desk.built(seasonalNaive(5));
    await desk.answer((await asked(desk)).run_id, { approved: false });
    await expect.poll(desk.standing).toMatchObject({ active: null, pending: null });
    await desk.built(seasonalNaive(10));
    await server.post(`${desk.at}/runs/${(await asked(desk)).run_id}/cancel`, { reason: 'Not now.' });
    await expect.poll(desk.standing).toMatchObject({ active: null, pending: null });
    await server.post(`${desk.at}/definitions/interaction/approve/retire`, {});
    await desk.built(seasonalNaive(5));
    await expect.poll(desk.standing).toMatchObject({ active: null, pending: null });
    const refusals = (await desk.events(...ENDS)).map(({ data }) => [data.version, data.because, data.detail]);
    expect(refusals).toEqual([
      [1, 'approval', expect.any(String)],
      [1, 'not_approved', 'The approval was refused: its answer is not { "approved": true }.'],
      [2, 'approval', expect.any(String)],
      [2, 'no_approval', 'The version was not approved. Not now.'],
      [3, 'approval', expect.any(String)],
      [3, 'no_approval', expect.stringContaining('is retired')],
    ]);
  }, 60_000);

  test('is taken back when a newer version passes the gate, a caller activates the version, or the function is retired', async () => {
    const desk = await givenDesk(APPROVED);
    await desk.built(seasonalNaive(5));
    const { run_id: asksFirst } = await asked(desk);
    await desk.built(seasonalNaive(10));
    expect(await desk.ended(asksFirst)).toMatchObject({ reason: 'cancelled', kind: 'parent_ended' });
    expect((await desk.standing()).pending).toMatchObject({ version: 2, for: 'approval' });
    expect((await desk.events(...ENDS)).at(-1).data).toEqual({
      function: 'tickets',
      version: 1,
      because: 'superseded',
      detail: 'Version 2 passed the gate and took the place of this one.',
    });
    const { run_id: asksSecond } = await asked(desk);
    await desk.activate(2);
    expect(await desk.standing()).toMatchObject({ active: { version: 2, rule: 'caller' }, pending: null });
    expect(await desk.ended(asksSecond)).toMatchObject({ reason: 'cancelled' });

    await desk.built(seasonalNaive(5));
    const { run_id: asksThird } = await asked(desk);
    await server.post(`${desk.function}/retire`, {});
    expect(await desk.ended(asksThird)).toMatchObject({ reason: 'cancelled' });
    expect((await desk.events(...ENDS)).at(-1).data).toMatchObject({ version: 3, because: 'retired' });
  }, 60_000);

  test('decides where there are too few windows for the gate, and may expire', async () => {
    const clock = createFakeClock(Date.now());
    const later = await startServer({ clock });
    try {
      const desk = await givenDesk(APPROVED, () => later);
      const recent = csvOf().replaceAll(/\w+,20(19|2[012])-.*\n/g, '');
      await desk.dataset(recent);
      expect(await desk.built(seasonalNaive(5))).toMatchObject({
        output: { activated: false, scores: { coverage: null } },
      });
      await asked(desk);
      clock.advance(8 * 24 * 60 * 60 * 1000);
      await expect.poll(desk.standing).toMatchObject({ active: null, pending: null });
      expect((await desk.events(...ENDS)).at(-1)).toMatchObject({
        type: 'activation_refused',
        data: { because: 'no_approval', detail: expect.stringContaining('expired') },
        metadata: { by: 'runtime' },
      });
    } finally {
      await later.close();
    }
  }, 60_000);
});

// Both models repeat what was, five and ten months ago. Two months are higher by 8 than the pattern, so that the models
// predict 50, 20, 40, 18 and 50, 20, 40, 10 for the next four. Of the changes over twelve months, 48 of 50 have the mean
// 16 of the pattern, (10 + 10 + 40 + 10 + 10) / 5, and two are 2 and not 10: the mean change d is (800 - 16) / 50 = 15.68.
// The intervals are as good as empty, since the models made no error before: an error e scores e / d.
const D = 15.68;
const HIGHER = [18, 38];

describe.skipIf(!availability.isAvailable)('a shadow', () => {
  async function givenShadow(source: string): Promise<Desk> {
    const desk = await givenDesk(source);
    expect((await desk.built(seasonalNaive(10))).output).toMatchObject({ version: 1, activated: true });
    expect((await desk.built(seasonalNaive(5))).output).toMatchObject({ version: 2, activated: false });
    expect((await desk.standing()).pending).toMatchObject({ version: 2, for: 'shadow' });
    return desk;
  }

  test('is predicted from the first later dataset, graded with the next ones, and passed by a version that is no worse', async () => {
    const desk = await givenShadow(shadowed(6));
    // Without a later period: not used.
    await desk.dataset(csvOf().replace('50', '51'));
    await used(desk, HIGHER);
    await used(desk, [...HIGHER, 54, 20]);
    // The first of these was another value when it was first seen. All four are graded then: both predict again.
    await used(desk, [...HIGHER, 99, 20, 40, 18]);
    await used(desk, [...HIGHER, 99, 20, 40, 18, 38, 99]);
    await expect.poll(desk.standing).toMatchObject({ active: { version: 2, rule: 'shadow' }, pending: null });
    const events = (await desk.events(...SHADOW)).slice(2);
    const own = { function: 'tickets', version: 2 };
    expect(events.slice(0, 4).map(({ type, data }) => [type, data])).toEqual([
      [
        'shadow_predicted',
        { ...own, dataset: digestOf(csvOf(HIGHER)), active_version: 1, origin: '2024-02', predictions: 8 },
      ],
      [
        'shadow_graded',
        {
          ...own,
          dataset: digestOf(csvOf([...HIGHER, 54, 20])),
          periods: 2,
          values: 4,
          score: expect.closeTo((4 + 0) / 2 / D, 5),
          active_score: expect.closeTo((4 + 0) / 2 / D, 5),
          until: '2024-04',
        },
      ],
      [
        'shadow_graded',
        {
          ...own,
          dataset: digestOf(csvOf([...HIGHER, 99, 20, 40, 18])),
          periods: 4,
          values: 8,
          score: expect.closeTo((4 + 0 + 0 + 0) / 4 / D, 5),
          active_score: expect.closeTo((4 + 0 + 0 + 8) / 4 / D, 5),
          until: '2024-06',
        },
      ],
      [
        'shadow_predicted',
        {
          ...own,
          dataset: digestOf(csvOf([...HIGHER, 99, 20, 40, 18])),
          active_version: 1,
          origin: '2024-06',
          predictions: 8,
        },
      ],
    ]);
    expect(typesOf(events.slice(4))).toEqual(['shadow_graded', 'shadow_passed', 'version_activated']);
    expect(events.at(-2).data).toMatchObject({ periods: 6, values: 12 });
    for (const { metadata } of events) expect(metadata).toMatchObject({ by: 'runtime' });
  }, 60_000);

  test('is failed by a version that is worse or that cannot predict, and starts over where another one is activated', async () => {
    const desk = await givenShadow(shadowed(3));
    await used(desk, HIGHER);
    await used(desk, [...HIGHER, 50, 20, 40, 10]);
    expect((await desk.events(...ENDS)).at(-1)).toMatchObject({
      type: 'shadow_failed',
      data: { because: 'worse', periods: 4, score: expect.closeTo(8 / 4 / D, 5), active_score: expect.closeTo(0, 5) },
    });
    expect(await desk.standing()).toMatchObject({ active: { version: 1, rule: 'gate' }, pending: null });

    const first = { dataset: digestOf(csvOf()) };
    await desk.built(seasonalNaive(4), first);
    await desk.built(seasonalNaive(5), first);
    expect((await desk.standing()).pending).toMatchObject({ version: 4 });
    // The newest dataset is later than the build's: it is predicted from at once, and the values before grade nothing.
    const latest = async () => {
      const { type, data } = (await desk.events(...SHADOW)).at(-1);
      return [type, data.version, data.active_version ?? data.periods, data.origin ?? data.until];
    };
    await expect.poll(latest).toEqual(['shadow_predicted', 4, 1, '2024-06']);
    await used(desk, [...HIGHER, 50, 20, 40, 10, 30]);
    expect(await latest()).toEqual(['shadow_graded', 4, 1, '2024-07']);
    await desk.activate(3);
    await used(desk, [...HIGHER, 50, 20, 40, 10, 30, 50]);
    expect(await latest()).toEqual(['shadow_predicted', 4, 3, '2024-08']);
    await used(desk, [...HIGHER, 50, 20, 40, 10, 30, 50, 5000]);
    expect(await latest()).toEqual(['shadow_graded', 4, 1, '2024-09']);

    // The high falls below the value where the last value is more than three deviations above the mean.
    const fragile = linear((from, step, quantile) => {
      const repeats = from === CONTEXT - 5 + step ? 1 : 0;
      return quantile === 2 && from === CONTEXT - 1 ? repeats - 1 : repeats;
    }, 3);
    expect((await desk.built(fragile, first)).output).toMatchObject({ version: 5, activated: false });
    await expect.poll(desk.standing).toMatchObject({ active: { version: 3 }, pending: null });
    expect((await desk.events(...SHADOW)).at(-1)).toMatchObject({
      type: 'shadow_failed',
      data: { version: 5, because: 'disorder', periods: 0, score: null, active_score: null },
    });
  }, 60_000);
});

test.skipIf(!availability.isAvailable)(
  'a version that waits is carried further by the next process, wherever the process before was killed',
  async () => {
    const folder = temporaryFolder();
    let process = await startServerProcess(folder.path);
    let client = await createTestClient(process.address);
    const kill = async (between: () => void = () => {}) => {
      await process.end('SIGKILL');
      between();
      process = await startServerProcess(folder.path);
      client = await createTestClient(process.address);
    };
    try {
      const desk = await createDesk(() => client, 'killed', `${APPROVED}shadow: { periods: 2 }\n`);
      await desk.save('interaction', 'approve', APPROVE);
      await desk.dataset(csvOf());
      const build = await desk.answered(seasonalNaive(10));
      await kill();
      await desk.ended(build);
      const { run_id: asks } = await asked(desk);
      await kill();
      expect((await asked(desk)).run_id).toBe(asks);
      await desk.answer(asks, { approved: true });
      await kill();
      await expect.poll(desk.standing).toMatchObject({ active: { version: 1, rule: 'approval' }, pending: null });

      await desk.built(seasonalNaive(5));
      await desk.dataset(csvOf(HIGHER));
      await kill();
      const predicted = () => desk.events('shadow_predicted');
      await expect.poll(predicted, { timeout: 20_000 }).toHaveLength(1);
      const { pending } = await desk.standing();
      await kill(() => {
        const rebuilt = spawnSync(execPath, [SERVER_PROGRAM, 'doctor', '--rebuild', '--data-dir', folder.path]);
        expect(rebuilt.status).toBe(0);
      });
      expect((await desk.standing()).pending).toEqual(pending);
      await desk.dataset(csvOf([...HIGHER, 50, 20]));
      await kill();
      await desk.answer((await asked(desk)).run_id, { approved: true });
      await expect.poll(desk.standing).toMatchObject({ active: { version: 2, rule: 'approval' }, pending: null });
      expect(
        (await desk.events('interaction_requested', ...SHADOW)).map(({ type, data }) => [type, data.version]),
      ).toEqual([
        ['interaction_requested', undefined],
        ['activation_refused', 1],
        ['interaction_requested', undefined],
        ['version_activated', 1],
        ['interaction_requested', undefined],
        ['activation_refused', 2],
        ['shadow_predicted', 2],
        ['shadow_graded', 2],
        ['shadow_passed', 2],
        ['interaction_requested', undefined],
        ['version_activated', 2],
      ]);
    } finally {
      await process.end('SIGKILL');
      folder.remove();
    }
  },
  120_000,
);
