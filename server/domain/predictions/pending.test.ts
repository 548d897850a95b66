// Versions that wait for a shadow evaluation or an approval, over HTTP, with a real store and processes of models.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createFakeClock, systemClock } from '../../lib/clock.ts';
import { createModelRunner } from '../../lib/onnx/index.ts';
import { CONTEXT, HORIZON, drift, linear, seasonalNaive } from '../../lib/onnx/models.testing.ts';
import { startServer, type TestServer } from '../../test/index.ts';
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
  test('is asked for by the interaction; the version is activated once it is approved', async () => {
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

  test('that is refused or cancelled leaves the version inactive', async () => {
    const desk = await givenDesk(APPROVED);
    await desk.built(seasonalNaive(5));
    await desk.answer((await asked(desk)).run_id, { approved: false });
    await expect.poll(desk.standing).toMatchObject({ active: null, pending: null });
    await desk.built(seasonalNaive(10));
    await server.post(`${desk.at}/runs/${(await asked(desk)).run_id}/cancel`, { reason: 'Not now.' });
    await expect.poll(desk.standing).toMatchObject({ active: null, pending: null });
    const refusals = (await desk.events(...ENDS)).map(({ data }) => [data.version, data.because, data.detail]);
    expect(refusals).toEqual([
      [1, 'approval', expect.any(String)],
      [1, 'not_approved', 'The approval was refused: its answer is not { "approved": true }.'],
      [2, 'approval', expect.any(String)],
      [2, 'no_approval', 'The version was not approved. Not now.'],
    ]);
    // A caller may activate it all the same.
    expect((await desk.activate(2)).body).toMatchObject({ rule: 'caller' });
  }, 60_000);

  test('that cannot be asked for says why', async () => {
    const desk = await givenDesk(APPROVED);
    await server.post(`${desk.at}/definitions/interaction/approve/retire`, {});
    await desk.built(seasonalNaive(5));
    const last = async () => (await desk.events(...ENDS)).at(-1).data;
    await expect.poll(last).toMatchObject({ because: 'no_approval', detail: expect.stringContaining('is retired') });
    expect((await desk.standing()).pending).toBeNull();
  }, 60_000);

  test('is taken back when a newer version passes the gate, a caller activates the version, or the function is retired', async () => {
    const desk = await givenDesk(APPROVED);
    const first = await desk.built(seasonalNaive(5));
    const { run_id: asksFirst } = await asked(desk);
    await desk.built(seasonalNaive(10));
    expect(await desk.ended(asksFirst)).toMatchObject({ reason: 'cancelled', kind: 'parent_ended' });
    expect((await desk.standing()).pending).toMatchObject({ version: 2, for: 'approval' });
    const { run_id: asksSecond } = await asked(desk);
    await desk.activate(2);
    expect((await desk.standing()).pending).toBeNull();
    expect(await desk.ended(asksSecond)).toMatchObject({ reason: 'cancelled' });

    await desk.built(seasonalNaive(5));
    const { run_id: asksThird } = await asked(desk);
    await server.post(`${desk.function}/retire`, {});
    expect(await desk.ended(asksThird)).toMatchObject({ reason: 'cancelled' });
    expect((await desk.events('version_activated')).map(({ data }) => data.rule)).toEqual(['caller']);
    expect(first.output.version).toBe(1);
  }, 60_000);

  test('decides alone where there are too few windows for the gate', async () => {
    const desk = await givenDesk(APPROVED);
    await desk.dataset(
      csvOf()
        .split('\n')
        .filter((line) => !/,20(19|2[012])-/.test(line))
        .join('\n'),
    );
    expect(await desk.built(seasonalNaive(5))).toMatchObject({ output: { activated: false } });
    await desk.answer((await asked(desk)).run_id, { approved: true });
    await expect.poll(desk.standing).toMatchObject({ active: { version: 1, rule: 'approval' } });
  }, 60_000);

  test('expires without an answer', async () => {
    const clock = createFakeClock(Date.now());
    const later = await startServer({ clock });
    try {
      const desk = await givenDesk(APPROVED, () => later);
      await desk.built(seasonalNaive(5));
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
    const desk = await givenShadow(shadowed(3));
    // Without a later period: not used.
    await desk.dataset(csvOf().replace('50', '51'));
    await used(desk, HIGHER);
    await used(desk, [...HIGHER, 54, 20]);
    // The first of these was another value when it was first seen.
    await used(desk, [...HIGHER, 99, 20, 40, 18]);
    await expect.poll(desk.standing).toMatchObject({ active: { version: 2, rule: 'shadow' }, pending: null });
    const events = await desk.events(...SHADOW);
    const own = { function: 'tickets', version: 2 };
    expect(events.slice(2).map(({ type, data }) => [type, data])).toEqual([
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
      ...['shadow_graded', 'shadow_passed'].map((type) => [
        type,
        {
          ...own,
          dataset: digestOf(csvOf([...HIGHER, 99, 20, 40, 18])),
          periods: 4,
          values: 8,
          score: expect.closeTo((4 + 0 + 0 + 0) / 4 / D, 5),
          active_score: expect.closeTo((4 + 0 + 0 + 8) / 4 / D, 5),
          ...(type === 'shadow_graded' ? { until: '2024-06' } : {}),
        },
      ]),
      ['version_activated', { ...own, rule: 'shadow' }],
    ]);
    for (const { metadata } of events.slice(2)) expect(metadata).toMatchObject({ by: 'runtime' });
  }, 60_000);

  test('is failed by a version that is worse', async () => {
    const desk = await givenShadow(shadowed(3));
    await used(desk, HIGHER);
    await used(desk, [...HIGHER, 50, 20, 40, 10]);
    const last = async () => (await desk.events(...ENDS)).at(-1);
    await expect.poll(last).toMatchObject({
      type: 'shadow_failed',
      data: { because: 'worse', periods: 4, score: expect.closeTo(8 / 4 / D, 5), active_score: expect.closeTo(0, 5) },
    });
    expect(await desk.standing()).toMatchObject({ active: { version: 1, rule: 'gate' }, pending: null });
  }, 60_000);

  test('predicts again where all predicted periods are graded, and is followed by the approval', async () => {
    const desk = await givenDesk(`${APPROVED}shadow: { periods: 6 }\n`);
    await desk.built(seasonalNaive(10));
    await desk.answer((await asked(desk)).run_id, { approved: true });
    await expect.poll(desk.standing).toMatchObject({ active: { version: 1 } });
    await desk.built(seasonalNaive(5));
    await used(desk, HIGHER);
    await used(desk, [...HIGHER, 50, 20, 40, 18]);
    await used(desk, [...HIGHER, 50, 20, 40, 18, 38, 50]);
    const { run_id: asks } = await asked(desk);
    const [passed] = await desk.events('shadow_passed');
    expect((await desk.standing()).pending).toEqual({ version: 2, for: 'approval', since: passed.metadata.at });
    expect(typesOf(await desk.events(...SHADOW)).slice(2)).toEqual([
      'activation_refused',
      'shadow_predicted',
      'shadow_graded',
      'shadow_predicted',
      'shadow_graded',
      'shadow_passed',
    ]);
    await desk.answer(asks, { approved: true });
    await expect.poll(desk.standing).toMatchObject({ active: { version: 2, rule: 'approval' }, pending: null });
  }, 60_000);

  test('starts over where another version is activated, and ends where a caller activates the version', async () => {
    const desk = await givenShadow(shadowed(3));
    await used(desk, HIGHER);
    await used(desk, [...HIGHER, 50, 20]);
    expect((await desk.built(drift())).output).toMatchObject({ version: 3, activated: false });
    expect((await desk.standing()).pending).toMatchObject({ version: 2 });
    await desk.activate(3);
    await used(desk, [...HIGHER, 50, 20, 40]);
    await used(desk, [...HIGHER, 50, 20, 40, 18]);
    expect(
      (await desk.events(...SHADOW)).slice(-2).map(({ type, data }) => [type, data.active_version, data.periods]),
    ).toEqual([
      ['shadow_predicted', 3, undefined],
      ['shadow_graded', undefined, 1],
    ]);
    await desk.activate(2);
    expect(await desk.standing()).toMatchObject({ active: { version: 2, rule: 'caller' }, pending: null });
    await desk.dataset(csvOf([...HIGHER, 50, 20, 40, 18, 38]));
    expect(typesOf(await desk.events(...SHADOW)).at(-1)).toBe('version_activated');
  }, 60_000);

  test('is failed by a version whose output is not in order', async () => {
    const desk = await givenDesk(shadowed(3));
    await desk.built(seasonalNaive(4));
    await desk.activate(1);
    // The high falls below the value where the last value is more than three deviations above the mean.
    const fragile = linear((from, step, quantile) => {
      const repeats = from === CONTEXT - 5 + step ? 1 : 0;
      return quantile === 2 && from === CONTEXT - 1 ? repeats - 1 : repeats;
    }, 3);
    expect((await desk.built(fragile)).output).toMatchObject({ version: 2, activated: false });
    expect((await desk.standing()).pending).toMatchObject({ version: 2, for: 'shadow' });
    await used(desk, [10, 5000]);
    expect((await desk.events(...SHADOW)).at(-1)).toMatchObject({
      type: 'shadow_failed',
      data: { because: 'disorder', periods: 0, score: null, active_score: null },
    });
    expect(await desk.standing()).toMatchObject({ active: { version: 1 }, pending: null });
  }, 60_000);
});
