// Every limit of the contract at the limit and one past it, over HTTP. What is refused leaves nothing behind.
import { once } from 'node:events';
import net from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../../shared/json.ts';
import { type Answer, startServer, type TestServer } from '../../test/index.ts';
import {
  bytesOf,
  type Command,
  DESK,
  EVENTS,
  EVENTS_REFUSED,
  EVENTS_TAKEN,
  KIB,
  nested,
  type RefusedCommand,
} from './event-limits.testing.ts';

const COMPUTATIONS = `${DESK}/definitions/computation`;
const RUN = `${COMPUTATIONS}/echo/run`;
const BODY_BYTES = 1024 * KIB;
const JSON_BODY = { 'content-type': 'application/json' };

let server: TestServer;
let endedRun: string;

beforeAll(async () => {
  server = await startServer();
  await server.post('/v1/orgs/local/playbooks', { playbook: 'desk', name: 'Desk' });
  await server.post(COMPUTATIONS, { name: 'echo', source: 'export default (input) => typeof input;\n' });
  await server.post(COMPUTATIONS, { name: 'letters', source: 'export default ({ count }) => "x".repeat(count);\n' });
  endedRun = (await server.post(RUN, { input: 1 })).body.run_id;
  await server.post(EVENTS, { event: { source: '/shop', type: 'order.paid' } });
});

afterAll(() => server.close());

/** Everything that a request could have left behind, as it is read back. */
async function recorded(): Promise<string> {
  const read = [
    '/v1/orgs/local/playbooks?include_retired=true',
    `${EVENTS}?limit=3`,
    `${DESK}/runs?limit=3`,
    `${COMPUTATIONS}?include_retired=true`,
  ];
  return (await Promise.all(read.map((path) => server.get(path)))).map(({ text }) => text).join('\n');
}

async function refusedAndNothingRecorded(send: () => Promise<Answer>): Promise<Answer> {
  const before = await recorded();
  const answer = await send();
  expect(await recorded()).toBe(before);
  return answer;
}

const pointersOf = ({ body }: Answer): string[] => (body.errors as { pointer: string }[]).map(({ pointer }) => pointer);

const send = ({ path, method, body }: Command): Promise<Answer> =>
  method === 'PUT' ? server.put(path, body) : server.post(path, body);

function isTaken(rows: readonly Command[]): void {
  test.each(rows)('given $what, then it is taken', async (row) => {
    const answer = await send(row);
    expect([200, 201]).toContain(answer.status);
  });
}

function isRefused(rows: readonly RefusedCommand[]): void {
  test.each(rows)('given $what, then it is refused at $pointer and nothing is recorded', async (row) => {
    const answer = await refusedAndNothingRecorded(() => send(row));
    expect(answer.body).toMatchObject({ status: 422, reason: 'invalid_input' });
    expect(answer.body.type).toMatch(/\/invalid_input$/);
    expect(new Set(pointersOf(answer))).toEqual(new Set([row.pointer]));
  });
}

/** A module that saves, of so many UTF-8 bytes. */
function moduleOf(bytes: number): string {
  const code = 'export default () => 1; //';
  return code + bytesOf(bytes - code.length);
}

