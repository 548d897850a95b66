import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { steeredClock } from '../models/models.testing.ts';
import { startServer, temporaryFolder, type TestServer } from '../../test/index.ts';

const AT = '/v1/orgs/local/playbooks/desk';

const SECRET = 'a-secret-of-the-desk';
const folder = temporaryFolder();

let server: TestServer;
beforeAll(async () => {
  // Runs of the playbook's workflows may read the variable, so an example that could read it would show it.
  const configuration = path.join(folder.path, 'cuebook.yaml');
  writeFileSync(configuration, 'workflow_secrets: [{ variable: DESK_TOKEN, playbooks: [desk] }]\n');
  server = await startServer({ environment: { DESK_TOKEN: SECRET, CONFIG_FILE: configuration } });
  await server.post('/v1/orgs/local/playbooks', { playbook: 'desk', name: 'Desk' });
});
afterAll(async () => {
  await server.close();
  folder.remove();
});

const tested = (type: string, fields: object) => server.post(`${AT}/definitions/${type}/test`, fields);
const program = (examples: string, body = 'input.n * 2'): string =>
  `export const examples = [${examples}];\nexport default (input) => ${body};\n`;
const eventCount = async (): Promise<number> => (await server.get(`${AT}/events?limit=100`)).body.events.length;

describe('the examples of a source', () => {
  test('pass, or fail with each place that differs, and leave no trace', async () => {
    const before = await eventCount();
    const source = program(
      `{ name: 'right', input: { n: 1 }, output: { n: 2, by: ['a'] } },
       { name: 'wrong', input: { n: 2 }, output: { n: 5, by: ['a', 'b'], gone: true } },
       { name: 'only run', input: { n: 3 } }`,
      "({ n: input.n * 2, by: ['a'] })",
    );
    expect(await tested('computation', { source })).toMatchObject({
      status: 200,
      body: {
        valid: true,
        issues: [],
        passed: 2,
        failed: 1,
        not_run: 0,
        examples: [
          { name: 'right', status: 'passed' },
          {
            name: 'wrong',
            status: 'failed',
            differences: [
              { pointer: '/n', expected: '5', returned: '4' },
              { pointer: '/by/1', expected: '"b"' },
              { pointer: '/gone', expected: 'true' },
            ],
          },
          { name: 'only run', status: 'passed', output: { n: 6, by: ['a'] } },
        ],
      },
    });
    expect(await eventCount()).toBe(before);
    expect((await server.get(`${AT}/runs`)).body.runs).toEqual([]);
  });

  test('that fail show each value once, and the whole output only if the differences are shortened', async () => {
    const source = program(
      `{ name: 'text', input: { n: 1 }, output: 'expected-text' },
       { name: 'long', input: { n: 20 }, output: 'expected-text' }`,
      "'returned-text'.repeat(input.n)",
    );
    const { examples } = (await tested('computation', { source })).body;
    expect(examples[0]).toEqual({
      name: 'text',
      status: 'failed',
      differences: [{ pointer: '', expected: '"expected-text"', returned: '"returned-text"' }],
    });
    expect(examples[1]).toMatchObject({ output: 'returned-text'.repeat(20) });
    const calls = '{ name: a, input: {}, output: 2, calls: {}, sequences: { computation/absent: [{ output: 1 }] } }';
    const workflow = `document: { dsl: '1.0.3', namespace: desk, name: w, version: '1.0.0', metadata: { examples: [${calls}] } }
do: [ { a: { set: '\${ 1 }' } } ]`;
    expect((await tested('workflow', { source: workflow })).body.examples).toEqual([
      {
        name: 'a',
        status: 'failed',
        detail: expect.stringMatching(/^`sequences` has 1 entry for computation\/absent/),
        differences: [{ pointer: '', expected: '2', returned: '1' }],
      },
    ]);
  });

  test('that fail at the end of a long text show the end', async () => {
    const source = program(
      `{ name: 'end', input: { n: 300 }, output: '🦉'.repeat(300) + 'expected' },
       { name: 'length', input: { n: 300 }, output: '🦉'.repeat(299) }`,
      "'🦉'.repeat(input.n) + (input.n === 300 ? 'returned' : '')",
    );
    const owls = '🦉'.repeat(20);
    expect((await tested('computation', { source })).body.examples).toMatchObject([
      { differences: [{ expected: `…${owls}expected"`, returned: `…${owls}returned"` }] },
      { differences: [{ expected: `…${owls}"`, returned: `…${owls}🦉returned"` }] },
    ]);
  });

  test('are not run if the document cannot be saved', async () => {
    const { body } = await tested('computation', { source: 'export default () => {\n  return 1 +;\n};\n' });
    expect(body).toMatchObject({ valid: false, issues: [{ line: 2 }], passed: 0, failed: 0, examples: [] });
  });

  test('that fail say why; those after them are run', async () => {
    const source = program("{ name: 'a', input: null }, { name: 'b', input: { n: 1 }, output: 2 }");
    expect((await tested('computation', { source })).body.examples).toMatchObject([
      { name: 'a', status: 'failed', detail: expect.stringContaining('Line 2') },
      { name: 'b', status: 'passed' },
    ]);
  });

  test('call no tool, no definition and no model, and see no secret', async () => {
    const metadata = (example: string): string =>
      `document:\n  dsl: '1.0.3'\n  namespace: desk\n  name: w\n  version: '1.0.0'\n  metadata: { examples: [${example}] }\n`;
    const called = `${metadata('{ name: calls, input: {}, output: 1 }')}do:\n  - ask: { call: computation/absent }\n`;
    expect((await tested('workflow', { source: called })).body.examples).toMatchObject([
      {
        status: 'failed',
        detail: expect.stringContaining('no result for the call of computation/absent at /do/0/ask'),
      },
    ]);
    const secret = `${metadata('{ name: reads, input: {}, output: null }')}use: { secrets: [DESK_TOKEN] }\ndo:\n  - read: { set: '\${ $secrets.DESK_TOKEN }' }\n`;
    const read = await server.post(`${AT}/definitions/workflow`, { name: 'reads-secret', source: secret });
    expect(read.status).toBe(201);
    expect((await tested('workflow', { name: 'reads-secret' })).body.examples).toMatchObject([
      { status: 'failed', detail: expect.stringContaining('DESK_TOKEN') },
    ]);
    const asked =
      '---\nmodel: openai/gpt-5-mini\nexamples: [{ name: renders, input: { name: Ada } }, { name: misses, input: {} }]\n---\nGreet {{ input.name }}.\n';
    expect((await tested('reasoning', { source: asked })).body.examples).toMatchObject([
      { name: 'renders', status: 'passed' },
      { name: 'misses', status: 'failed', detail: expect.stringContaining('input.name') },
    ]);
  });

  test('of a recall function fold their own events, not those of the playbook', async () => {
    await server.post(`${AT}/events`, { event: { type: 'opened', source: '/s' } });
    const source = `export const reads = [{ events: {} }];
export const initial = { count: 0 };
export const evolve = (state) => ({ count: state.count + 1 });
export const answer = (state) => state.count;
export const examples = [{ name: 'two', events: [{ type: 'a' }, { type: 'b' }], input: {}, output: 2 }];
`;
    expect((await tested('recall', { source })).body).toMatchObject({ passed: 1, failed: 0 });
  });
});

