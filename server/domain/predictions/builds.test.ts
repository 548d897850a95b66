// Builds and questions over HTTP, with a real store, the worker of forecasts and processes of models.
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../lib/clock.ts';
import { createModelRunner } from '../../lib/onnx/index.ts';
import { CONTEXT, drift, HORIZON, seasonalNaive } from '../../lib/onnx/models.testing.ts';
import { type Answer, startServer, temporaryFolder, type TestServer } from '../../test/index.ts';

const ORG = '/v1/orgs/local/playbooks';
const FUNCTION = `description: Tickets by month.
dataset: { value: tickets, unit: tickets }
period: month
context: ${CONTEXT}
horizon: ${HORIZON}
trainer: { inbox: forecasters }
activate: { coverage_within: 1 }
`;

/** Values that repeat every five months, with a little noise: no baseline of a year sees it, a model may. */
function csvOf(months: number): string {
  const lines = ['series,period,tickets'];
  for (const [number, series] of ['north', 'south', 'west'].entries()) {
    for (let at = 0; at < months; at += 1) {
      const label = `${2019 + Math.floor(at / 12)}-${String((at % 12) + 1).padStart(2, '0')}`;
      const noise = ((at * 7919 + number * 104_729) % 101) / 100;
      lines.push(`${series},${label},${([10, 30, 50, 20, 40][at % 5] ?? 0) + noise}`);
    }
  }
  return `${lines.join('\n')}\n`;
}

/** onnxruntime-node is an optional package. */
const { availability } = createModelRunner({ clock: systemClock });

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());

