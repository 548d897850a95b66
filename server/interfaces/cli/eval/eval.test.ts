import type { ChildProcess } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../../shared/json.ts';
import { answerJson, bodyOf, chatAnswer } from '../../../domain/models/models.testing.ts';
import { type LoopbackServer, serveLoopback, startServer, type TestServer } from '../../../test/index.ts';
import { type CommandLine, createCommandLine, type Ended } from '../cuebook.testing.ts';
import type { Evaluation } from './report.ts';

const AT = '/v1/orgs/local/playbooks/desk';
const FLOW = "document: { dsl: '1.0.3', namespace: desk, name: w, version: '1.0.0' }\n";
const REASONING = `---
model: local/small
output: { type: object, required: [severity], properties: { severity: { type: string } } }
---
Triage {{ input.title }}.
`;

let line: CommandLine;
let provider: LoopbackServer;
let server: TestServer;
/** The models that were called. */
const asked: string[] = [];
/** Calls about the second title wait for this. */
let hold: Promise<void> | undefined;

/** The small model finds everything low; the large one knows what burns. */
async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await bodyOf(request);
  const model = String(body['model']);
  asked.push(model);
  const prompt = JSON.stringify(body['messages']);
  if (prompt.includes('second')) await hold;
  const severity = model === 'large' && prompt.includes('fire') ? 'high' : 'low';
  answerJson(response, 200, chatAnswer({ content: JSON.stringify({ severity }) }));
}

async function save(type: string, name: string, first: string, ...later: readonly string[]): Promise<void> {
  expect((await server.post(`${AT}/definitions/${type}`, { name, source: first })).status).toBe(201);
  for (const source of later) {
    // oxlint-disable-next-line no-await-in-loop -- versions are saved one after the other
    expect((await server.put(`${AT}/definitions/${type}/${name}`, { source })).status).toBe(200);
  }
}

beforeAll(async () => {
  line = createCommandLine();
  provider = await serveLoopback((request, response) => void answer(request, response));
  const gateway = { name: 'local', base_url: provider.address };
  server = await startServer({ environment: { MODEL_GATEWAYS: JSON.stringify([gateway]) } });
  await server.post('/v1/orgs/local/playbooks', { playbook: 'desk', name: 'Desk' });
  await save(
    'computation',
    'double',
    'export default (input) => ({ value: input.n + 1 });',
    'export default (input) => { if (input.n === null) throw new Error("no number"); return { value: input.n * 2 }; };',
  );
  await save('reasoning', 'triage', REASONING);
  await save('interaction', 'approve', 'ask: { to: lead, message: Well?, answer: { type: boolean } }\n');
  await save('workflow', 'chain', `${FLOW}do:\n  - twice: { call: computation/double, with: '\${ . }' }\n`);
  await save('workflow', 'asks', `${FLOW}do:\n  - bell: { listen: { to: { one: { with: { type: bell } } } } }\n`);
}, 60_000);
afterAll(async () => {
  await server.close();
  await provider.close();
  line.remove();
});

function casesOf(...cases: readonly JsonObject[]): string {
  const file = path.join(line.folder, `${crypto.randomUUID()}.cases.jsonl`);
  writeFileSync(file, `${cases.map((one) => JSON.stringify(one)).join('\n')}\n`);
  return file;
}

async function evaluated(
  definition: string,
  cases: string,
  ...more: readonly string[]
): Promise<Ended & { found: Evaluation }> {
  const ended = await line.cuebook([
    'eval',
    definition,
    '--cases',
    cases,
    '--server',
    server.address,
    '--json',
    ...more,
  ]);
  return { ...ended, found: JSON.parse(ended.stdout) as Evaluation };
}

const runsOf = async (name: string): Promise<JsonObject[]> =>
  (await server.get(`${AT}/runs?name=${name}&limit=100`)).body.runs;

