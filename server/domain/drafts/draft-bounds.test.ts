import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { DRAFT_BOUNDS, LIMITS } from '../../../shared/limits.ts';
import { KIB } from '../../../shared/product.ts';
import { startServer, type TestServer } from '../../test/index.ts';

const AT = '/v1/orgs/local/playbooks/desk';
const LONG = 'x'.repeat(100 * KIB);

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
  await server.post('/v1/orgs/local/playbooks', { playbook: 'desk', name: 'Desk' });
  const save = async (type: string, name: string, source: string): Promise<void> => {
    const saved = await server.post(`${AT}/definitions/${type}`, { name, source });
    if (saved.status !== 201) throw new Error(JSON.stringify(saved.body));
  };
  await save('computation', 'long', `export default () => 'x'.repeat(${LONG.length});\n`);
  await save('computation', 'slow', 'export default () => { for (;;) {} };\n');
  await save(
    'interaction',
    'approve',
    `ask:\n  to: editor\n  message: "${'m'.repeat(50 * KIB)}"\n  answer: { type: object }\n`,
  );
});
afterAll(() => server.close());

const run = (fields: object, type = 'workflow') => server.post(`${AT}/definitions/${type}/run-draft`, fields);
const workflow = (steps: string): string =>
  `document: { dsl: '1.0.3', namespace: desk, name: w, version: '1.0.0' }\ndo:\n${steps}\n`;
const loop = (turns: number, step: string): string =>
  workflow(`  - all: { for: { each: i, in: "\${ [range(0;${turns})] }" }, do: [ { one: ${step} } ] }`);
const sizeOf = (value: unknown): number => JSON.stringify(value).length;

describe('a draft in a loop returns a bounded part of', () => {
  test('the events that it would publish', async () => {
    const data = '{ s: "${ $workflow.input.s }", i: "${ $i }" }';
    const source = loop(20, `{ emit: { event: { with: { type: a.b, source: /x, data: ${data} } } } }`);
    const { body } = await run({ source, input: { s: LONG } });
    expect(body).toMatchObject({ status: 'succeeded', shortened: true });
    expect(body.published).toHaveLength(Math.floor(DRAFT_BOUNDS.publishedBytes / (LONG.length + 200)));
  });

  test('the errors of its steps', async () => {
    const error = '{ type: "https://example.com/no", status: 400, detail: "${ $workflow.input.s }" }';
    const source = loop(20, `{ try: [ { no: { raise: { error: ${error} } } } ], catch: { as: e } }`);
    const { body } = await run({ source, input: { s: LONG } });
    const failed = body.steps.filter(({ state }: { state: string }) => state === 'failed');
    expect(failed).toHaveLength(20);
    expect(failed[0].error).toMatchObject({ type: 'https://example.com/no', status: 400 });
    expect(sizeOf(failed)).toBeLessThan(20 * LIMITS.shownValueBytes);
  });

  test('the outputs of its calls', async () => {
    const { body } = await run({ source: loop(5, '{ call: computation/long }') });
    expect(body.calls).toHaveLength(5);
    for (const call of body.calls) expect(call).toMatchObject({ output_bytes: LONG.length + 2 });
  });

  test('its open questions, and asks the others once these are answered', async () => {
    const branches = Array.from({ length: 20 }, (_, i) => `          - b${i}: { call: interaction/approve }`).join(
      '\n',
    );
    const source = workflow(`  - all:\n      fork:\n        branches:\n${branches}`);
    const asked = (await run({ source })).body;
    expect(asked).toMatchObject({ status: 'waiting', detail: expect.stringContaining('20 results'), shortened: true });
    expect(asked.questions).toHaveLength(10);
    const results = asked.questions.map(({ call }: { call: string }) => ({ call, output: {} }));
    const next = (await run({ source, ...asked.continuation, results })).body;
    expect(next.questions).toHaveLength(10);
    expect(next.questions[0].call).not.toBe(asked.questions[0].call);
  });
});

test('a draft of a recall function reads a bounded part of the events', async () => {
  for (let n = 0; n < 45; n += 1) {
    await server.post(`${AT}/events`, { event: { type: 'opened', source: '/s', data: { n, s: LONG } } });
  }
  const source = `export const reads = [{ events: { type: 'opened' } }];
export const initial = { last: 0 };
export const evolve = (state, { event }) => ({ last: event.data.n });
export const answer = (state) => state.last;
`;
  const { body } = await run({ source }, 'recall');
  expect(body).toMatchObject({ status: 'succeeded', output: 44 });
  expect(body.record.events).toBe(Math.ceil(4_000_000 / (LONG.length + 500)));
});

test('an org runs a bounded number of drafts at once', async () => {
  const waiting = Array.from({ length: DRAFT_BOUNDS.atOnce + 1 }, () =>
    run({ source: loop(1, '{ call: computation/slow }') }),
  );
  const statuses = (await Promise.all(waiting)).map(({ status }) => status);
  expect(statuses.filter((status) => status === 503)).toHaveLength(1);
  expect((await run({ source: workflow('  - done: { set: { a: 1 } }') })).status).toBe(200);
});

test('a start that is a leap second, does not exist or is too far away is no failure of the service', async () => {
  const source = workflow('  - done: { set: { a: 1 } }');
  expect((await run({ source, started_at: '2016-12-31T23:59:60Z' })).body).toMatchObject({ status: 'succeeded' });
  for (const start of ['2016-06-15T12:00:60Z', '9999-12-31T00:00:00Z', '0000-01-01T00:00:00+23:59']) {
    expect(await run({ source, started_at: start })).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/started_at' }] },
    });
  }
});