describe('the examples of a saved definition', () => {
  test('are those of its current version, or of the given one', async () => {
    const of = `${AT}/definitions/computation`;
    await server.post(of, { name: 'double', source: program("{ name: 'first', input: { n: 1 }, output: 3 }") });
    await server.put(`${of}/double`, { source: program("{ name: 'second', input: { n: 1 }, output: 2 }") });
    expect((await tested('computation', { name: 'double' })).body).toMatchObject({
      version: 2,
      examples: [{ name: 'second', status: 'passed' }],
    });
    expect((await tested('computation', { name: 'double', version: 1 })).body).toMatchObject({
      version: 1,
      failed: 1,
      examples: [{ name: 'first', status: 'failed' }],
    });
    expect((await tested('computation', { name: 'double', version: 3 })).status).toBe(404);
    expect((await tested('computation', { name: 'triple' })).status).toBe(404);
  });

  test.each([
    [{}, '/source'],
    [{ source: program(''), name: 'double' }, '/name'],
    [{ source: program(''), version: 1 }, '/version'],
    [{ name: 'double', version: 0 }, '/version'],
  ])('need either a source or a name: %j', async (fields, pointer) => {
    expect(await tested('computation', fields)).toMatchObject({ status: 422, body: { errors: [{ pointer }] } });
  });
});

describe('the answer is bounded', () => {
  test('in size: failed examples are shown first', async () => {
    const examples = Array.from(
      { length: 120 },
      (_, n) => `{ name: 'example ${n}', input: { n: ${n} }, ${n === 90 ? 'output: 1' : ''} }`,
    );
    const source = program(examples.join(','), "'x'.repeat(500)");
    const { body } = await tested('computation', { source });
    expect(body).toMatchObject({ passed: 99, failed: 1, not_run: 20, shortened: true });
    expect(body.examples).toHaveLength(100);
    expect(body.examples[90]).toMatchObject({ status: 'failed', output: 'x'.repeat(500) });
    expect(JSON.stringify(body).length).toBeLessThan(21 * 1024);
  });

  test('in time: examples after the deadline are not run', async () => {
    const clock = steeredClock();
    const hurried = await startServer({ clock });
    await hurried.post('/v1/orgs/local/playbooks', { playbook: 'desk', name: 'Desk' });
    // Each one is only stopped by the limit of its work. Meanwhile, time passes ten times as fast.
    const examples = Array.from({ length: 60 }, (_, n) => `{ name: 'slow ${n}', input: ${n} }`).join(',');
    const source = program(examples, '(() => { for (;;); })()');
    const passing = setInterval(() => clock.skip(200), 20);
    try {
      const { body } = await hurried.post(`${AT}/definitions/computation/test`, { source });
      expect(body.not_run).toBeGreaterThan(0);
      expect(body.examples.at(-1)).toMatchObject({
        name: 'slow 59',
        status: 'not_run',
        detail: 'Not run: all examples together may take 10 seconds.',
      });
    } finally {
      clearInterval(passing);
      await hurried.close();
    }
  }, 30_000);
});
