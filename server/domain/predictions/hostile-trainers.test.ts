// What trainers send at the wrong time, twice, too often or only in part: each gets a clear answer, and nothing is left.
import { once } from 'node:events';
import http from 'node:http';
import path from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { MIB } from '../../../shared/product.ts';
import { systemClock } from '../../lib/clock.ts';
import { createModelRunner } from '../../lib/onnx/index.ts';
import { CONTEXT, HORIZON, linear } from '../../lib/onnx/models.testing.ts';
import { type Answer, startServer, type TestServer } from '../../test/index.ts';
import { createDesk, type Desk, digestOf, month } from './desk.testing.ts';

const FUNCTION = `dataset: { value: tickets }
period: month
context: ${CONTEXT}
horizon: ${HORIZON}
trainer: { inbox: forecasters }
`;
const CSV = `series,period,tickets\n${Array.from({ length: 60 }, (_, at) => `a,${month(at)},${(at * 7) % 11}\n`).join('')}`;

/** Another model for each spread. */
function modelOf(spread: number): Buffer {
  return Buffer.from(linear((from) => (from === CONTEXT - 1 ? 1 : 0), spread));
}

/** The same with 2 MiB of documentation. */
function large(model: Buffer): Buffer {
  return Buffer.concat([model, Buffer.from([0x32, 0x80, 0x80, 0x80, 0x01]), Buffer.alloc(2 * MIB, 'a')]);
}

/** onnxruntime-node is an optional package. */
const { availability } = createModelRunner({ clock: systemClock });

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.close());
afterEach(() => {
  if (stored('unfinished_uploads') > 0) throw new Error('An upload was left behind.');
});

/** How many rows a table has. */
function stored(table: string): number {
  const database = new Database(path.join(server.dataDir, 'cuebook.db'), { readonly: true });
  try {
    return database.prepare<[], number>(`SELECT COUNT(*) FROM ${table}`).pluck().get() ?? 0;
  } finally {
    database.close();
  }
}

const statusesOf = (answers: readonly Answer[]): string[] => answers.map(({ status }) => String(status)).toSorted();

let desks = 0;
async function givenDesk(): Promise<Desk> {
  desks += 1;
  const desk = await createDesk(() => server, `hostile-${desks}`, FUNCTION);
  await desk.dataset(CSV);
  return desk;
}

async function givenBuild(desk: Desk): Promise<string> {
  const { run_id: id } = (await server.post(`${desk.function}/run`, { input: { build: {} } })).body;
  return id;
}

const uploadsOf = (desk: Desk, id: string): string => `${desk.at}/runs/${id}/build/candidates`;

function upload(desk: Desk, id: string, model: Buffer): Promise<Answer> {
  const headers = { 'content-type': 'application/octet-stream' };
  return server.send('POST', uploadsOf(desk, id), { headers, body: model });
}

/** Sends the half of a model. */
async function beginUpload(desk: Desk, id: string, model: Buffer): Promise<http.ClientRequest> {
  const headers = { 'content-type': 'application/octet-stream', 'content-length': model.length };
  const request = http.request(`${server.address}${uploadsOf(desk, id)}`, { method: 'POST', headers });
  // A server that is done with it may close the connection.
  request.on('error', () => {});
  await new Promise((resolve) => request.write(model.subarray(0, 1.5 * MIB), resolve));
  return request;
}

async function kindsOf(desk: Desk, id: string): Promise<string[]> {
  const { events } = (await server.get(`${desk.at}/runs/${id}/history?limit=100`)).body;
  return events.map(({ type }: { type: string }) => type);
}

