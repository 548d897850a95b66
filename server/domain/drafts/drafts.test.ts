import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startServer, type TestServer } from '../../test/index.ts';

const AT = '/v1/orgs/local/playbooks/desk';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
  await server.post('/v1/orgs/local/playbooks', { playbook: 'desk', name: 'Desk' });
  const save = async (type: string, name: string, source: string): Promise<void> => {
    const saved = await server.post(`${AT}/definitions/${type}`, { name, source });
    if (saved.status !== 201) throw new Error(JSON.stringify(saved.body));
  };
  await save('computation', 'double', DOUBLE);
  await save('interaction', 'approve', APPROVE);
  await save('reasoning', 'greet', '---\nmodel: openai/gpt-5-mini\n---\nGreet {{ input.name }}.\n');
  await save('workflow', 'decide', workflow('  - ask: { call: interaction/approve, with: { amount: "${ .n }" } }'));
});
afterAll(() => server.close());

const DOUBLE =
  "export const input = { type: 'object', required: ['n'], properties: { n: { type: 'number' } } };\nexport default (input) => ({ n: input.n * 2 });\n";
const APPROVE =
  'ask:\n  to: editor\n  message: "Approve {{ input.amount }} EUR?"\n  answer: { type: object, required: [approved], properties: { approved: { type: boolean } } }\n';
const run = (type: string, fields: object) => server.post(`${AT}/definitions/${type}/run-draft`, fields);
const workflow = (steps: string, more = ''): string =>
  `document: { dsl: '1.0.3', namespace: desk, name: w, version: '1.0.0' }\n${more}do:\n${steps}\n`;
const eventCount = async (): Promise<number> => (await server.get(`${AT}/events?limit=100`)).body.events.length;

describe('a draft', () => {
  test('runs without a version, a run or an event', async () => {
    const before = await eventCount();
    const source = 'export default (input) => { console.log("seen"); return input.n + 1; };\n';
    expect(await run('computation', { source, input: { n: 1 } })).toMatchObject({
      status: 200,
      body: { valid: true, status: 'succeeded', output: 2, record: { console: expect.anything() } },
    });
    expect(await eventCount()).toBe(before);
    expect((await server.get(`${AT}/runs`)).body.runs).toEqual([]);
  });

  test('that cannot be saved is not run', async () => {
    const { body } = await run('computation', { source: 'export default () => {\n  return 1 +;\n};\n' });
    expect(body).toMatchObject({ valid: false, issues: [{ line: 2 }] });
    expect(body).not.toHaveProperty('status');
  });

  test('is held to its input schema, and reports an error of its program with its line', async () => {
    expect((await run('computation', { source: DOUBLE, input: { n: 'x' } })).body).toMatchObject({
      status: 'rejected',
      rejection: { reason: 'invalid_input', issues: [{ pointer: '/input/n' }] },
    });
    const source = 'export default () => {\n  throw new Error("no");\n};\n';
    expect((await run('computation', { source })).body).toMatchObject({
      status: 'rejected',
      rejection: { reason: 'conflict', kind: 'unworkable' },
      detail: expect.stringContaining('Line 2'),
    });
  });

  test('of a recall function answers from the events of the playbook', async () => {
    for (const n of [1, 2, 3]) {
      await server.post(`${AT}/events`, { event: { type: 'opened', source: '/s', data: { n } } });
    }
    const source = `export const reads = [{ events: { type: 'opened' } }];
export const initial = { sum: 0 };
export const evolve = (state, { event }) => ({ sum: state.sum + event.data.n });
export const answer = (state) => state.sum;
`;
    expect((await run('recall', { source })).body).toMatchObject({
      status: 'succeeded',
      output: 6,
      record: { events: 3 },
    });
    const failing = source.replace('event.data.n }', 'event.data.gone.n }');
    expect((await run('recall', { source: failing })).body).toMatchObject({
      status: 'rejected',
      rejection: { kind: 'stalled' },
    });
  });

  test('of an interaction asks the caller, and refuses an answer that does not match', async () => {
    const asked = await run('interaction', { source: APPROVE, input: { amount: 5 } });
    expect(asked.body).toMatchObject({
      status: 'waiting',
      questions: [{ call: '/ask', asks_for: 'answer', to: 'editor', message: 'Approve 5 EUR?' }],
    });
    const answered = (output: unknown) =>
      run('interaction', {
        source: APPROVE,
        input: { amount: 5 },
        ...asked.body.continuation,
        results: [{ call: '/ask', output }],
      });
    expect((await answered({ approved: 'yes' })).body).toMatchObject({
      status: 'waiting',
      questions: [{ issues: [{ pointer: '/approved' }] }],
    });
    expect((await answered({ approved: true })).body).toMatchObject({
      status: 'succeeded',
      output: { approved: true },
    });
    expect((await server.get(`${AT}/interactions`)).body.interactions).toEqual([]);
  });

  test('of a prediction function builds no model', async () => {
    const source =
      'dataset: { value: tickets }\nperiod: month\ncontext: 12\nhorizon: 3\ntrainer: { inbox: forecasters }\n';
    const before = await eventCount();
    expect((await run('prediction', { source, name: 'tickets', input: { build: {} } })).body).toMatchObject({
      status: 'rejected',
      detail: expect.stringContaining('builds no models'),
    });
    expect(await eventCount()).toBe(before);
  });
});

