import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startServer, type TestServer } from '../../test/index.ts';

let server: TestServer;
const AT = '/v1/orgs/local/playbooks/desk';

const APPROVE = `description: Asks the owner to approve a refund.
input: { type: object, required: [owner, amount], properties: { owner: { type: string }, amount: { type: number } } }
ask:
  to: "{{ input.owner }}"
  message: "Approve {{ input.amount }} EUR? See {{ request.url }}"
  answer: { type: object, required: [approved], properties: { approved: { type: boolean }, note: { type: string } } }
  expires: P3D
`;
const NOTE = `input: { type: object, required: [owner], properties: { owner: { type: string } } }
tell: { to: "{{ input.owner }}", message: "Done for {{ input.owner }}." }
`;

beforeAll(async () => {
  server = await startServer();
  await server.post('/v1/orgs/local/playbooks', { playbook: 'desk', name: 'Desk' });
  await save('approve-refund', APPROVE);
  await save('note-done', NOTE);
});
afterAll(() => server.close());

async function save(name: string, source: string, at = AT) {
  const answer = await server.post(`${at}/definitions/interaction`, { name, source });
  expect(answer).toMatchObject({ status: 201, body: { warnings: [] } });
}

const run = (name: string, input: object, more: object = {}, at = AT) =>
  server.post(`${at}/definitions/interaction/${name}/run`, { input, ...more });
const ask = async (owner = 'ada', amount = 12): Promise<string> =>
  (await run('approve-refund', { owner, amount })).body.run_id;
const get = async (runId: string) => (await server.get(`${AT}/runs/${runId}`)).body;
const answer = (runId: string, body: object) => server.post(`${AT}/runs/${runId}/answer`, body);
const inbox = async (query = '') => (await server.get(`${AT}/interactions${query}`)).body.interactions;
const history = async (runId: string) => (await server.get(`${AT}/runs/${runId}/history`)).body.events;
const typesOf = async (runId: string): Promise<string[]> =>
  (await history(runId)).map(({ type }: { type: string }) => type);
const ended = async (runId: string) => {
  await expect.poll(async () => (await get(runId)).status).not.toBe('started');
  return get(runId);
};

test('given a question, then its run waits, the request is listed, and the answer is the output', async () => {
  const started = await run('approve-refund', { owner: 'ada', amount: 12 });
  expect(started).toMatchObject({ status: 200, body: { status: 'started', type: 'interaction' } });
  const { run_id: id } = started.body;
  const [request] = await inbox('?to=ada');
  expect(request).toMatchObject({
    run_id: id,
    type: 'interaction',
    function: 'approve-refund',
    version: 1,
    to: 'ada',
    delivery: null,
    takes_answer: true,
    answer_schema: { required: ['approved'] },
    attempts: 0,
    conversation: null,
    answerer: null,
    reply_refusals: 0,
    standing: 'in_inbox',
  });
  expect(request.message).toBe(`Approve 12 EUR? See ${server.address}/#/playbooks/desk/inbox/${id}`);
  const run_started = (await history(id))[0].metadata.at;
  expect(Date.parse(request.expires_at) - Date.parse(run_started)).toBe(3 * 86_400_000);
  const given = await answer(id, { answer: { approved: true }, claimed_for: 'Ada' });
  expect(given).toMatchObject({
    status: 200,
    body: { run_id: id, answer: { approved: true }, claimed_for: 'Ada', answered_by: 'developer' },
  });
  expect(await get(id)).toMatchObject({
    status: 'succeeded',
    output: { approved: true },
    record: { to: 'ada', message: request.message, takes_answer: true },
  });
  expect(await inbox('?to=ada')).toEqual([]);
  expect(await typesOf(id)).toEqual([
    'run_started',
    'interaction_requested',
    'run_deferred',
    'request_answered',
    'run_succeeded',
  ]);
  const fact = await server.get(`${AT}/events/${given.body.answer_id}`);
  expect(fact.body).toMatchObject({ type: 'request_answered', data: { answer: { approved: true } } });
});

