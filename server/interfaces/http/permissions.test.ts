// Each operation with each permission, and with none: a caller without the permission is refused before anything else,
// so that nobody learns what exists. The list of operations is the server's own; what opens each is the contract's.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ALL_PERMISSIONS } from '../../../shared/permissions.ts';
import { type Caller, makeCallable, type Operation } from '../../operations/index.ts';
import { startServer, type TestServer } from '../../test/index.ts';
import {
  ABOUT_CALLER,
  DESCRIBED,
  isOpen,
  makeKey,
  NAMES_PLAYBOOK,
  ON_ORG,
  pathOf,
  type Refusal,
  REFUSED_TO_KEYS,
  sendWrong,
} from '../permissions.testing.ts';

const CHALLENGED = [403, 'Bearer error="insufficient_scope"', 'forbidden'];

const admin = makeKey('admin', ALL_PERMISSIONS);
const single = ALL_PERMISSIONS.map((permission) => ({
  permission,
  ...makeKey(permission.replace(':', '-'), [permission]),
}));
const limited = makeKey('limited', ALL_PERMISSIONS, { playbooks: ['own'] });
const foreign = makeKey('foreign', ALL_PERMISSIONS, { org: 'globex' });

let server: TestServer;
/** Those that need a permission. */
let operations: readonly Operation[];
beforeAll(async () => {
  const keys = [admin, ...single, limited, foreign].map(({ entry }) => entry);
  server = await startServer({ environment: { API_KEYS: JSON.stringify(keys), RATE_LIMIT: '0' } });
  operations = server.operations.filter(({ permissions }) => permissions.length > 0);
  for (const playbook of ['own', 'retired']) {
    await server.post('/v1/orgs/acme/playbooks', { playbook, name: playbook }, admin.header);
  }
  await server.post('/v1/orgs/acme/playbooks/retired/retire', {}, admin.header);
});
afterAll(() => server.close());

const inOrder = ({ status, challenge, reason }: Refusal): unknown[] => [status, challenge, reason];
const isOfPlaybook = ({ path }: Operation): boolean => Object.hasOwn(path.properties, 'playbook');

test('every operation is one that the contract or this table gives permissions to', () => {
  expect(server.operations.map(({ name }) => name).toSorted()).toEqual(DESCRIBED.toSorted());
  expect(server.operations.filter(({ permissions }) => permissions.length === 0).map(({ name }) => name)).toEqual(
    ABOUT_CALLER,
  );
  const withoutPlaybook = operations.filter((operation) => !isOfPlaybook(operation)).map(({ name }) => name);
  expect(withoutPlaybook.toSorted()).toEqual([...ON_ORG, ...NAMES_PLAYBOOK].toSorted());
});

/** Asks for what does not exist and for what is retired, with all that can be wrong with a request. */
async function* refusalsOf(asked: readonly Operation[], header: Record<string, string>) {
  for (const operation of asked) {
    yield { operation, refusal: await sendWrong(server, { operation, playbook: 'nowhere', header, length: 'huge' }) };
    yield { operation, refusal: await sendWrong(server, { operation, playbook: 'retired', header, length: 'absent' }) };
  }
}

test.each(single)('a key with $permission alone is refused what it does not open', async ({ permission, header }) => {
  const closed = operations.filter((operation) => !isOpen(operation, permission));
  for await (const { operation, refusal } of refusalsOf(closed, header)) {
    expect([operation.name, ...inOrder(refusal)]).toEqual([operation.name, ...CHALLENGED]);
  }
});

test.each(single)('a key with $permission alone is let through to what it opens', async ({ permission, header }) => {
  const open = operations.filter(
    (operation) => isOpen(operation, permission) && !REFUSED_TO_KEYS.includes(operation.name),
  );
  for await (const { operation, refusal } of refusalsOf(open, header)) {
    expect([operation.name, refusal.reason]).not.toContain('forbidden');
  }
});

test('a caller without any permission is refused every operation', () => {
  const nobody: Caller = { id: 'person:nobody', form: 'access_token', org: 'acme', may: () => false };
  for (const operation of operations) {
    const call = { caller: nobody, org: 'acme', traceId: '', signal: AbortSignal.any([]), pageDefault: 1 };
    expect(() => makeCallable(operation).authorize(call, pathOf(operation, 'own')), operation.name).toThrow(
      /needs the permission/,
    );
  }
});

test('a key for another org is refused every operation, whatever exists', async () => {
  for (const operation of operations) {
    for (const playbook of ['own', 'nowhere']) {
      const refusal = await sendWrong(server, { operation, playbook, header: foreign.header, length: 'huge' });
      expect([operation.name, ...inOrder(refusal)]).toEqual([operation.name, ...CHALLENGED]);
    }
  }
});

test('a key that is limited to some playbooks is refused every operation of the others', async () => {
  for (const operation of operations.filter(isOfPlaybook)) {
    for (const playbook of ['nowhere', 'retired', 'own.', 'OWN', 'own%2F..%2Fretired', '%6fwn%00']) {
      const refusal = await sendWrong(server, { operation, playbook, header: limited.header, length: 'absent' });
      expect([operation.name, playbook, ...inOrder(refusal)]).toEqual([operation.name, playbook, ...CHALLENGED]);
    }
    const own = await sendWrong(server, { operation, playbook: 'own', header: limited.header, length: 'huge' });
    expect([operation.name, own.reason]).not.toContain('forbidden');
  }
});

test('what names a playbook elsewhere than in its path is refused for another playbook', async () => {
  const ask = (playbook: string, more: object) =>
    server.post('/v1/orgs/acme/playbooks', { playbook, ...more }, limited.header);
  expect(await ask('other', { name: 'Other' })).toMatchObject({ status: 403 });
  expect(await ask('other', { wrong: 1 })).toMatchObject({ status: 403 });
  expect(await ask('own', { name: 'Own' })).toMatchObject({ status: 409 });
  const search = (query: string) => server.get(`/v1/orgs/acme/tool-servers/search${query}`, limited.header);
  expect(await search('')).toMatchObject({ status: 403 });
  expect(await search('?playbook=other')).toMatchObject({ status: 403 });
  expect(await search('?playbook=other&only=wrong')).toMatchObject({ status: 403 });
  expect(await search('?playbook=own')).toMatchObject({ status: 200 });
});

test('what belongs to this machine or needs a person is refused to every key', async () => {
  for (const operation of operations.filter(({ name }) => REFUSED_TO_KEYS.includes(name))) {
    const { method, route } = operation;
    const body = method === 'GET' ? {} : { body: '{}', headers: { 'content-type': 'application/json' } };
    const { status } = await server.send(method, `/v1/orgs/acme${route}`, {
      ...body,
      headers: { ...body.headers, ...admin.header },
    });
    expect([operation.name, status]).toEqual([operation.name, 403]);
  }
});
