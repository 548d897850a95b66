// Datasets over HTTP, with a real store.
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createIds } from '../../kernel/ids.ts';
import { systemClock } from '../../lib/clock.ts';
import { openLog } from '../../runtime/open-stores.ts';
import { readSettings } from '../../settings/index.ts';
import { type Answer, startServer, temporaryFolder, type TestServer } from '../../test/index.ts';
import { createPieces } from './pieces.ts';

const ORG = '/v1/orgs/local/playbooks';
const CSV = `series,period,region,tickets,price
north,2024-01,N,5,1.5
north,2024-03,N,7,
south,2024-02,S,4,2
south,2024-04,S,,3
`;

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
  for (const playbook of ['desk', 'other', 'gone']) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    await server.post(ORG, { playbook, name: playbook });
  }
  await server.post(`${ORG}/gone/retire`, {});
});
afterAll(() => server.close());

const digestOf = (text: string | Buffer): string => createHash('sha256').update(text).digest('hex');

function upload(playbook: string, csv: string | Buffer, digest = digestOf(csv)): Promise<Answer> {
  const headers = { 'content-type': 'text/csv' };
  return server.send('PUT', `${ORG}/${playbook}/datasets/${digest}`, { headers, body: csv });
}

const eventCount = async (): Promise<number> => (await server.get(`${ORG}/desk/events`)).body.events.length;

describe('a dataset', () => {
  test('is stored with what it holds; the same file again records nothing and gets the same answer', async () => {
    const before = await eventCount();
    const first = await upload('desk', CSV);
    expect(first).toMatchObject({
      status: 201,
      body: {
        dataset: digestOf(CSV),
        bytes: Buffer.byteLength(CSV),
        rows: 4,
        series: 2,
        columns: ['region', 'tickets', 'price'],
        period: 'month',
        first: '2024-01',
        last: '2024-03',
        missing: 1,
      },
    });
    expect(await upload('desk', CSV)).toMatchObject({ status: 200, body: first.body });
    expect(await eventCount()).toBe(before);
  });

  test('belongs to one playbook: the same file is new in another', async () => {
    expect((await upload('other', CSV)).status).toBe(201);
  });

  test('is refused with the line at which it is wrong, and nothing is kept', async () => {
    const wrong = `${CSV}south,2024-Q1,S,1,1\n`;
    expect(await upload('desk', wrong)).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '', detail: expect.stringMatching(/^Line 6/) }] },
    });
    expect((await upload('desk', CSV.replace('7', '8'), digestOf(wrong))).status).toBe(422);
  });

  test('is refused where its digest is not that of the path, also where the path names a known one', async () => {
    for (const digest of ['a'.repeat(64), digestOf(CSV)]) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      expect(await upload('desk', CSV.replace('7', '9'), digest)).toMatchObject({
        status: 422,
        body: { errors: [{ pointer: '/sha256', detail: expect.stringContaining(digest) }] },
      });
    }
  });

  test('is refused before it is read where its playbook is unknown or retired', async () => {
    expect((await upload('absent', CSV)).status).toBe(404);
    expect(await upload('gone', CSV)).toMatchObject({ status: 409, body: { kind: 'retired' } });
  });

  test('is uploaded twice at a time and stored once', async () => {
    const csv = CSV.replaceAll('2024', '2023');
    const both = await Promise.all([upload('desk', csv), upload('desk', csv)]);
    expect(both.map(({ body }) => body.dataset)).toEqual([digestOf(csv), digestOf(csv)]);
    expect(new Set(both.map(({ status }) => status))).toEqual(new Set([200, 201]));
  });
});

test('the standing of a function has its newest dataset: the newest with its columns and period', async () => {
  await server.post(ORG, { playbook: 'standing', name: 'Standing' });
  const at = `${ORG}/standing/definitions/prediction`;
  const head = 'period: month\ncontext: 12\nhorizon: 3\ntrainer: { inbox: forecasters }\nbuilds_per_day: 4\n';
  await server.post(at, { name: 'tickets', source: `dataset: { value: tickets, known: [price] }\n${head}` });
  const standing = async () => (await server.get(`${at}/tickets`)).body.standing;
  expect(await standing()).toEqual({ dataset: null, active: null, pending: null, builds_today: 0, builds_left: 4 });
  await upload('standing', CSV);
  await upload('standing', 'series,period,tickets\nnorth,2024-05,1\n');
  await upload('standing', 'series,period,tickets,price\nnorth,2024-05-01,1,1\n');
  const dataset = { dataset: digestOf(CSV), series: 2, first: '2024-01', last: '2024-03' };
  expect((await standing()).dataset).toEqual(dataset);
  for (const day of [1, 2, 3, 4, 5, 6, 7, 8, 9]) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    await upload('standing', `series,period,tickets,price\nnorth,2024-06-0${day},1,1\n`);
  }
  expect((await standing()).dataset).toEqual(dataset);
  // Another column of numbers comes first: the upload describes that one, and the standing the value of the function.
  const priced =
    'series,period,price,tickets\nnorth,2024-01,1,\nnorth,2024-02,2,5\nnorth,2024-03,2,6\nnorth,2024-04,2,\n';
  expect((await upload('standing', priced)).body).toMatchObject({ first: '2024-01', last: '2024-04', missing: 0 });
  expect((await standing()).dataset).toMatchObject({ first: '2024-02', last: '2024-03' });
  await server.post(`${at}/tickets/retire`, {});
  expect(await standing()).toBeUndefined();
});

describe('the pieces of an upload', () => {
  const folder = temporaryFolder();
  afterAll(() => folder.remove());
  const open = () => openLog(readSettings({ DATA_DIR: folder.path }), systemClock, (sentence) => expect.fail(sentence));
  const PLACE = { org: 'local', playbook: 'desk' };

  test('hold the file whole, and what broke off is gone after the next start', async () => {
    const content = Buffer.alloc(2 * 1024 * 1024 + 5, 'abcdefg');
    const log = open();
    const pieces = createPieces({ log, ids: createIds(systemClock) });
    const finished = pieces.begin(PLACE);
    const broken = pieces.begin(PLACE);
    for (let at = 0; at < content.length; at += 700_000) {
      // oxlint-disable-next-line no-await-in-loop -- in order
      for (const one of [finished, broken]) await one.add(content.subarray(at, at + 700_000));
    }
    await finished.flush();
    await log.write(PLACE, (tx) => finished.finish(tx));
    const sizes: number[] = [];
    const parts: Buffer[] = [];
    for await (const piece of pieces.read(finished)) {
      parts.push(piece);
      sizes.push(piece.length);
    }
    expect(Buffer.concat(parts).equals(content)).toBe(true);
    expect(sizes).toEqual([1024 * 1024, 1024 * 1024, 5]);
    await log.close();

    const reopened = open();
    const again = createPieces({ log: reopened, ids: createIds(systemClock) });
    await again.removeUnfinished();
    expect((await again.read(broken).next()).done).toBe(true);
    expect((await again.read(finished).next()).value).toHaveLength(1024 * 1024);
    await reopened.close();
  });
});