describe('a JSON body', () => {
  const playbook = (id: string, bytes: number): string => {
    const text = JSON.stringify({ playbook: id, name: 'Large' });
    return text + ' '.repeat(bytes - text.length);
  };
  const chunked = (text: string): RequestInit => ({
    headers: JSON_BODY,
    body: new Blob([text]).stream(),
    duplex: 'half',
  });
  const create = (init: RequestInit): Promise<Answer> => server.send('POST', '/v1/orgs/local/playbooks', init);

  test('given 1 MiB, then it is taken', async () => {
    expect((await create({ headers: JSON_BODY, body: playbook('large', BODY_BYTES) })).status).toBe(201);
  });

  test('given 1 MiB without Content-Length, then it is taken', async () => {
    expect((await create(chunked(playbook('large-chunked', BODY_BYTES)))).status).toBe(201);
  });

  test.each([
    ['a byte more than 1 MiB', BODY_BYTES + 1],
    ['32 MiB', 32 * BODY_BYTES],
  ])('given %s, with Content-Length or without, then it is content_too_large', async (_what, bytes) => {
    const text = playbook('too-large', bytes);
    for (const init of [{ headers: JSON_BODY, body: text }, chunked(text)]) {
      const answer = await refusedAndNothingRecorded(() => create(init));
      expect(answer.body).toMatchObject({ status: 413, reason: 'content_too_large' });
    }
  });

  test.each([
    [16_384, 201],
    [16_385, 400],
  ])('given %d chunks of one byte, then it is %d', async (chunks, status) => {
    const { port } = new URL(server.address);
    const head =
      'POST /v1/orgs/local/playbooks HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n';
    const body = Array.from(playbook('chunks', chunks), (sign) => `1\r\n${sign}\r\n`).join('');
    const socket = net.connect(Number(port), '127.0.0.1', () => socket.write(`${head}${body}0\r\n\r\n`));
    const [answer] = (await once(socket, 'data')) as [Buffer];
    socket.destroy();
    expect(Number(answer.toString().split(' ')[1])).toBe(status);
  });

  test('given a Content-Length above 1 MiB, then it is refused before a byte of the body is sent', async () => {
    const { port } = new URL(server.address);
    const head = `POST /v1/orgs/local/playbooks HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${BODY_BYTES + 1}\r\n\r\n`;
    const answer = await new Promise<string>((resolve, reject) => {
      let text = '';
      const socket = net.connect(Number(port), '127.0.0.1', () => socket.write(head));
      socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
      socket.on('end', () => resolve(text));
      socket.on('error', reject);
    });
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    expect(answer).toContain('"reason":"content_too_large"');
  });

  test('given a folder to apply, then 8 MiB are taken and a byte more is content_too_large', async () => {
    const folder = (bytes: number): string => {
      const text = JSON.stringify({ name: 'Desk', definitions: [], dry_run: true });
      return text + ' '.repeat(bytes - text.length);
    };
    expect((await server.post(`${DESK}/apply`, folder(8 * BODY_BYTES))).status).toBe(200);
    expect((await server.post(`${DESK}/apply`, folder(8 * BODY_BYTES + 1))).status).toBe(413);
  });

  test('given a folder of 1,001 definitions, then the error names the limit; of 100,000, then it is too large', async () => {
    const folder = (count: number): string => `{"name":"Desk","definitions":[${Array(count).fill('{}').join()}]}`;
    const [first] = (await server.post(`${DESK}/apply`, folder(1001))).body.errors as { pointer: string }[];
    expect(first).toMatchObject({ pointer: '/definitions', detail: expect.stringContaining('at most 1000 items') });
    expect((await server.post(`${DESK}/apply`, folder(100_000))).status).toBe(413);
  });
});

