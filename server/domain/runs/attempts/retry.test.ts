import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Answer, startServer, type TestServer } from '../../../test/index.ts';
import { decideRetry, decideOnlyAttempt } from './retry.ts';
import type { RunRow } from '../history/sql.ts';

let server: TestServer;
const BASE = '/v1/orgs/local/playbooks/retry';
const HEAD = "document: { dsl: '1.0.3', namespace: retry, name: w, version: '1.0.0' }\n";
const save = (name: string, source: string): Promise<Answer> =>
  server.post(`${BASE}/definitions/computation`, { name, source });
const run = (name: string, body: unknown): Promise<Answer> =>
  server.post(`${BASE}/definitions/computation/${name}/run`, body);
const historyOf = async (runId: string): Promise<string[]> => {
  const { body } = await server.get(`${BASE}/runs/${runId}/history`);
  return body.events.map(({ type }: { type: string }) => type);
};

beforeAll(async () => {
  server = await startServer();
  await server.post('/v1/orgs/local/playbooks', { playbook: 'retry', name: 'Retry' });
  await save('echo', 'export default (input) => ({ input });');
  await save(
    'picky',
    'export const input = { type: "object", required: ["n"], properties: { n: { type: "number" } } }; export default (input) => input.n;',
  );
});
afterAll(() => server.close());

describe('a second request under a run id', () => {
  test('of a run that succeeded answers its output and runs nothing', async () => {
    const runId = crypto.randomUUID();
    const first = await run('echo', { run_id: runId, input: { a: 1, b: 2 } });
    const again = await run('echo', { run_id: runId.toUpperCase(), input: { b: 2.0, a: 1 } });
    expect(again.body).toEqual(first.body);
    expect(await historyOf(runId)).toEqual(['run_started', 'run_succeeded']);
  });

  test('with no input is the same as one with {}', async () => {
    const runId = crypto.randomUUID();
    await run('echo', { run_id: runId });
    expect((await run('echo', { run_id: runId, input: {} })).status).toBe(200);
  });

  test('of a run whose input was refused answers the same refusal', async () => {
    const runId = crypto.randomUUID();
    const first = await run('picky', { run_id: runId, input: { n: 'one' } });
    expect(first).toMatchObject({ status: 422, body: { run_id: runId, errors: [{ pointer: '/input/n' }] } });
    expect((await run('picky', { run_id: runId, input: { n: 'one' } })).body).toEqual(first.body);
    expect(await historyOf(runId)).toEqual(['run_started', 'run_rejected']);
  });

  test('of a run without a final result attempts it again, with the latest version', async () => {
    const runId = crypto.randomUUID();
    await save('mended', 'export default () => { throw new Error("not yet"); };');
    expect(await run('mended', { run_id: runId })).toMatchObject({
      status: 409,
      body: { kind: 'unworkable', run_id: runId },
    });
    await server.put(`${BASE}/definitions/computation/mended`, { source: 'export default () => "well";' });
    expect((await run('mended', { run_id: runId })).body).toMatchObject({
      status: 'succeeded',
      attempt: 2,
      definition_version: 2,
      output: 'well',
    });
    expect(await historyOf(runId)).toEqual(['run_started', 'run_rejected', 'run_started', 'run_succeeded']);
    const { body } = await server.get(`${BASE}/runs?name=mended`);
    expect(body.runs).toHaveLength(1);
  });

  test('for another input or another definition is a conflict', async () => {
    const runId = crypto.randomUUID();
    await run('echo', { run_id: runId, input: 1 });
    expect((await run('echo', { run_id: runId, input: 2 })).status).toBe(409);
    expect((await run('picky', { run_id: runId, input: 1 })).status).toBe(409);
  });

  test('while the first is in progress returns its ending: many at the same time run once', async () => {
    const runId = crypto.randomUUID();
    const answers = await Promise.all(Array.from({ length: 12 }, () => run('echo', { run_id: runId, input: 'once' })));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(await historyOf(runId)).toEqual(['run_started', 'run_succeeded']);
  });

  test.each([
    ['workflow', 'pauses', `${HEAD}do: [ { pause: { wait: P30D } } ]`],
    ['interaction', 'asks', 'ask: { to: ada, message: Which?, answer: {} }'],
  ])(
    'of a run of the type %s that waits returns it and starts nothing; once cancelled, the cancellation',
    async (type, name, source) => {
      await server.post(`${BASE}/definitions/${type}`, { name, source });
      const request = { run_id: crypto.randomUUID(), input: { a: 1 } };
      const requested = (): Promise<Answer> => server.post(`${BASE}/definitions/${type}/${name}/run`, request);
      const first = await requested();
      expect(first).toMatchObject({ status: 200, body: { status: 'started' } });
      const history = await historyOf(request.run_id);
      expect((await requested()).body).toEqual(first.body);
      expect(await historyOf(request.run_id)).toEqual(history);
      await server.post(`${BASE}/runs/${request.run_id}/cancel`, {});
      const statusOf = async (): Promise<string> => (await server.get(`${BASE}/runs/${request.run_id}`)).body.status;
      await expect.poll(statusOf).toBe('rejected');
      expect(await requested()).toMatchObject({ status: 409, body: { reason: 'cancelled', kind: 'requested' } });
    },
  );

  test.each([
    ['succeeded', 'set: { a: 1 }', { status: 'succeeded', output: { a: 1 } }],
    ['refused its input', 'call: computation/picky, with: { n: one }', { reason: 'invalid_input' }],
    ['failed', "raise: { error: { type: 'https://a.example/no', status: 500, title: No } }", { kind: 'unworkable' }],
  ])('of a workflow that %s records nothing more', async (name, step, answer) => {
    const workflow = name.replaceAll(' ', '-');
    const source = `${HEAD}do: [ { it: { ${step} } } ]`;
    await server.post(`${BASE}/definitions/workflow`, { name: workflow, source });
    const request = { run_id: crypto.randomUUID() };
    const requested = (): Promise<Answer> => server.post(`${BASE}/definitions/workflow/${workflow}/run`, request);
    await requested();
    const last = async (): Promise<string | undefined> => (await historyOf(request.run_id)).at(-1);
    await expect.poll(last).toMatch(/^run_(succeeded|rejected)$/);
    const history = await historyOf(request.run_id);
    expect((await requested()).body).toMatchObject(answer);
    expect(await historyOf(request.run_id)).toEqual(history);
  });

  test('of a retired definition still answers what is recorded, and starts nothing new', async () => {
    const runId = crypto.randomUUID();
    await save('leaving', 'export default () => 1;');
    await run('leaving', { run_id: runId });
    await server.post(`${BASE}/definitions/computation/leaving/retire`, {});
    expect((await run('leaving', { run_id: runId })).body.output).toBe(1);
    expect(await run('leaving', {})).toMatchObject({ status: 409, body: { kind: 'retired' } });
  });
});