const digestOf = (bytes: string | Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

interface Desk {
  at: string;
  function: string;
  run: (input: object) => Promise<Answer>;
  upload: (runId: string, model: Uint8Array) => Promise<Answer>;
  answer: (runId: string, candidates: readonly string[]) => Promise<Answer>;
  ended: (runId: string) => Promise<Answer['body']>;
  history: (runId: string) => Promise<Answer['body'][]>;
}

let playbooks = 0;
async function givenDesk(source = FUNCTION, months: number | null = 60): Promise<Desk> {
  playbooks += 1;
  const playbook = `desk-${playbooks}`;
  await server.post(ORG, { playbook, name: 'Desk' });
  const at = `${ORG}/${playbook}`;
  if (months !== null) await uploadDataset(at, csvOf(months));
  expect((await server.post(`${at}/definitions/prediction`, { name: 'tickets', source })).status).toBe(201);
  const named = `${at}/definitions/prediction/tickets`;
  return {
    at,
    function: named,
    run: (input) => server.post(`${named}/run`, { input }),
    upload: (runId, model) =>
      server.send('POST', `${at}/runs/${runId}/build/candidates`, {
        headers: { 'content-type': 'application/octet-stream' },
        body: Buffer.from(model),
      }),
    answer: (runId, candidates) => server.post(`${at}/runs/${runId}/answer`, { answer: { candidates } }),
    async ended(runId) {
      const read = async () => (await server.get(`${at}/runs/${runId}`)).body;
      await expect.poll(async () => (await read()).status, { timeout: 60_000 }).not.toBe('started');
      return read();
    },
    history: async (runId) => (await server.get(`${at}/runs/${runId}/history?limit=100`)).body.events,
  };
}

function uploadDataset(at: string, csv: string): Promise<Answer> {
  const headers = { 'content-type': 'text/csv' };
  return server.send('PUT', `${at}/datasets/${digestOf(csv)}`, { headers, body: csv });
}

describe.skipIf(!availability.isAvailable)('a build', () => {
  test('asks its trainer, scores the candidates, and activates the one that passes the gate', async () => {
    const desk = await givenDesk();
    const { body: run } = await desk.run({ build: {} });
    expect(run).toMatchObject({ status: 'started', waits_for: ['answer', 'upload'] });
    const id = run.run_id;
    const [request] = (await server.get(`${desk.at}/interactions`)).body.interactions;
    expect(request).toMatchObject({ run_id: id, type: 'prediction', to: 'forecasters', delivery: null });
    expect(request.message).toContain(`/runs/${id}/build/brief`);
    const build = `${server.address}${desk.at}/runs/${id}/build`;
    expect(request.input).toEqual({
      function: 'tickets',
      run_id: id,
      brief_url: `${build}/brief`,
      rows_url: `${build}/rows`,
    });

    const good = await desk.upload(id, seasonalNaive(5));
    expect(good).toMatchObject({ status: 201, body: { bytes: seasonalNaive(5).length, opset: expect.any(Number) } });
    expect(await desk.upload(id, seasonalNaive(5))).toMatchObject({ status: 200, body: good.body });
    const other = await desk.upload(id, drift());
    const candidates = [other.body.candidate, good.body.candidate];
    expect((await desk.answer(id, candidates)).status).toBe(200);

    const ended = await desk.ended(id);
    expect(ended).toMatchObject({
      status: 'succeeded',
      output: {
        candidate: good.body.candidate,
        version: 1,
        activated: true,
        scores: { coverage: expect.any(Number) },
      },
    });
    expect((await server.get(`${desk.function}/models`)).body.versions).toEqual([
      { version: 1, candidate: good.body.candidate, run_id: id, scores: ended.output.scores, active: true },
    ]);
    expect(ended.output_shape).toBeUndefined();
    const history = await desk.history(id);
    expect(history.map(({ type }) => type)).toEqual([
      'run_started',
      'dataset_assembled',
      'build_asked',
      'interaction_requested',
      'run_deferred',
      'candidate_uploaded',
      'candidate_uploaded',
      'request_answered',
      'workflow_input_applied',
      'workflow_input_applied',
      'baseline_scored',
      'baseline_scored',
      'baseline_scored',
      'candidate_scored',
      'candidate_scored',
      'version_built',
      'version_activated',
      'build_ended',
      'run_succeeded',
    ]);

    const answer = await desk.run({ series: 'north' });
    expect(answer).toMatchObject({ status: 200, body: { status: 'succeeded', output_shape: 'series' } });
    const [observed, predicted] = answer.body.output.lines;
    expect(observed.points).toHaveLength(CONTEXT);
    expect(predicted.points.map(({ at }: { at: string }) => at)).toEqual(['2024-01', '2024-02', '2024-03', '2024-04']);
    for (const { low, value, high } of predicted.points) expect(low <= value && value <= high).toBe(true);
    expect((await desk.run({ series: 'north', horizon: 3 })).body.output.lines[1].points).toEqual([
      predicted.points[2],
    ]);
    const { record } = (await server.get(`${desk.at}/runs/${answer.body.run_id}`)).body;
    expect(record).toEqual({ version: 1, coverage: 0.8, dataset: digestOf(csvOf(60)) });
    // The intervals keep the coverage that they were calibrated for.
    await server.put(desk.function, { source: `${FUNCTION}coverage: 0.9\n` });
    const later = (await desk.run({ series: 'north' })).body;
    expect(later.output.lines[1].points).toEqual(predicted.points);
    expect((await server.get(`${desk.at}/runs/${later.run_id}`)).body.record.coverage).toBe(0.8);
    expect(await desk.run({ series: 'east' })).toMatchObject({
      status: 422,
      body: {
        errors: [{ pointer: '/input/series', detail: expect.stringContaining('has 3, such as "north", "south"') }],
      },
    });
    expect((await desk.run({ series: 'Nor' })).body.detail).toMatch(/such as "north"\.$/);
    expect((await desk.run({ series: 'n'.repeat(257) })).status).toBe(422);
    expect((await server.get(desk.function)).body.standing).toMatchObject({
      active: { version: 1, rule: 'gate', scores: ended.output.scores },
      builds_today: 1,
      builds_left: 19,
    });
  }, 120_000);

  test('gives its trainer a brief and rows, without the windows that judge', async () => {
    const desk = await givenDesk();
    const { run_id: id } = (await desk.run({ build: {} })).body;
    const brief = await server.get(`${desk.at}/runs/${id}/build/brief`);
    expect(brief.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
    for (const words of [
      `[batch, ${HORIZON}, 3]`,
      'seasonal_naive',
      'y_T + h (y_T - y_1) / (n - 1)',
      '(1 - (1 - alpha)^n) / alpha',
      'Every origin up to the cut has a row',
      '2021-12',
      'python',
      "low' = min",
      `/runs/${id}/answer`,
    ]) {
      expect(brief.text).toContain(words);
    }
    expect(brief.text).not.toMatch(/2022-|2023-0/);
    const rows = await server.get(`${desk.at}/runs/${id}/build/rows`);
    expect(rows.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    const [header = '', ...lines] = rows.text.trimEnd().split('\n');
    expect(header.startsWith('series,origin,center,scale,weight,x1,')).toBe(true);
    expect(lines.length).toBeGreaterThan(50);
    expect(lines.every((line) => (line.split(',')[1] ?? '') <= '2021-12')).toBe(true);
  });

  test('refuses what is no candidate, and an answer that names none of its own', async () => {
    const desk = await givenDesk();
    const { run_id: id } = (await desk.run({ build: {} })).body;
    expect(await desk.upload(id, Buffer.from('no model'))).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '', detail: expect.any(String) }] },
    });
    expect((await desk.history(id)).map(({ type }) => type)).toContain('candidate_refused');
    expect(await desk.answer(id, ['0'.repeat(64)])).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/answer/candidates/0' }] },
    });
    expect(await desk.answer(id, [])).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/answer/candidates' }] },
    });
  });

  test('asks through an interaction, whose answer it takes for its own', async () => {
    const desk = await givenDesk(FUNCTION.replace('{ inbox: forecasters }', '{ interaction: train }'));
    const source = `ask:
  to: ada
  message: "Train {{ input.function }} with {{ input.rows_url }} by {{ input.brief_url }}"
  answer: { type: object, required: [candidates], properties: { candidates: { type: array } } }
`;
    await server.post(`${desk.at}/definitions/interaction`, { name: 'train', source });
    const { run_id: id } = (await desk.run({ build: {} })).body;
    const asked = async () => (await server.get(`${desk.at}/interactions`)).body.interactions[0];
    await expect.poll(asked).toMatchObject({ to: 'ada', message: expect.stringContaining(`/runs/${id}/build/rows`) });
    const { candidate } = (await desk.upload(id, seasonalNaive(5))).body;
    expect((await desk.answer((await asked()).run_id, [candidate])).status).toBe(200);
    expect(await desk.ended(id)).toMatchObject({ status: 'succeeded', output: { candidate, activated: true } });
  }, 120_000);

  test('is cancelled, and then takes nothing any more', async () => {
    const desk = await givenDesk();
    const { run_id: id } = (await desk.run({ build: {} })).body;
    expect((await server.post(`${desk.at}/runs/${id}/cancel`, {})).status).toBe(200);
    expect(await desk.ended(id)).toMatchObject({ status: 'rejected', reason: 'cancelled', kind: 'requested' });
    const refused = { status: 409, body: { kind: 'build_ended' } };
    expect(await server.get(`${desk.at}/runs/${id}/build/brief`)).toMatchObject(refused);
    expect(await desk.upload(id, drift())).toMatchObject(refused);
    expect((await desk.history(id)).at(-2)).toMatchObject({ type: 'build_ended', data: { activated: false } });
  });

  test('needs a dataset of its columns and period, and is counted by the day', async () => {
    const desk = await givenDesk(`${FUNCTION}builds_per_day: 1\n`, null);
    expect(await desk.run({ build: {} })).toMatchObject({ status: 409, body: { kind: 'no_dataset' } });
    const wrong = 'series,period,tickets\nnorth,2024-01-01,1\n';
    await uploadDataset(desk.at, wrong);
    for (const dataset of ['0'.repeat(64), digestOf(wrong)]) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      expect(await desk.run({ build: { dataset } })).toMatchObject({
        status: 422,
        body: { errors: [{ pointer: '/input/build/dataset' }] },
      });
    }
    await uploadDataset(desk.at, csvOf(60));
    expect((await desk.run({ build: {} })).body.status).toBe('started');
    const refused = await desk.run({ build: {} });
    expect(refused).toMatchObject({ status: 503, body: { because: 'builds_of_the_day' } });
    expect(refused.headers.get('retry-after')).toBeNull();
  });

  test('of another run is no build', async () => {
    const desk = await givenDesk();
    const { run_id: id } = (await desk.run({ series: 'north' })).body;
    expect(await server.get(`${desk.at}/runs/${id}/build/rows`)).toMatchObject({
      status: 409,
      body: { kind: 'not_a_build' },
    });
    expect((await server.get(`${desk.at}/runs/${crypto.randomUUID()}/build/brief`)).status).toBe(404);
  });
});

