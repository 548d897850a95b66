import { afterAll, beforeAll, expect, test } from 'vitest';
import { startServer, type TestServer } from '../../../test/index.ts';

const AT = '/v1/orgs/local/playbooks/desk';
const SCRIPT = 'export default ({ n }: { n: number }) => ({ sum: n + 1000, note: "x".repeat(3000) + "needle" + n });';

let server: TestServer;
const ids: string[] = [];
beforeAll(async () => {
  server = await startServer();
  await server.post('/v1/orgs/local/playbooks', { playbook: 'desk', name: 'Desk' });
  await server.post(`${AT}/definitions/computation`, { name: 'add', source: SCRIPT });
});
afterAll(() => server.close());

async function add(n: number): Promise<string> {
  const run = await server.post(`${AT}/definitions/computation/add/run`, { input: { n } });
  expect(run.body).toMatchObject({ status: 'succeeded' });
  return run.body.run_id;
}

test('given inputs and large outputs, then list_runs finds a run by either, by its id and by its caller', async () => {
  for (const n of [1, 2, 3]) ids.push(await add(n));
  const found = async (query: string): Promise<string[]> => {
    const { status, body } = await server.get(`${AT}/runs?${query}`);
    expect(status).toBe(200);
    return body.runs.map((run: { run_id: string }) => run.run_id);
  };
  const [first = '', second = '', third = ''] = ids;
  expect(await found('search=needle2')).toEqual([second]);
  expect(await found('search=NEEDLE')).toEqual([third, second, first]);
  expect(await found('search=1003')).toEqual([third]);
  expect(await found(`search=${first.slice(-12).toUpperCase()}`)).toEqual([first]);
  expect(await found('search=absent')).toEqual([]);
  expect(await found('started_by=developer&top_level=true')).toEqual([third, second, first]);
  expect(await found('started_by=key:ci')).toEqual([]);
  expect(await found('top_level=false')).toEqual([]);

  const { body } = await server.get(`${AT}/runs/${second}`);
  const since = encodeURIComponent(body.started_at);
  expect(await found(`since=${since}`)).toEqual([third, second]);
  expect(await found(`until=${since}`)).toEqual([first]);
  expect(await found(`since=${since}&until=${since}`)).toEqual([]);
  expect(await found(`called_by=${first}`)).toEqual([]);
});

test('given a run that calls another, then called_by finds it and top_level leaves it out', async () => {
  const source = `document: { dsl: '1.0.3', namespace: desk, name: w, version: '1.0.0' }
do: [ { sum: { call: computation/add, with: { n: 4 } } } ]
`;
  expect((await server.post(`${AT}/definitions/workflow`, { name: 'sums', source })).status).toBe(201);
  const { body: caller } = await server.post(`${AT}/definitions/workflow/sums/run`, {});
  await expect.poll(async () => (await server.get(`${AT}/runs/${caller.run_id}`)).body.status).toBe('succeeded');
  const { runs } = (await server.get(`${AT}/runs?called_by=${caller.run_id.toUpperCase()}`)).body;
  expect(runs).toMatchObject([{ name: 'add', called_by: { run_id: caller.run_id } }]);
  const top = (await server.get(`${AT}/runs?top_level=true&limit=1`)).body;
  expect(top.runs).toMatchObject([{ run_id: caller.run_id }]);
});

test.each([
  ['since=yesterday', '/since'],
  ['until=2026-02-30T00:00:00Z', '/until'],
  ['since=2026-02-02T00:00:00Z&until=2026-02-01T00:00:00Z', '/until'],
  ['called_by=7', '/called_by'],
  ['search=', '/search'],
])('list_runs refuses %s at %s', async (query, pointer) => {
  expect(await server.get(`${AT}/runs?${query}`)).toMatchObject({
    status: 422,
    body: { errors: [{ pointer }] },
  });
});