describe('a playbook', () => {
  const create = (what: string, body: JsonObject): Command => ({ what, path: '/v1/orgs/local/playbooks', body });
  const update = (what: string, body: JsonObject): Command => ({ what, path: DESK, method: 'PUT', body });
  const named = (playbook: Json): JsonObject => ({ playbook, name: 'A name' });

  isTaken([
    create('an id of 3 characters', named('abc')),
    create('an id of 48 characters', named(`a${'-9'.repeat(23)}z`)),
    create('a name of 1 character', { playbook: 'short-name', name: 'x' }),
    create('a name of 100 characters', { playbook: 'long-name', name: '🎉'.repeat(100) }),
    create('a name of 100 characters between spaces', { playbook: 'spaced-name', name: `  ${'x'.repeat(100)}\n` }),
    create('a description of 2,000 characters and a line break', {
      ...named('spaced'),
      description: `${'x'.repeat(2000)}\n`,
    }),
    create('a description of 2,000 characters', { ...named('described'), description: '🎉'.repeat(2000) }),
    update('a name of 100 and a description of 2,000 characters', {
      name: 'é'.repeat(100),
      description: 'é'.repeat(2000),
    }),
    update('an empty description', { name: 'Desk', description: '' }),
  ]);
  isRefused([
    ...['', 'ab', `a${'b'.repeat(48)}`, '1ab', '-ab', 'Abc', 'a_b', 'a b', 'abc\n', 'äbc', 7, null, ['abc']].map(
      (id) => ({ ...create(`the id ${JSON.stringify(id)}`, named(id)), pointer: '/playbook' }),
    ),
    ...['', ' ', '\u00A0\u3000\t', 'x'.repeat(101), '🎉'.repeat(101), ` ${'x'.repeat(101)} `, 7, null].map((name) => ({
      ...create(`the name ${JSON.stringify(name).slice(0, 20)}`, { playbook: 'other', name }),
      pointer: '/name',
    })),
    ...['x'.repeat(2001), '🎉'.repeat(2001), `\n${'x'.repeat(2001)}`, null].map((description) => ({
      ...create(`a description ${String(description).length} long`, { ...named('other'), description }),
      pointer: '/description',
    })),
    { ...create('no id', { name: 'A name' }), pointer: '/playbook' },
    { ...create('no name', { playbook: 'other' }), pointer: '/name' },
    { ...create('an unknown field', { ...named('other'), colour: 'red' }), pointer: '/colour' },
    { ...update('an update without name', { description: 'x' }), pointer: '/name' },
    { ...update('an update without description', { name: 'x' }), pointer: '/description' },
    { ...update('an update with a name past 100', { name: 'x'.repeat(101), description: '' }), pointer: '/name' },
    {
      ...update('an update with a description past 2,000', { name: 'x', description: 'x'.repeat(2001) }),
      pointer: '/description',
    },
    { ...update('an update of the status', { name: 'x', description: '', status: 'retired' }), pointer: '/status' },
    { what: 'a field of retire', path: `${DESK}/retire`, body: { reason: 'x' }, pointer: '/reason' },
  ]);

  test('given white space around, then name and description are stored without it', async () => {
    const answer = await server.put(DESK, { name: ' \u3000Desk\n', description: '\t text ' });
    expect(answer.body).toMatchObject({ name: 'Desk', description: 'text' });
  });
});

describe('a definition', () => {
  const create = (what: string, body: JsonObject): Command => ({ what, path: COMPUTATIONS, body });
  const named = (name: Json): JsonObject => ({ name, source: 'export default () => 1;' });
  const most = 64 * KIB;

  isTaken([
    create('a name of 3 characters', named('abc')),
    create('a name of 48 characters', named(`a${'-9'.repeat(23)}z`)),
    create('a source of 65,536 bytes', { name: 'large', source: moduleOf(most) }),
    {
      what: 'an update of 65,536 bytes',
      path: `${COMPUTATIONS}/large`,
      method: 'PUT',
      body: { source: moduleOf(most) },
    },
    { what: 'a check of 65,536 bytes', path: `${COMPUTATIONS}/check`, body: { source: moduleOf(most) } },
  ]);
  isRefused([
    ...['', 'ab', `a${'b'.repeat(48)}`, '1ab', '-ab', 'Abc', 'a_b', 'abc\n', 7, null].map((name) => ({
      ...create(`the name ${JSON.stringify(name)}`, named(name)),
      pointer: '/name',
    })),
    { ...create('no source', { name: 'other' }), pointer: '/source' },
    { ...create('a source that is no text', { name: 'other', source: {} }), pointer: '/source' },
    { ...create('a source of 65,537 bytes', { name: 'other', source: moduleOf(most + 1) }), pointer: '/source' },
    { ...create('half a surrogate pair in the source', { name: 'other', source: '//\uD83C' }), pointer: '/source' },
    { ...create('an unknown field', { ...named('other'), description: 'x' }), pointer: '/description' },
    {
      what: 'an update of 65,537 bytes',
      path: `${COMPUTATIONS}/echo`,
      method: 'PUT',
      body: { source: moduleOf(most + 1) },
      pointer: '/source',
    },
    { what: 'a field of retire', path: `${COMPUTATIONS}/echo/retire`, body: { reason: 'x' }, pointer: '/reason' },
  ]);

  test('given a checked source of 65,537 bytes, then the check says that saving would refuse it', async () => {
    const answer = await refusedAndNothingRecorded(() =>
      server.post(`${COMPUTATIONS}/check`, { source: moduleOf(most + 1) }),
    );
    expect(answer.body).toMatchObject({ valid: false, issues: [{ pointer: '/source' }] });
  });
});