describe('a workflow', () => {
  const STEPS = `  - first: { call: computation/double, with: { n: "\${ .n }" } }
  - pause: { wait: { days: 30 } }
  - ask: { call: interaction/approve, with: { amount: "\${ .n }" } }
  - after:
      switch:
        - yes: { when: .approved, then: done }
        - no: { then: end }
  - done: { emit: { event: { with: { type: approved, source: /w } } } }`;
  const source = workflow(STEPS);

  test('runs functions, passes time, asks in place and continues with the answer', async () => {
    const before = await eventCount();
    const asked = (await run('workflow', { source, input: { n: 4 } })).body;
    expect(asked).toMatchObject({
      status: 'waiting',
      calls: [
        { call: '/do/0/first', called: 'computation/double', how: 'run', status: 'succeeded', output: { n: 8 } },
        { call: '/do/2/ask', how: 'open', status: 'waiting' },
      ],
      questions: [{ call: '/do/2/ask', to: 'editor', message: 'Approve 8 EUR?' }],
      steps: [
        { step: '/do/0/first', state: 'finished' },
        { state: 'finished' },
        { step: '/do/2/ask', state: 'waiting' },
      ],
      continuation: { results: [] },
    });
    const results = [{ call: '/do/2/ask', output: { approved: true } }];
    const { body } = await run('workflow', { source, input: { n: 4 }, ...asked.continuation, results });
    expect(body).toMatchObject({ status: 'succeeded', questions: [], published: [{ type: 'approved' }] });
    expect(body.steps.find(({ step }: { step: string }) => step === '/do/3/after')).toMatchObject({ taken: 'yes' });
    // The same start: the same times.
    expect(body.steps[1]).toEqual(asked.steps[1]);
    expect(await eventCount()).toBe(before);
  });

  test('may be answered with a failure, which it catches', async () => {
    const caught = workflow(
      `  - guard:
      try:
        - ask: { call: interaction/approve, with: { amount: 1 } }
      catch: { errors: { with: { status: 408 } }, do: [ { late: { set: { late: true } } } ] }`,
    );
    const results = [{ call: '/do/0/guard/try/0/ask', failure: 'unanswered' }];
    expect((await run('workflow', { source: caught, results })).body).toMatchObject({
      status: 'succeeded',
      output: { late: true },
      calls: [{ how: 'given', status: 'rejected' }],
    });
  });

  test('which expires after the timers that are due before', async () => {
    const reminded = workflow(
      `  - both:
      fork:
        compete: true
        branches:
          - ask: { call: interaction/approve, with: { amount: 1 } }
          - remind:
              do:
                - day: { wait: P1D }
                - remind: { emit: { event: { with: { source: /desk, type: reminded } } } }
                - never: { wait: P300D }`,
    );
    const results = [{ call: '/do/0/both/fork/branches/0/ask', failure: 'unanswered' }];
    const { body } = await run('workflow', { source: reminded, results });
    expect(body).toMatchObject({ status: 'rejected', rejection: { reason: 'unanswered' } });
    expect(body.published).toMatchObject([{ type: 'reminded' }]);
  });

  test('asks once for each call of a step in a loop, and in called workflows', async () => {
    const looped = workflow(
      `  - each: { for: { each: n, in: "\${ [1, 2] }" }, do: [ { sub: { call: workflow/decide, with: { n: "\${ $n }" } } } ] }`,
    );
    const first = '/do/0/each/do/0/sub > /do/0/ask';
    const asked = (await run('workflow', { source: looped })).body;
    expect(asked.questions).toMatchObject([{ call: first, message: 'Approve 1 EUR?' }]);
    const results = [{ call: first, output: { approved: true } }];
    const next = (await run('workflow', { source: looped, ...asked.continuation, results })).body;
    expect(next.questions).toMatchObject([{ message: 'Approve 2 EUR?' }]);
    const both = [...next.continuation.results, { call: next.questions[0].call, output: { approved: false } }];
    expect((await run('workflow', { source: looped, ...next.continuation, results: both })).body).toMatchObject({
      status: 'succeeded',
      output: { approved: false },
    });
  });

  test('calls no model, tool or service, and asks for their results', async () => {
    const calling = workflow(
      `  - greet: { call: reasoning/greet, with: { name: Ada } }
  - read: { call: tool, with: { tool: docs/find, arguments: { q: "\${ .text }" } } }
  - send: { call: http, with: { method: post, endpoint: 'https://shop.example/orders' } }`,
    );
    const asked = (await run('workflow', { source: calling })).body;
    expect(asked.questions).toMatchObject([{ called: 'reasoning/greet', detail: expect.stringContaining('models') }]);
    const greeted = [{ call: '/do/0/greet', output: { text: 'Hello Ada' } }];
    const tool = (await run('workflow', { source: calling, ...asked.continuation, results: greeted })).body;
    expect(tool.questions).toMatchObject([
      { called: 'docs/find', detail: expect.stringContaining('docs/find was not called') },
    ]);
    const found = [...tool.continuation.results, { call: '/do/1/read', output: { found: 1 } }];
    const service = (await run('workflow', { source: calling, ...tool.continuation, results: found })).body;
    expect(service.questions).toMatchObject([
      { called: 'http/POST', detail: expect.stringContaining('https://shop.example/orders') },
    ]);
  });

  test('waits for an event, which the caller sends with it', async () => {
    const listening = workflow(`  - hear: { listen: { to: { one: { with: { type: paid } } } } }`);
    expect((await run('workflow', { source: listening })).body).toMatchObject({
      status: 'waiting',
      questions: [],
      detail: expect.stringContaining('paid'),
    });
    const events = [{ type: 'paid', data: { sum: 3 } }];
    expect((await run('workflow', { source: listening, events })).body).toMatchObject({ status: 'succeeded' });
  });

  test('can be followed: steps as they move, then the result', async () => {
    const response = await fetch(`${server.address}${AT}/definitions/workflow/run-draft/follow`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ source, input: { n: 4 } }),
    });
    const events = (await response.text())
      .split('\n')
      .filter((line) => line.startsWith('data: '))
      .map((line) => JSON.parse(line.slice(6)));
    expect(events.at(-1).result).toMatchObject({ status: 'waiting' });
    const moved = events.flatMap(({ steps = [] }) =>
      steps.map((one: { step: string; state: string }) => `${one.state} ${one.step}`),
    );
    expect(moved.indexOf('waiting /do/0/first')).toBeLessThan(moved.indexOf('finished /do/0/first'));
    expect(moved.at(-1)).toBe('waiting /do/2/ask');
  });
});
