// The series of a function over HTTP, with a real store and the worker of forecasts.
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startServer, type TestServer } from '../../test/index.ts';

const DESK = '/v1/orgs/local/playbooks/desk';
const FUNCTION = `${DESK}/definitions/prediction/tickets`;
const CSV = `series,period,tickets
north,2024-01,5
north,2024-03,7
south,2024-02,4
northwest,2024-03,1
`;

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
  await server.post('/v1/orgs/local/playbooks', { playbook: 'desk', name: 'Desk' });
  const source =
    'dataset: { value: tickets }\nperiod: month\ncontext: 12\nhorizon: 3\ntrainer: { inbox: forecasters }\n';
  await server.post(`${DESK}/definitions/prediction`, { name: 'tickets', source });
});
afterAll(() => server.close());

async function upload(csv: string): Promise<string> {
  const digest = createHash('sha256').update(csv).digest('hex');
  await server.send('PUT', `${DESK}/datasets/${digest}`, { headers: { 'content-type': 'text/csv' }, body: csv });
  return digest;
}

test('a function lists the series of its newest dataset, page by page', async () => {
  expect((await server.get(`${FUNCTION}/series`)).body).toEqual({
    dataset: null,
    items: [],
    has_more: false,
    next_cursor: null,
  });
  const dataset = await upload(CSV);
  const { body: first } = await server.get(`${FUNCTION}/series?search=NORTH&limit=1`);
  expect(first).toMatchObject({
    dataset,
    items: [
      {
        series: 'north',
        first: '2024-01',
        last: '2024-03',
        points: [
          { at: '2024-01', value: 5 },
          { at: '2024-02', value: null },
          { at: '2024-03', value: 7 },
        ],
      },
    ],
    has_more: true,
  });
  const next = `${FUNCTION}/series?search=NORTH&limit=1&cursor=${first.next_cursor}`;
  expect((await server.get(next)).body).toMatchObject({ items: [{ series: 'northwest' }], next_cursor: null });

  await upload(`${CSV}west,2024-03,1\n`);
  expect(await server.get(next)).toMatchObject({ status: 422, body: { errors: [{ pointer: '/cursor' }] } });
});

test('an unknown function is not found, and one without builds has no model versions', async () => {
  expect((await server.get(`${DESK}/definitions/prediction/absent/series`)).status).toBe(404);
  expect((await server.get(`${DESK}/definitions/prediction/absent/models`)).status).toBe(404);
  expect((await server.get(`${FUNCTION}/models`)).body).toEqual({ versions: [], has_more: false, next_cursor: null });
});
