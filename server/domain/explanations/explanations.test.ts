import { afterAll, beforeAll, expect, test } from 'vitest';
import { startServer, type TestServer } from '../../test/index.ts';

const AT = '/v1/orgs/local/playbooks/desk';
const ASK = `ask:
  to: lead
  message: Approve it?
  answer: { type: object, required: [ok], properties: { ok: { type: boolean } } }
`;
const APPROVAL = `document: { dsl: '1.0.3', namespace: desk, name: approval, version: '1.0.0' }
do:
  - score: { call: computation/add-one, with: '\${ { n: .n } }' }
  - size:
      switch:
        - large: { when: .n > 10, then: approve }
        - small: { then: end }
  - approve: { call: interaction/ask }
`;

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
  await server.post('/v1/orgs/local/playbooks', { playbook: 'desk', name: 'Desk' });
  const source = 'export default (input) => ({ n: input.n + 1 });';
  await server.post(`${AT}/definitions/computation`, { name: 'add-one', source });
  await server.post(`${AT}/definitions/interaction`, { name: 'ask', source: ASK });
  await server.post(`${AT}/definitions/workflow`, { name: 'approval', source: APPROVAL });
});
afterAll(() => server.close());

/** Reads until the run is as it should be; the service moves it meanwhile. */
async function until<T>(read: () => Promise<T | undefined>): Promise<T> {
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- it asks until it is so
    const found = await read();
    if (found !== undefined) return found;
  }
}

const explained = async (runId: string) => (await server.get(`${AT}/runs/${runId}/explanation`)).body;
const withoutTimes = (text: string): string => text.replaceAll(/\b\d+(\.\d)? m?s\b/g, 'TIME');

test('explain_run describes the steps, the case, the called runs and the answer', async () => {
  const { run_id: runId } = (await server.post(`${AT}/definitions/workflow/approval/run`, { input: { n: 41 } })).body;
  const asking = await until(async () => (await server.get(`${AT}/interactions`)).body.interactions[0]);
  await server.post(`${AT}/runs/${asking.run_id}/answer`, { answer: { ok: true } });
  await until(async () => ((await server.get(`${AT}/runs/${runId}`)).body.status === 'succeeded' ? true : undefined));

  const { lines, left_out: leftOut } = await explained(runId);

  expect(leftOut).toBe(0);
  expect(
    lines.map(({ text, depth }: { text: string; depth: number }) => `${'  '.repeat(depth)}${withoutTimes(text)}`),
  ).toEqual([
    'workflow/approval version 1, started by developer, succeeded in TIME.',
    '  score (call of computation/add-one): finished in TIME with {"n":42}.',
    '  size (switch): case large.',
    '  approve (call): finished in TIME with {"ok":true}.',
    '    interaction/ask version 1 succeeded in TIME.',
    '      Asked lead in the inbox; answered by developer after TIME: {"ok":true}',
  ]);
  expect(lines[4].run_id).toBe(asking.run_id);
  const answered = await server.get(`${AT}/events/${lines[5].event_id}`);
  expect(answered.body).toMatchObject({ type: 'request_answered', data: { answer: { ok: true } } });
});

test('a notice that has arrived is explained with the place where people see it, and its message is in the record', async () => {
  const source = 'tell: { to: lead, message: "It is done." }';
  await server.post(`${AT}/definitions/interaction`, { name: 'tell', source });
  const { run_id: runId } = (await server.post(`${AT}/definitions/interaction/tell/run`, { input: {} })).body;
  const texts: string[] = (await explained(runId)).lines.map(({ text }: { text: string }) => text);
  expect(texts.at(-1)).toBe(
    'Notified lead under Notices in the inbox of the studio; the message is in the record of the run.',
  );
  expect((await server.get(`${AT}/interactions`)).body.interactions).toEqual([]);
  const { runs } = (await server.get(`${AT}/runs?type=interaction&name=tell`)).body;
  expect(runs).toMatchObject([{ run_id: runId, status: 'succeeded' }]);
  expect((await server.get(`${AT}/runs/${runId}`)).body.record).toMatchObject({ to: 'lead', message: 'It is done.' });
});