describe('a run', () => {
  const run = (what: string, body: unknown): Command => ({ what, path: RUN, body });
  const most = 256 * KIB;
  const uuid = '0192b3a4-5c6d-7e8f-9a0b-1c2d3e4f5a6b';

  isTaken([
    run('an input of 256 KiB', { input: 'x'.repeat(most - 2) }),
    run('an input of 256 KiB in characters of three bytes', { input: bytesOf(most - 2) }),
    run('an input of 512 levels', `{"input":${nested(512)}}`),
    run('an input of null', { input: null }),
    run('no body', undefined),
    run('a run_id that is a UUID', { run_id: uuid }),
    run('the same run_id in capitals', { run_id: uuid.toUpperCase() }),
  ]);
  isRefused([
    { ...run('an input of a byte more than 256 KiB', { input: 'x'.repeat(most - 1) }), pointer: '/input' },
    { ...run('a byte more in characters of three bytes', { input: bytesOf(most - 1) }), pointer: '/input' },
    { ...run('an input of 513 levels', `{"input":${nested(513)}}`), pointer: '/input' },
    { ...run('an input of 200,000 levels', `{"input":${nested(200_000)}}`), pointer: '/input' },
    { ...run('a number past a double', '{"input":{"n":1e400}}'), pointer: '/input/n' },
    { ...run('half a surrogate pair', { input: { a: ['\uDC00'] } }), pointer: '/input/a/0' },
    ...['', 'x', uuid.slice(1), `${uuid}0`, `{${uuid}}`, uuid.replaceAll('-', ''), `urn:uuid:${uuid}`, 7, null].map(
      (run_id) => ({ ...run(`the run_id ${JSON.stringify(run_id)}`, { run_id }), pointer: '/run_id' }),
    ),
    { ...run('an unknown field', { verison: 1 }), pointer: '/verison' },
    { ...run('an unknown field that nests 65 levels', `{"verison":${nested(65)}}`), pointer: '/verison' },
  ]);

  test('given an output of 1,048,320 bytes, then it succeeds; of a byte more, then it is unworkable', async () => {
    const path = `${COMPUTATIONS}/letters/run`;
    const largest = await server.post(path, { input: { count: 1_048_318 } });
    expect([largest.status, largest.body.output.length]).toEqual([200, 1_048_318]);
    expect((await server.get(`${DESK}/runs/${largest.body.run_id}`)).body.output).toHaveLength(1_048_318);

    const larger = await server.post(path, { input: { count: 1_048_319 } });
    expect(larger.body).toMatchObject({ status: 409, reason: 'conflict', kind: 'unworkable' });
  });
});