describe('what a second request means', () => {
  const request = { type: 'computation', name: 'echo', inputSha256: 'same' };
  const row = (
    status: RunRow['status'],
    reason: string | null = null,
    tools: RunRow['tools_called'] = 'none',
  ): RunRow =>
    ({
      type: 'computation',
      name: 'echo',
      input_sha256: 'same',
      origin_run_id: null,
      status,
      reason,
      tools_called: tools,
    }) as RunRow;
  const CALM = { isLive: false, isWaiting: false, mayCallTools: false };
  test.each([
    ['succeeded', row('succeeded', null, 'effects'), CALM, 'answer', 'answer'],
    ['rejected as invalid_input', row('rejected', 'invalid_input'), CALM, 'answer', 'answer'],
    ['cancelled', row('rejected', 'cancelled'), CALM, 'answer', 'answer'],
    ['unanswered', row('rejected', 'unanswered'), CALM, 'answer', 'answer'],
    ['unavailable', row('rejected', 'unavailable'), CALM, 'attempt', 'refuse_again'],
    ['conflict', row('rejected', 'conflict'), CALM, 'attempt', 'refuse_again'],
    ['failed', row('failed'), CALM, 'attempt', 'refuse_again'],
    ['ended after a call of a tool', row('rejected', 'conflict', 'effects'), CALM, 'tools_called', 'refuse_again'],
    ['failed after a tool that reads', row('failed', null, 'reads'), CALM, 'tools_called', 'refuse_again'],
    [
      'ended before its first call',
      row('rejected', 'unavailable'),
      { ...CALM, mayCallTools: true },
      'attempt',
      'refuse_again',
    ],
    ['started and interrupted', row('started'), CALM, 'attempt', 'answer'],
    ['started and going on', row('started'), { ...CALM, isLive: true }, 'join', 'answer'],
    ['started and waiting', row('started'), { ...CALM, isWaiting: true }, 'answer', 'answer'],
    [
      'started and may call tools',
      row('started'),
      { ...CALM, isLive: true, mayCallTools: true },
      'tools_called',
      'answer',
    ],
  ] as const)('%s', (_name, run, situation, decision, ofWorkflow) => {
    expect(decideRetry(run, request, situation)).toBe(decision);
    expect(decideRetry(run, { ...request, inputSha256: 'other' }, situation)).toBe('refuse');
    expect(decideRetry(run, { ...request, name: 'other' }, situation)).toBe('refuse');
    expect(decideOnlyAttempt(run, request)).toBe(ofWorkflow);
  });
});