describe.skipIf(!availability.isAvailable)('a version', () => {
  test('that does not pass the gate is built, and a caller may activate it', async () => {
    const desk = await givenDesk();
    const { run_id: id } = (await desk.run({ build: {} })).body;
    const { candidate } = (await desk.upload(id, drift())).body;
    await desk.answer(id, [candidate]);
    expect(await desk.ended(id)).toMatchObject({ status: 'succeeded', output: { version: 1, activated: false } });
    const { detail } = (await desk.ended(id)).output;
    expect(detail).toMatch(
      /^The version did not pass the gate: its score of \S+ is not at least 2% lower than the \S+ of the best baseline \(\w+\)/,
    );
    const { lines } = (await server.get(`${desk.at}/runs/${id}/explanation`)).body;
    expect(lines.map(({ text }: { text: string }) => text)).toContainEqual(`Version 1 was not activated: ${detail}`);
    expect(await desk.history(id)).toContainEqual(
      expect.objectContaining({
        type: 'activation_refused',
        data: expect.objectContaining({ because: 'bar', score: expect.any(Number), bar: expect.any(Number) }),
      }),
    );
    expect((await desk.run({ series: 'north' })).body).toMatchObject({
      because: 'no_active_version',
      detail: `prediction/tickets has no active model version. The last build, the run ${id}, built version 1, which is not active: ${detail}`,
    });
    const activate = (version: number) => server.post(`${desk.function}/activate`, { version });
    expect((await activate(2)).status).toBe(404);
    expect(await activate(1)).toMatchObject({
      status: 200,
      body: { function: 'tickets', version: 1, rule: 'caller', activated_at: expect.any(String) },
    });
    expect(await activate(1)).toMatchObject({ status: 409, body: { kind: 'already_active' } });
    expect((await desk.run({ series: 'north' })).body.status).toBe('succeeded');
  }, 120_000);

  test('gives forecasts also without a run', async () => {
    const desk = await givenDesk();
    const read = (query: string) => server.get(`${desk.function}/forecast?${query}`);
    expect(await read('series=north')).toMatchObject({ status: 503, body: { because: 'no_active_version' } });
    const { run_id: id } = (await desk.run({ build: {} })).body;
    await desk.answer(id, [(await desk.upload(id, seasonalNaive(5))).body.candidate]);
    await desk.ended(id);
    const { body: run } = await desk.run({ series: 'north', horizon: 2 });
    const runs = async () => (await server.get(`${desk.at}/runs`)).body.runs.length;
    const before = await runs();
    const { output, ...record } = (await read('series=north&horizon=2')).body;
    expect(output).toEqual(run.output);
    expect((await server.get(`${desk.at}/runs/${run.run_id}`)).body.record).toMatchObject(record);
    expect(await read('series=nowhere')).toMatchObject({ status: 422, body: { errors: [{ pointer: '/series' }] } });
    expect(await read('series=north&horizon=9')).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/horizon' }] },
    });
    expect(await runs()).toBe(before);
  }, 120_000);

  test('of a dataset with too few windows takes the best candidate, and waits for a caller', async () => {
    const desk = await givenDesk(FUNCTION, 20);
    const { run_id: id } = (await desk.run({ build: {} })).body;
    const candidates: string[] = [];
    for (const lag of [2, 3, 4, 10]) {
      candidates.push((await desk.upload(id, seasonalNaive(lag))).body.candidate);
    }
    await desk.answer(id, candidates);
    expect(await desk.ended(id)).toMatchObject({
      output: { candidate: candidates[3], version: 1, activated: false, scores: { coverage: null } },
    });
    const types = (await desk.history(id)).map(({ type }) => type);
    expect(types).toContain('baseline_not_walked');
    expect(types).not.toContain('baseline_scored');
  }, 120_000);

  test('is built once by a build that is answered after a restart of the server', async () => {
    const folder = temporaryFolder();
    const first = server;
    try {
      server = await startServer({ dataDir: folder.path });
      const desk = await givenDesk();
      const { run_id: id } = (await desk.run({ build: {} })).body;
      const { candidate } = (await desk.upload(id, seasonalNaive(5))).body;
      await server.close();
      server = await startServer({ dataDir: folder.path });
      expect((await desk.upload(id, seasonalNaive(5))).status).toBe(200);
      await desk.answer(id, [candidate]);
      expect(await desk.ended(id)).toMatchObject({ output: { candidate, version: 1, activated: true } });
      const types = (await desk.history(id)).map(({ type }) => type);
      for (const once of [
        'dataset_assembled',
        'candidate_uploaded',
        'version_built',
        'version_activated',
        'build_ended',
      ]) {
        expect(types.filter((type) => type === once)).toHaveLength(1);
      }
      await server.close();
    } finally {
      server = first;
      folder.remove();
    }
  }, 120_000);
});
