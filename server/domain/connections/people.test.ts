// Where people sign in, a connection is added by a person, and approved by that same person on a page they signed in to.
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { JsonObject } from '../../../shared/json.ts';
import { systemClock } from '../../lib/clock.ts';
import { createIds } from '../../kernel/ids.ts';
import { createEventLog, logMigrations, openSqliteStore } from '../../kernel/log/index.ts';
import { Refused } from '../../lib/rejection.ts';
import { createKeyKeeper, createSecretStore, secretMigrations } from '../../kernel/secrets/index.ts';
import { type Caller, makeCallable } from '../../operations/index.ts';
import { readSettings } from '../../settings/index.ts';
import { temporaryFolder } from '../../test/index.ts';
import type { ApprovalMode } from './connections.ts';
import { connectionMigrations, connectionProjection, createConnectionService } from './index.ts';

const caller = (id: string, isSession = false): Caller => ({
  id,
  form: isSession ? 'session' : 'access_token',
  org: 'local',
  may: () => true,
});
const ADA_AGENT = caller('person:ada');
const ADA_PAGE = caller('person:ada', true);
const BOB_PAGE = caller('person:bob', true);
const KEY = caller('key:deploy');

async function givenPeople(people: ApprovalMode) {
  const folder = temporaryFolder();
  const clock = systemClock;
  const ids = createIds(clock);
  const store = openSqliteStore({
    file: path.join(folder.path, 'test.db'),
    migrations: [...logMigrations, ...secretMigrations, ...connectionMigrations],
    clock,
    onUnknownCommit(sentence) {
      throw new Error(sentence);
    },
  });
  const log = createEventLog({ store, projections: [connectionProjection], clock, ids });
  const service = createConnectionService({
    settings: readSettings({ DATA_DIR: folder.path }),
    mode: 'local',
    people,
    log,
    secrets: createSecretStore(log, createKeyKeeper([], folder.path)),
    clock,
    ids,
    connectPage: () => ({ page: 'https://studio.example.com/connect', server: 'https://runtime.example.com' }),
  });
  await service.load();
  onTestFinished(async () => {
    service.close();
    await log.close();
    folder.remove();
  });
  const callables = new Map(service.operations.map((operation) => [operation.name, makeCallable(operation)]));
  return async (
    by: Caller,
    name: string,
    place: Record<string, string>,
    fields: JsonObject = {},
  ): Promise<JsonObject> => {
    const call = {
      caller: by,
      org: 'acme',
      traceId: '0'.repeat(32),
      signal: new AbortController().signal,
      pageDefault: 20,
    };
    const answer = await callables
      .get(name)
      ?.execute(call, place, fields)
      .catch((error: unknown) => error);
    if (answer instanceof Refused) return { refused: answer.rejection.reason };
    if (answer instanceof Error) throw answer;
    return answer as JsonObject;
  };
}

const docs = (kind: string, name: string): JsonObject => ({
  name,
  kind: 'mcp',
  entry: { url: 'https://api.example.com/mcp' },
  credential: kind === 'none' ? { kind } : { kind, name: 'x-key', in: 'header' },
});

test('a key adds none, with good fields and with wrong ones', async () => {
  const ask = await givenPeople('signed_in');
  expect(await ask(KEY, 'add_connection', {}, docs('none', 'docs'))).toEqual({ refused: 'forbidden' });
  expect(await ask(KEY, 'add_connection', {}, { name: '' })).toEqual({ refused: 'forbidden' });
  expect(await ask(ADA_AGENT, 'add_connection', {}, docs('none', 'docs'))).toMatchObject({
    status: 'pending',
    added_by: 'person:ada',
  });
});

test.each([
  ['approve', 'none', {}],
  ['give_credential', 'secret', { value: 'canary-0123456789' }],
])('%s is for the person who added it, on a page they signed in to', async (operation, kind, fields) => {
  const ask = await givenPeople('signed_in');
  const added = await ask(ADA_AGENT, 'add_connection', {}, docs(kind, 'docs'));
  const { url } = added['connect'] as { url: string };
  const token = new URL(url).searchParams.get('token') ?? '';
  const id = String(added['id']);
  for (const stranger of [BOB_PAGE, ADA_AGENT, KEY]) {
    expect(await ask(stranger, operation, { id }, { token, ...fields })).toEqual({ refused: 'forbidden' });
    expect(await ask(stranger, operation, { id }, { token: 'wrong', ...fields })).toEqual({ refused: 'not_found' });
    expect(await ask(stranger, 'read_link', { id, token })).toMatchObject({ id, status: 'pending' });
  }
  expect(await ask(ADA_PAGE, operation, { id }, { token, ...fields })).toMatchObject({
    status: 'connected',
    connected_by: 'person:ada',
  });
});

test('without sign-in, every connection is refused', async () => {
  const ask = await givenPeople('nobody');
  for (const by of [KEY, ADA_AGENT])
    expect(await ask(by, 'add_connection', {}, docs('none', 'docs'))).toEqual({ refused: 'forbidden' });
  expect(await ask(KEY, 'list_connections', {})).toEqual({ connections: [] });
});

test('a key that is limited to some playbooks sees and removes what serves them, and learns of no other', async () => {
  const ask = await givenPeople('signed_in');
  const tokens = new Map<string, string>();
  const serving = async (name: string, playbooks: string[]): Promise<string> => {
    const { entry, ...rest } = docs('none', name);
    const added = await ask(ADA_AGENT, 'add_connection', {}, { ...rest, entry: { ...(entry as object), playbooks } });
    const { url } = added['connect'] as { url: string };
    tokens.set(String(added['id']), new URL(url).searchParams.get('token') ?? '');
    return String(added['id']);
  };
  const [own, both, other, all] = [
    await serving('own', ['desk']),
    await serving('both', ['desk', 'lab']),
    await serving('other', ['lab']),
    await serving('all', ['*']),
  ];
  const limited: Caller = {
    ...KEY,
    may: (_permission, _org, playbook) => playbook === undefined || playbook === 'desk',
  };
  const listed = await ask(limited, 'list_connections', {});
  expect((listed['connections'] as JsonObject[]).map(({ name, entry }) => [name, entry])).toMatchObject([
    ['all', { playbooks: ['*'] }],
    ['both', { playbooks: ['desk'] }],
    ['own', { playbooks: ['desk'] }],
  ]);
  expect(JSON.stringify(await ask(limited, 'get_connection', { id: both }))).not.toContain('lab');
  for (const operation of ['get_connection', 'remove_connection', 'remove_connection_by_post']) {
    expect(await ask(limited, operation, { id: other })).toEqual({ refused: 'not_found' });
  }
  const link = (id: string) => ({ id, token: tokens.get(id) ?? '' });
  expect(await ask(limited, 'read_link', link(other))).toEqual({ refused: 'not_found' });
  expect(await ask(limited, 'approve', { id: other }, { token: tokens.get(other) ?? '' })).toEqual({
    refused: 'not_found',
  });
  expect(await ask(limited, 'read_link', link(both))).toMatchObject({ entry: { playbooks: ['desk'] } });
  expect(await ask(KEY, 'read_link', link(other))).toMatchObject({ id: other });
  for (const id of [both, all])
    expect(await ask(limited, 'remove_connection', { id })).toEqual({ refused: 'forbidden' });
  expect(await ask(limited, 'remove_connection', { id: own })).toMatchObject({ status: 'removed' });
  expect(await ask(KEY, 'remove_connection', { id: other })).toMatchObject({ status: 'removed' });
});
