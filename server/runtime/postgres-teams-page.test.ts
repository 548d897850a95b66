// Follows docs/teams.md as an operator does: its commands, statements and settings, in its order, with other addresses. Skipped
// without a PostgreSQL: `npm run test:postgres` starts one.
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ask, POSTGRES_FOR_TESTS } from '../kernel/log/postgres/testing.ts';
import { randomHex } from '../lib/random.ts';
import { SERVER_PROGRAM, startServerProcess, temporaryFolder } from '../test/index.ts';

const PAGE = readFileSync(new URL('../../docs/teams.md', import.meta.url), 'utf8');
const KEY = /^abk_\S+$/m;

/** The line of the page, without its indent, that contains a text; only one does. */
function lineWith(text: string): string {
  const lines = PAGE.split('\n').filter((line) => line.includes(text) && !line.includes('`'));
  expect(lines, `lines of docs/teams.md with ${text}`).toHaveLength(1);
  return lines[0]?.trim() ?? '';
}

describe.runIf(POSTGRES_FOR_TESTS !== undefined && process.platform !== 'win32')('the page for operators', () => {
  const folder = temporaryFolder();
  const dataDir = path.join(folder.path, 'first');
  const role = `ops_${randomHex(6)}`;
  const secretsKey = Buffer.alloc(32, 7).toString('base64');
  let key = '';

  /** What a command of the page prints, with `cuebook` and `npx` as installed. */
  async function run(command: string, environment: Record<string, string> = {}): Promise<string> {
    const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', command], {
      cwd: folder.path,
      env: {
        HOME: folder.path,
        PATH: [path.join(folder.path, 'bin'), process.env['PATH']].join(':'),
        ...environment,
      },
    });
    return stdout;
  }

  /** The URL of the page for the database that its statements make. */
  function databaseUrl(): string {
    const url = new URL(lineWith('DATABASE_URL=postgres://').slice('DATABASE_URL='.length));
    expect([url.username, url.password, url.pathname]).toEqual(['cuebook', 'PASSWORD', '/cuebook']);
    const there = new URL(POSTGRES_FOR_TESTS ?? '');
    [url.host, url.username, url.pathname, url.search] = [there.host, role, `/${role}`, ''];
    return url.href;
  }

  beforeAll(() => {
    const bin = path.join(folder.path, 'bin');
    mkdirSync(bin);
    mkdirSync(dataDir, { mode: 0o700 });
    const program = `exec '${process.execPath}' '${SERVER_PROGRAM}' "$@"\n`;
    writeFileSync(path.join(bin, 'cuebook'), `#!/bin/sh\n${program}`, { mode: 0o755 });
    writeFileSync(path.join(bin, 'npx'), `#!/bin/sh\nshift\n${program}`, { mode: 0o755 });
    // The test runs as one user.
    writeFileSync(path.join(bin, 'runuser'), '#!/bin/sh\nshift 3\nexec "$@"\n', { mode: 0o755 });
  });
  afterAll(async () => {
    await ask(`DROP DATABASE IF EXISTS ${role} WITH (FORCE)`);
    await ask(`DROP ROLE IF EXISTS ${role}`);
    folder.remove();
  });

  test('one server is set up with a key, and doctor shows what the page says', async () => {
    const printed = await run(lineWith('cuebook keys create'));
    key = KEY.exec(printed)?.[0] ?? '';
    const entry = printed.split('\n').find((line) => line.startsWith('{'));
    writeFileSync(path.join(dataDir, 'cuebook.yaml'), `api_keys: [${entry}]\n`);
    for (const text of ['/dev/null /var/lib/cuebook/env', 'echo PUBLIC_URL=', 'echo TRUSTED_PROXIES=']) {
      // Only root may give files to another user.
      await run(lineWith(text).replace(' -o cuebook -g cuebook', '').replace('/var/lib/cuebook', dataDir));
    }
    const checked = await run(lineWith('cuebook doctor').replace('/var/lib/cuebook', dataDir));
    expect(PAGE).toContain('`mode: published; 1 API key`');
    expect(checked.split('\n')[0]).toBe('mode: published; 1 API key');
    expect(checked).toContain('PUBLIC_URL: "https://cuebook.example.com"');

    const server = await startServerProcess(dataDir);
    const send = (headers: Record<string, string>): Promise<Response> =>
      fetch(`${server.address}/v1/caller`, { headers });
    try {
      expect(PAGE).toContain('"mode":"published"');
      expect(await (await fetch(`${server.address}/health`)).text()).toContain('"mode":"published"');
      expect((await send({})).status).toBe(401);
      expect(await (await send({ authorization: `Bearer ${key}` })).json()).toMatchObject({
        id: 'key:ada',
        org: 'acme',
      });
      await fetch(`${server.address}/v1/orgs/acme/playbooks`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ playbook: 'desk', name: 'Desk' }),
      });
    } finally {
      expect(await server.end('SIGTERM')).toBe(0);
    }
  });

  test('its data moves into the database of the page, where several servers use it', { timeout: 60_000 }, async () => {
    // Statements that make databases cannot share a transaction.
    for (const statement of [lineWith('CREATE USER'), lineWith('CREATE DATABASE')]) {
      await ask(statement.replaceAll(/\bcuebook\b/g, role));
    }
    const environment = { DATABASE_URL: databaseUrl(), SECRETS_KEY: secretsKey };
    const move = lineWith('cuebook move --from').replace('/var/lib/cuebook', dataDir);
    await run(move, environment);

    const folders = ['second', 'third'].map((name) => path.join(folder.path, name));
    const config = { CONFIG_FILE: path.join(dataDir, 'cuebook.yaml'), ...environment };
    const servers = await Promise.all(folders.map((place) => startServerProcess(place, { environment: config })));
    try {
      for (const { address } of servers) {
        const listed = await fetch(`${address}/v1/orgs/acme/playbooks`, {
          headers: { authorization: `Bearer ${key}` },
        });
        expect(await listed.json()).toMatchObject({ playbooks: [{ id: 'desk' }] });
        // The page shows this command twice: for a login, and for a key.
        const inbox = `npx cuebook inbox --server ${address}`;
        expect(PAGE).toContain(inbox.replace(address, 'https://cuebook.example.com'));
        await run(inbox, { CUEBOOK_KEY: key });
      }
    } finally {
      for (const server of servers) expect(await server.end('SIGTERM')).toBe(0);
    }
  });
});