describe('an answer', () => {
  test.each([
    [{}, 'a missing field', '/answer'],
    [{ approved: 'yes' }, 'another type', '/answer/approved'],
    ['yes', 'no object', '/answer'],
  ])('%j is refused (%s) and the request stays open', async (wrong, _name, pointer) => {
    const id = await ask('eve');
    expect(await answer(id, { answer: wrong })).toMatchObject({ status: 422, body: { errors: [{ pointer }] } });
    expect(await answer(id, { answer: { approved: false } })).toMatchObject({ status: 200 });
  });

  test('that is too large, or for whom it is, is refused at its field', async () => {
    const id = await ask('eve');
    const large = await answer(id, { answer: { approved: true, note: 'x'.repeat(70_000) } });
    expect(large).toMatchObject({ status: 422, body: { errors: [{ pointer: '/answer' }] } });
    const long = await answer(id, { answer: { approved: true }, claimed_for: 'ü'.repeat(129) });
    expect(long).toMatchObject({ status: 422, body: { errors: [{ pointer: '/claimed_for' }] } });
    await answer(id, { answer: { approved: true } });
  });

  test('again returns the recorded event, also many at the same time; a different answer is a conflict', async () => {
    const id = await ask('many');
    const many = await Promise.all(
      Array.from({ length: 8 }, () => answer(id, { answer: { approved: true, note: 'a' } })),
    );
    expect(new Set(many.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(await answer(id, { answer: { note: 'a', approved: true } })).toMatchObject({ text: many[0]?.text });
    expect(await answer(id, { answer: { approved: false } })).toMatchObject({ status: 409 });
    expect((await typesOf(id)).filter((type) => type === 'request_answered')).toHaveLength(1);
  });

  test('of two different answers at the same time, one is accepted', async () => {
    const id = await ask('two');
    const [one, other] = await Promise.all([true, false].map((approved) => answer(id, { answer: { approved } })));
    expect(new Set([one?.status, other?.status])).toEqual(new Set([200, 409]));
  });

  test('to a run that is unknown, is no request, or was a notice is refused', async () => {
    expect(await answer(crypto.randomUUID(), { answer: 1 })).toMatchObject({ status: 404 });
    const notice = (await run('note-done', { owner: 'ada' })).body.run_id;
    expect(await answer(notice, { answer: 1 })).toMatchObject({ status: 409 });
  });

  test('is checked against the schema that was asked with, whatever the function says by now', async () => {
    const source = (type: string) => `ask: { to: a, message: b, answer: { type: ${type} } }`;
    await save('changing', source('integer'));
    const { run_id: id } = (await run('changing', {})).body;
    await server.put(`${AT}/definitions/interaction/changing`, { source: source('string') });
    expect(await answer(id, { answer: 'text' })).toMatchObject({ status: 422 });
    expect(await answer(id, { answer: 7 })).toMatchObject({ status: 200 });
  });
});

test('given requests of several parties and functions, then filters and pages keep what they name', async () => {
  await save('other-question', 'ask: { to: lin, message: "?", answer: {} }');
  const ids = [await ask('lin', 1), await ask('lin', 2), (await run('other-question', {})).body.run_id];
  const idsOf = (list: { run_id: string }[]) => list.map(({ run_id }) => run_id);
  expect(idsOf(await inbox('?to=lin'))).toEqual(ids.toReversed());
  expect(idsOf(await inbox('?to=lin&type=interaction&function=approve-refund'))).toEqual([ids[1], ids[0]]);
  expect(await inbox('?to=lin&type=prediction')).toEqual([]);
  const first = (await server.get(`${AT}/interactions?to=lin&limit=2`)).body;
  expect(first).toMatchObject({ has_more: true });
  const rest = (await server.get(`${AT}/interactions?to=lin&limit=2&cursor=${first.next_cursor}`)).body;
  expect(rest).toMatchObject({ has_more: false, next_cursor: null });
  expect(idsOf([...first.interactions, ...rest.interactions])).toEqual(ids.toReversed());
  for (const wrong of ['limit=0', 'type=nothing', 'cursor=x', 'nope=1']) {
    expect((await server.get(`${AT}/interactions?${wrong}`)).status).toBe(422);
  }
  for (const id of ids.slice(0, 2)) await answer(id, { answer: { approved: true } });
  await answer(ids[2] as string, { answer: null });
});

test('given a notice for the inbox, then its run ends within its request, and its record can be read', async () => {
  const notice = await run('note-done', { owner: 'ada' });
  expect(notice.body).toMatchObject({ status: 'succeeded', output: { delivered: true } });
  expect(await get(notice.body.run_id)).toMatchObject({
    record: { to: 'ada', message: 'Done for ada.', takes_answer: false },
  });
  expect(await typesOf(notice.body.run_id)).toEqual(['run_started', 'interaction_requested', 'run_succeeded']);
  expect(await inbox('?to=ada')).toEqual([]);
});

describe('a request that cannot be put', () => {
  test.each([
    ['a `to` that cannot be rendered', 'ask: { to: "{{ input.x.y }}", message: m, answer: {} }'],
    ['a `to` that is empty', 'ask: { to: "{{ input.x | default: blank }} ", message: m, answer: {} }'],
    [
      'a message that is too long',
      "ask: { to: t, message: '{% for i in (1..7000) %}xxxxxxxxxx{% endfor %}', answer: {} }",
    ],
  ])('for %s is unworkable', async (name, source) => {
    const own = `odd-${name.length}-${source.length}`;
    await server.post(`${AT}/definitions/interaction`, { name: own, source });
    const { body } = await run(own, {});
    expect(body).toMatchObject({ status: 409, kind: 'unworkable', reason: 'conflict' });
    expect(await typesOf(body.run_id)).toEqual(['run_started', 'run_rejected']);
  });

  test('for a tool that the playbook may not use is not offered', async () => {
    const source = 'tell: { to: t, message: m, deliver: { tool: chat/post } }';
    const saved = await server.post(`${AT}/definitions/interaction`, { name: 'through-tool', source });
    expect(saved.body.warnings).toMatchObject([{ pointer: '/source/tell/deliver/tool' }]);
    const { body } = await run('through-tool', {});
    expect(body).toMatchObject({ status: 503, kind: 'tool_not_offered', because: 'tool_server_not_configured' });
  });
});

describe('a run that asks', () => {
  test('is joined by its run id while it waits, after its answer, and is attempted again without one', async () => {
    const runId = crypto.randomUUID();
    const input = { owner: 'met', amount: 1 };
    const first = await run('approve-refund', input, { run_id: runId });
    expect((await run('approve-refund', input, { run_id: runId })).body).toEqual(first.body);
    expect(await inbox('?to=met')).toHaveLength(1);
    await answer(runId, { answer: { approved: true } });
    expect((await run('approve-refund', input, { run_id: runId })).body).toMatchObject({ output: { approved: true } });
    expect((await run('approve-refund', { ...input, amount: 2 }, { run_id: runId })).status).toBe(409);
  });

  test('ends as cancelled when it is asked to, and takes no answer from then on', async () => {
    const id = await ask('cee');
    const asked = await server.post(`${AT}/runs/${id}/cancel`, { reason: 'Not needed.' });
    expect(asked).toMatchObject({ status: 200, body: { status: 'started' } });
    expect((await answer(id, { answer: { approved: true } })).status).toBe(409);
    expect(await ended(id)).toMatchObject({
      status: 'rejected',
      reason: 'cancelled',
      kind: 'requested',
      detail: 'Not needed.',
      record: { to: 'cee' },
    });
    expect((await server.post(`${AT}/runs/${id}/cancel`, {})).status).toBe(409);
    expect((await answer(id, { answer: { approved: true } })).status).toBe(409);
    expect(await typesOf(id)).toEqual([
      'run_started',
      'interaction_requested',
      'run_deferred',
      'run_cancel_requested',
      'run_rejected',
    ]);
    const again = await run('approve-refund', { owner: 'cee', amount: 12 }, { run_id: id });
    expect(again).toMatchObject({ status: 409, body: { reason: 'cancelled', kind: 'requested' } });
  });

  test('continues when its definition is retired, and is cancelled when its playbook is', async () => {
    const at = '/v1/orgs/local/playbooks/leaving';
    await server.post('/v1/orgs/local/playbooks', { playbook: 'leaving', name: 'Leaving' });
    await save('approve-refund', APPROVE, at);
    const { run_id: id } = (await run('approve-refund', { owner: 'a', amount: 1 }, {}, at)).body;
    await server.post(`${at}/definitions/interaction/approve-refund/retire`);
    expect((await server.get(`${at}/interactions`)).body.interactions).toHaveLength(1);
    await server.post('/v1/orgs/local/playbooks/leaving/retire');
    await expect.poll(async () => (await server.get(`${at}/runs/${id}`)).body.reason).toBe('cancelled');
    expect((await server.get(`${at}/interactions`)).body.interactions).toEqual([]);
    const late = await server.post(`${at}/runs/${id}/answer`, { answer: { approved: true } });
    expect(late).toMatchObject({ status: 409, body: { kind: 'retired' } });
  });

  test('inside a workflow is waited for, passes its answer on, and is cancelled with its workflow', async () => {
    const source = `document: { dsl: '1.0.3', namespace: desk, name: w, version: '1.0.0' }
do: [ { decide: { call: interaction/approve-refund, with: { owner: wes, amount: 5 } } }, { told: { set: { ok: '\${ .approved }' } } } ]`;
    await server.post(`${AT}/definitions/workflow`, { name: 'refund-flow', source });
    const start = async (): Promise<string> =>
      (await server.post(`${AT}/definitions/workflow/refund-flow/run`, {})).body.run_id;
    const one = await start();
    await expect.poll(() => inbox('?to=wes')).toHaveLength(1);
    const [request] = await inbox('?to=wes');
    const calledBy = { run_id: one, run: 'workflow/refund-flow', reference: '/do/0/decide' };
    expect(request).toMatchObject({ called_by: calledBy });
    expect(await inbox(`?run_id=${one}`)).toEqual([request]);
    const refused = await answer(one, { answer: { approved: true } });
    expect(refused).toMatchObject({ status: 409, body: { kind: 'asked_by_called_run' } });
    expect(refused.body.detail).toContain(`run_id ${request.run_id} (interaction/approve-refund)`);
    await answer(request.run_id, { answer: { approved: true } });
    expect(await ended(one)).toMatchObject({ status: 'succeeded', output: { ok: true } });
    expect(await get(request.run_id)).toMatchObject({ called_by: { run_id: one, run: 'workflow/refund-flow' } });
    const other = await start();
    await expect.poll(() => inbox('?to=wes')).toHaveLength(1);
    const [open] = await inbox('?to=wes');
    await server.post(`${AT}/runs/${other}/cancel`, {});
    expect(await ended(open.run_id)).toMatchObject({ reason: 'cancelled', kind: 'parent_ended' });
    expect(await inbox(`?run_id=${other}`)).toEqual([]);
  });

  test('beside another below one workflow is named with it, and an answer to the workflow is taken by neither', async () => {
    const step = (name: string): string =>
      `${name}: { call: interaction/approve-refund, with: { owner: ${name}, amount: 5 } }`;
    const source = `document: { dsl: '1.0.3', namespace: desk, name: w, version: '1.0.0' }
do: [ { both: { fork: { branches: [ { ${step('bea')} }, { ${step('cas')} } ] } } } ]`;
    await server.post(`${AT}/definitions/workflow`, { name: 'ask-two', source });
    const { run_id: id } = (await server.post(`${AT}/definitions/workflow/ask-two/run`, {})).body;
    await expect.poll(async () => (await inbox(`?run_id=${id}`)).length).toBe(2);
    const refused = await answer(id, { answer: { approved: true } });
    expect(refused.body.detail).toContain('It has 2 open questions');
    const asking: string[] = (await inbox(`?run_id=${id}`)).map(({ run_id }: { run_id: string }) => run_id);
    for (const runId of asking) expect(refused.body.detail).toContain(runId);
  });
});