test('a run of a function is explained in a line, with the reason of its ending', async () => {
  const run = await server.post(`${AT}/definitions/computation/add-one/run`, { input: null });
  const { lines } = await explained(run.body.run_id);
  expect(lines.map(({ text }: { text: string }) => withoutTimes(text))).toEqual([
    expect.stringMatching(
      /^computation\/add-one version 1, started by developer, was rejected: program error after TIME: .*null/,
    ),
  ]);
});

test('a called run with more events than are read is explained by its ending, and the caller says how much is left out', async () => {
  const many = `document: { dsl: '1.0.3', namespace: desk, name: many, version: '1.0.0' }
do:
  - all: { for: { in: '\${ [range(1000)] }' }, do: [{ one: { set: { n: '\${ $index }' } } }] }
`;
  await server.post(`${AT}/definitions/workflow`, { name: 'many', source: many });
  const outer = `document: { dsl: '1.0.3', namespace: desk, name: outer, version: '1.0.0' }
do:
  - inner: { call: workflow/many }
`;
  await server.post(`${AT}/definitions/workflow`, { name: 'outer', source: outer });
  const { run_id: runId } = (await server.post(`${AT}/definitions/workflow/outer/run`, {})).body;
  await until(async () => ((await server.get(`${AT}/runs/${runId}`)).body.status === 'succeeded' ? true : undefined));
  const { lines } = await explained(runId);
  const texts = lines.map(({ text }: { text: string }) => withoutTimes(text));
  expect(texts).toContain('workflow/many version 1 succeeded in TIME.');
  expect(texts.filter((text: string) => /in progress|not finished|running/.test(text))).toEqual([]);
  const inner = lines.find(({ text }: { text: string }) => text.startsWith('workflow/many'));
  const own = await explained(inner.run_id);
  expect(own.lines.some(({ text }: { text: string }) => /^… at least \d+ lines are left out\.$/.test(text))).toBe(true);
  expect(JSON.stringify(own).length).toBeLessThan(4096);
});

test('a step that emits names the event that it published, and leads to it', async () => {
  const emits = `document: { dsl: '1.0.3', namespace: desk, name: emits, version: '1.0.0' }
do:
  - first: { emit: { event: { with: { type: desk.opened, source: /desk, id: d-1 } } }, output: { as: '{ n: 1 }' } }
  - second: { emit: { event: { with: { type: '\${ "desk.\\(.n)" }' } } }, output: { as: 'null' } }
  - pause: { wait: PT0S }
  - third: { if: 'false', emit: { event: { with: { type: desk.closed } } } }
  - group: { fork: { compete: true, branches: [{ hear: { listen: { to: { one: { with: { type: never } } } } } }, { go: { wait: PT0S } }] } }
`;
  await server.post(`${AT}/definitions/workflow`, { name: 'emits', source: emits });
  const { run_id: runId } = (await server.post(`${AT}/definitions/workflow/emits/run`, {})).body;
  await until(async () => ((await server.get(`${AT}/runs/${runId}`)).body.status === 'succeeded' ? true : undefined));

  const { lines } = await explained(runId);

  expect(lines.slice(1, 6).map(({ text }: { text: string }) => withoutTimes(text))).toEqual([
    'first (emit): published desk.opened from /desk with the id d-1.',
    expect.stringMatching(/^second \(emit\): published desk\.1 with the id [0-9a-f-]{36}\.$/),
    expect.stringMatching(/^pause \(wait\): finished after waiting TIME/),
    'third (emit): skipped, because its `if` was false.',
    expect.stringMatching(/^group \(fork\)/),
  ]);
  const published = await server.get(`${AT}/events/${lines[2].event_id}`);
  expect(published.body).toMatchObject({ type: 'event_published', data: { event: { type: 'desk.1' } } });
});