describe('given versions of a computation', () => {
  const cases = () =>
    casesOf(
      { name: 'one', input: { n: 1 }, expect: { value: 2 } },
      { name: 'two', input: { n: 2 }, expect: { value: 4 } },
      { input: { n: 5 }, check: '.output.value == .input.n * 2' },
    );

  test('each is scored, and each failed case shows its differences', async () => {
    const { code, found } = await evaluated('desk/computation/double', cases(), '--versions', '1,2');
    expect(code).toBe(1);
    expect(found.scores).toMatchObject([
      { version: 1, passed: 1, failed: 2, not_evaluated: 0, duration_ms: expect.any(Number) },
      { version: 2, passed: 3, failed: 0, score: 1 },
    ]);
    expect(found.results.filter(({ status }) => status === 'failed')).toMatchObject([
      { case: 'two', version: 1, differences: [{ pointer: '/value', expected: 4, returned: 3 }], output: { value: 3 } },
      { case: 'line 3', version: 1, detail: 'The check .output.value == .input.n * 2 returned false, not true.' },
    ]);
    const [first] = found.results;
    expect((await server.get(`${AT}/runs/${first?.run_id}`)).body).toMatchObject({
      status: 'succeeded',
      definition_version: 1,
    });
  }, 60_000);

  test('the current one is evaluated without a list, and the text names the failed cases', async () => {
    const file = casesOf(
      { name: 'good', input: { n: 1 }, expect: { value: 2 } },
      { name: 'bad', input: { n: null }, expect: 1 },
    );
    const all = ['eval', 'desk/computation/double', '--cases', file, '--server', server.address];
    const ended = await line.cuebook(all);
    expect(ended.code).toBe(1);
    expect(ended.stdout).toContain('FAIL bad (version 2)');
    expect(ended.stdout).toContain('no number');
    expect(ended.stdout).toContain('desk/computation/double version 2: 1 of 2 passed, median');
    expect(ended.stderr).toContain('1 of 2 did not pass.');
  }, 60_000);
});

describe('given models', () => {
  test('they are called side by side, with tokens and costs, and the exit code is 0 only if all cases pass', async () => {
    const file = casesOf(
      { name: 'calm', input: { title: 'a question' }, expect: { severity: 'low' } },
      { name: 'urgent', input: { title: 'a fire' }, check: '.output.severity == "high"' },
    );
    const prices = path.join(line.folder, 'prices.json');
    writeFileSync(prices, JSON.stringify({ 'local/large': { input: 1_000_000, output: 2_000_000, cached: 0 } }));
    const models = ['--models', 'local/small,local/large', '--prices', prices];
    const both = await evaluated('desk/reasoning/triage', file, ...models);
    expect(both.code).toBe(1);
    // Of 10 tokens in, 4 are cached; 5 tokens out.
    const tokens = { input: 20, output: 10, cached: 8 };
    expect(both.found.scores).toMatchObject([
      { version: 1, model: 'local/small', passed: 1, failed: 1, tokens },
      { version: 1, model: 'local/large', passed: 2, failed: 0, tokens, cost: 2 * (6 + 10) },
    ]);
    expect(both.found.scores[0]).not.toHaveProperty('cost');
    expect((await evaluated('desk/reasoning/triage', file, '--models', 'local/large')).code).toBe(0);
  }, 60_000);

  test('an unknown model is reported for each case', async () => {
    const file = casesOf({ input: { title: 'x' }, expect: { severity: 'low' } });
    const { code, found } = await evaluated('desk/reasoning/triage', file, '--models', 'absent/model');
    expect(code).toBe(1);
    expect(found.results).toMatchObject([{ status: 'not_evaluated', detail: expect.stringContaining('absent') }]);
  }, 60_000);
});