describe.skipIf(!availability.isAvailable)('given a build that waits for its trainer', () => {
  test('then of two more candidates than seven, uploaded at once, one is refused', async () => {
    const desk = await givenDesk();
    const id = await givenBuild(desk);
    for (let spread = 1; spread <= 7; spread += 2) {
      const pair = [upload(desk, id, modelOf(spread)), ...(spread < 7 ? [upload(desk, id, modelOf(spread + 1))] : [])];
      expect((await Promise.all(pair)).map(({ status }) => status)).toEqual(pair.map(() => 201));
    }
    const before = stored('upload_pieces');
    const both = await Promise.all([upload(desk, id, modelOf(8)), upload(desk, id, modelOf(9))]);
    expect(statusesOf(both)).toEqual(['201', '422']);
    const refused = {
      errors: [{ pointer: '', detail: expect.stringContaining('has 8 candidates, which is the limit') }],
    };
    expect(both.find(({ status }) => status === 422)?.body).toMatchObject(refused);
    expect(await upload(desk, id, modelOf(10))).toMatchObject({ status: 422, body: refused });
    expect(await upload(desk, id, modelOf(3))).toMatchObject({ status: 200 });
    expect(stored('upload_pieces')).toBe(before + 1);
    expect((await kindsOf(desk, id)).filter((type) => type === 'candidate_uploaded')).toHaveLength(8);
  });

  test('then the same candidate uploaded twice at once is one', async () => {
    const desk = await givenDesk();
    const id = await givenBuild(desk);
    const before = stored('upload_pieces');
    const both = await Promise.all([upload(desk, id, modelOf(1)), upload(desk, id, modelOf(1))]);
    expect(statusesOf(both)).toEqual(['200', '201']);
    expect(stored('upload_pieces')).toBe(before + 1);
    expect((await kindsOf(desk, id)).filter((type) => type === 'candidate_uploaded')).toHaveLength(1);
  });

  test('then an upload that its client leaves is removed', async () => {
    const desk = await givenDesk();
    const id = await givenBuild(desk);
    const before = stored('upload_pieces');
    const request = await beginUpload(desk, id, large(modelOf(1)));
    request.destroy();
    await expect.poll(() => stored('unfinished_uploads')).toBe(0);
    expect(stored('upload_pieces')).toBe(before);
    expect(await upload(desk, id, Buffer.alloc(0))).toMatchObject({ status: 422, body: { errors: [{ pointer: '' }] } });
  });

  test('then it takes one of two answers, and only with candidates of its own', async () => {
    const [desk, other] = [await givenDesk(), await givenDesk()];
    const [id, sibling, far] = [await givenBuild(desk), await givenBuild(desk), await givenBuild(other)];
    for (const model of [modelOf(1), modelOf(2)]) await upload(desk, id, model);
    const [first, second] = [modelOf(1), modelOf(2)].map(digestOf);
    const refused = {
      status: 422,
      body: {
        errors: [{ pointer: '/answer/candidates/0', detail: expect.stringContaining('was not uploaded to this') }],
      },
    };
    expect(await desk.answer(sibling, { candidates: [first] })).toMatchObject(refused);
    expect(await other.answer(far, { candidates: [first] })).toMatchObject(refused);

    const answers = await Promise.all([
      desk.answer(id, { candidates: [first] }),
      desk.answer(id, { candidates: [second] }),
    ]);
    expect(statusesOf(answers)).toEqual(['200', '409']);
    const taken = answers[0]?.status === 200 ? first : second;
    expect(await desk.ended(id)).toMatchObject({ status: 'succeeded', output: { candidate: taken } });
    expect((await kindsOf(desk, id)).filter((type) => type === 'candidate_scored')).toHaveLength(1);
  });

  test('then an upload that ends after the answer was taken is refused and removed', async () => {
    const desk = await givenDesk();
    const id = await givenBuild(desk);
    const model = large(modelOf(2));
    const request = await beginUpload(desk, id, model);
    const { candidate } = (await upload(desk, id, modelOf(1))).body;
    await desk.answer(id, { candidates: [candidate] });
    await desk.ended(id);
    const responding = once(request, 'response') as Promise<[http.IncomingMessage]>;
    request.end(model.subarray(1.5 * MIB));
    const [response] = await responding;
    response.resume();
    expect(response.statusCode).toBe(409);
    await expect.poll(() => stored('unfinished_uploads')).toBe(0);
    expect((await kindsOf(desk, id)).filter((type) => type === 'candidate_uploaded')).toHaveLength(1);
  });

  test('then a cancel right after its answer ends it without a score, and frees the model processes', async () => {
    const desk = await givenDesk();
    const id = await givenBuild(desk);
    const candidates: string[] = [];
    for (let spread = 1; spread <= 4; spread += 1) {
      candidates.push((await upload(desk, id, modelOf(spread))).body.candidate);
    }
    await desk.answer(id, { candidates });
    expect((await server.post(`${desk.at}/runs/${id}/cancel`, {})).status).toBe(200);
    expect(await desk.ended(id)).toMatchObject({ status: 'rejected', reason: 'cancelled' });
    const kinds = await kindsOf(desk, id);
    expect(kinds.filter((type) => /scored|version_built/.test(type))).toEqual([]);
    expect(kinds.slice(-2)).toEqual(['build_ended', 'run_rejected']);
    const next = await givenBuild(desk);
    await expect.poll(async () => (await upload(desk, next, modelOf(9))).status, { timeout: 30_000 }).toBe(201);
    expect((await desk.standing()).builds_today).toBe(2);
  });
});