describe('the cancelling of a run', () => {
  const cancel = (reason: Json): Promise<Answer> => server.post(`${DESK}/runs/${endedRun}/cancel`, { reason });

  test.each(['x', 'x'.repeat(1024), '🎉'.repeat(1024), 'no longer needed'])(
    'given an acceptable reason, then it is not the reason that is refused',
    async (reason) => {
      expect((await cancel(reason)).body).toMatchObject({ status: 409, reason: 'conflict' });
    },
  );

  test.each(['', 'x'.repeat(1025), '🎉'.repeat(1025), 'a\nb', 'a\u0000', '\u007F', '\u009F', '\uD800', 7, null])(
    'given the reason %j, then it is refused and nothing is recorded',
    async (reason) => {
      const answer = await refusedAndNothingRecorded(() => cancel(reason));
      expect(answer.body).toMatchObject({ status: 422, reason: 'invalid_input' });
      expect(new Set(pointersOf(answer))).toEqual(new Set(['/reason']));
    },
  );
});

describe('a published event', () => {
  isTaken(EVENTS_TAKEN);
  isRefused(EVENTS_REFUSED);
});

describe('a query', () => {
  const paged = [`${DESK}/runs`, EVENTS, `${COMPUTATIONS}/echo/versions`];
  const cursor = (text: string): string => Buffer.from(text).toString('base64url');

  test.each([
    ...paged.flatMap((path) => [`${path}?limit=1`, `${path}?limit=100`]),
    `${DESK}/analytics?days=1`,
    `${DESK}/analytics?days=90&type=workflow`,
    ...['2026-01-31T07:00:00Z', '2026-01-31T00:00:00.5%2B05:30', '2024-02-29T23:59:59Z'].map(
      (since) => `${EVENTS}?since=${since}`,
    ),
    `${COMPUTATIONS}?include_retired=false`,
  ])('given %s, then it is answered', async (path) => {
    expect((await server.get(path)).status).toBe(200);
  });

  test.each([
    ...paged.flatMap((path) =>
      ['0', '101', '-1', '1.5', '', 'ten', '1e1', '9'.repeat(30)].map((limit) => [`${path}?limit=${limit}`, '/limit']),
    ),
    ...paged.flatMap((path) =>
      ['', 'x', '%2F', cursor('runs'), cursor('other.1'), cursor('runs.-1'), cursor('runs.1.2'), 'a'.repeat(257)].map(
        (value) => [`${path}?cursor=${value}`, '/cursor'],
      ),
    ),
    [`${EVENTS}?order=asc&cursor=${cursor('events-desc.1')}`, '/cursor'],
    ...['0', '91', '-1', 'x', '1.5', ''].map((days) => [`${DESK}/analytics?days=${days}`, '/days']),
    [`${DESK}/analytics?type=other`, '/type'],
    ...[
      '2026-01-31T24:00:00Z',
      '2026-02-30T07:00:00Z',
      '2025-02-29T07:00:00Z',
      '2026-01-31T07:00:00',
      '2026-01-31',
      '2026-01-31T07:60:00Z',
      '2026-01-31T07:00:00+01:00',
      'yesterday',
      '',
    ].map((since) => [`${EVENTS}?since=${since}`, '/since']),
    [`${EVENTS}?order=up`, '/order'],
    [`${DESK}/runs?status=done`, '/status'],
    [`${DESK}/runs?type=other`, '/type'],
    [`${COMPUTATIONS}?include_retired=yes`, '/include_retired'],
    [`${COMPUTATIONS}?include_retired=true?`, '/include_retired'],
    ...[DESK, EVENTS, `${DESK}/runs`, `${DESK}/analytics`, COMPUTATIONS, `${COMPUTATIONS}/echo`, `${DESK}/export`].map(
      (path) => [`${path}?colour=red`, '/colour'],
    ),
    [`${EVENTS}?__proto__=x`, '/__proto__'],
    [`${EVENTS}?constructor=x`, '/constructor'],
  ] as [string, string][])('given %s, then it is refused at %s', async (path, pointer) => {
    const answer = await server.get(path);
    expect(answer.body).toMatchObject({ status: 422, reason: 'invalid_input' });
    expect(new Set(pointersOf(answer))).toEqual(new Set([pointer]));
  });
});
