// The credential of a connection leaves no trace outside the secret store.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../../shared/json.ts';
import { filesIn, temporaryFolder } from '../../test/index.ts';
import { DESK, ORG, SECRET } from './connections.testing.ts';
import { CANARY, serveApi, api } from './serving.testing.ts';

test('a canary is found nowhere but sealed: not in files, logs, events, answers or errors', async () => {
  const folder = temporaryFolder();
  const { startServerProcess } = await import('../../test/index.ts');
  const echo = await serveApi();
  const server = await startServerProcess(folder.path, { environment: { LOG_LEVEL: 'trace' } });
  const said: string[] = [];
  const send = async (
    method: string,
    location: string,
    body?: unknown,
    type = 'application/json',
  ): Promise<JsonObject> => {
    const response = await fetch(`${server.address}${location}`, {
      method,
      redirect: 'manual',
      ...(body === undefined
        ? {}
        : { body: typeof body === 'string' ? body : JSON.stringify(body), headers: { 'content-type': type } }),
    });
    const text = await response.text();
    said.push(JSON.stringify([...response.headers]), text);
    return text.startsWith('{') ? JSON.parse(text) : {};
  };
  await send('POST', `${ORG}/playbooks`, { playbook: 'desk', name: 'Desk' });
  const added = await send('POST', `${ORG}/connections`, api(echo.document, SECRET));
  const url = new URL(String((added['connect'] as JsonObject)['url']));
  said.length = 0;
  await send('GET', `${url.pathname}${url.search}`);
  const page = said.splice(0).join('');
  expect(page).toContain(url.searchParams.get('token'));
  const form = (value: string): string =>
    String(
      new URLSearchParams({
        org: 'local',
        connection: String(added['id']),
        token: url.searchParams.get('token') ?? '',
        value,
      }),
    );
  const FORM = 'application/x-www-form-urlencoded';
  const at = `${ORG}/connections/${String(added['id'])}`;
  // What is refused holds the canary too.
  await send('POST', `${at}/credential`, { token: url.searchParams.get('token'), value: `${CANARY}\n`, other: CANARY });
  await send('POST', `${at}/credential`, { token: url.searchParams.get('token'), value: `${CANARY}\n` });
  await send('POST', `${at}/credential`, `{"token":"x","value":"${CANARY}"`);
  await send('POST', `${at}/credential`, { token: CANARY, value: CANARY });
  said.splice(0).forEach((text) => expect(text).not.toContain(CANARY));
  await send('POST', '/connect', form(`${CANARY}ä`), FORM);
  said.splice(0).forEach((text) => expect(text).not.toContain(CANARY));
  await send('POST', '/connect', form(CANARY), FORM);
  await send('GET', '/connect/done');
  await send('POST', '/connect', form(CANARY), FORM);
  await send('GET', at);
  expect(said.join('')).not.toContain(url.searchParams.get('token'));
  await send('GET', `${ORG}/connections?include_removed=true`);
  await send('GET', `${DESK}/tool-servers/search`);
  await send('GET', `${DESK}/tool-servers/echo/tools/echo`);
  await send('POST', `${DESK}/tool-servers/echo/tools/echo/execute`, { arguments: {} });
  await send('POST', `${DESK}/tool-servers/echo/tools/echo/execute`, { arguments: { wrong: CANARY } });
  await send('GET', `${DESK}/events?limit=100`);
  expect(echo.seen.at(-1)?.headers['x-api-key']).toBe(CANARY);
  const files = (): string[] => filesIn(folder.path);
  const searched = (): number => files().filter((file) => readFileSync(file).length > 0).length;
  const writings = [
    CANARY,
    encodeURIComponent(CANARY),
    Buffer.from(CANARY).toString('base64').slice(0, 16),
    Buffer.from(CANARY).toString('hex'),
  ];
  expect(searched()).toBeGreaterThan(2);
  for (const writing of writings) {
    for (const text of said) expect(text).not.toContain(writing);
    expect(server.stderr()).not.toContain(writing);
    for (const file of files()) expect(readFileSync(file).includes(writing), file).toBe(false);
  }
  expect(server.stderr()).toContain('/connect');
  expect(server.stderr()).not.toContain(url.searchParams.get('token'));
  expect(await server.end('SIGTERM')).toBe(0);
  for (const file of files()) expect(readFileSync(file).includes(CANARY), file).toBe(false);
  folder.remove();
});