test('given an evaluation that was killed, its id continues it: cases that have ended are not run again', async () => {
  const file = casesOf(
    { name: 'first', input: { title: 'first' }, expect: { severity: 'low' } },
    { name: 'second', input: { title: 'second' }, expect: { severity: 'low' } },
  );
  const args = ['eval', 'desk/reasoning/triage', '--cases', file, '--server', server.address, '--concurrency', '1'];
  const before = asked.length;
  const letGo = Promise.withResolvers<void>();
  hold = letGo.promise;
  const started = Promise.withResolvers<ChildProcess>();
  const killed = line.cuebook([...args, '--id', 'nightly'], {
    onStderr: (stderr, child) => {
      if (stderr.includes('Evaluation nightly: 2 runs.')) started.resolve(child);
    },
  });
  const child = await started.promise;
  // The model has answered the first case, and was called for the second one.
  await expect.poll(() => asked.length - before, { timeout: 20_000 }).toBe(2);
  child.kill('SIGKILL');
  expect((await killed).code).not.toBe(0);
  hold = undefined;
  letGo.resolve();
  await expect
    .poll(async () => (await runsOf('triage')).filter(({ status }) => status === 'started').length, { timeout: 20_000 })
    .toBe(0);
  const again = await evaluated('desk/reasoning/triage', file, '--id', 'nightly');
  expect(again).toMatchObject({ code: 0, found: { evaluation: 'nightly', scores: [{ passed: 2 }] } });
  const attempts = again.found.results.map(
    async ({ run_id: id }) => (await server.get(`${AT}/runs/${id}`)).body.attempt,
  );
  expect(await Promise.all(attempts)).toEqual([1, 2]);
  expect(asked.length - before).toBe(3);
  const after = asked.length;
  expect((await evaluated('desk/reasoning/triage', file, '--id', 'nightly')).code).toBe(0);
  expect(asked.length).toBe(after);
  // Another evaluation runs them all.
  expect((await evaluated('desk/reasoning/triage', file)).code).toBe(0);
  expect(asked.length).toBe(after + 2);
}, 90_000);

describe('given a definition whose runs wait', () => {
  test('a workflow is waited for', async () => {
    const file = casesOf({ input: { n: 4 }, expect: { value: 8 } });
    expect(await evaluated('desk/workflow/chain', file)).toMatchObject({ code: 0, found: { scores: [{ passed: 1 }] } });
  }, 60_000);

  test('a run that waits for an event is cancelled, which its case reports', async () => {
    const file = casesOf({ input: {}, expect: 1 });
    const { code, found } = await evaluated('desk/workflow/asks', file);
    expect(code).toBe(1);
    expect(found.results).toMatchObject([
      { status: 'not_evaluated', detail: expect.stringContaining('was cancelled') },
    ]);
    await expect
      .poll(async () => (await runsOf('asks'))[0], { timeout: 20_000 })
      .toMatchObject({ status: 'rejected', reason: 'cancelled' });
  }, 60_000);

  test('requests to people are cancelled', async () => {
    const { code, found } = await evaluated('desk/interaction/approve', casesOf({ input: {}, expect: true }));
    expect(code).toBe(1);
    expect(found.results).toMatchObject([
      {
        status: 'not_evaluated',
        detail: 'Not run: interaction/approve has `ask`, and an evaluation sends nothing to people.',
      },
    ]);
    expect(found.results[0]).not.toHaveProperty('run_id');
    expect(await runsOf('approve')).toEqual([]);
  }, 60_000);
});

test.each([
  [['desk/double'], 'write PLAYBOOK/TYPE/NAME'],
  [['desk/computation/double', '--models', 'local/small'], '--models is for reasoning functions'],
  [['desk/computation/double', '--versions', '1,x'], '--versions is "x"; write a whole number'],
  [['desk/computation/double', '--concurrency', '33'], 'from 1 to 32'],
  [['desk/computation/double', '--cases', 'absent.jsonl'], 'The file absent.jsonl does not exist.'],
])(
  'a wrong call is refused: %j',
  async (args, words) => {
    expect(await line.cuebook(['eval', ...args, '--server', server.address])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(words),
    });
  },
  60_000,
);
