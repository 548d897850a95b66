import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createKey } from '../../../domain/access/index.ts';
import { startServerProcess, temporaryFolder } from '../../../test/index.ts';
import { createCommandLine } from '../cuebook.testing.ts';
import { CommandFailure } from '../failure.ts';
import { CLIENTS } from '../../../domain/agents/index.ts';
import { clientNamed } from './index.ts';
import { writeServer } from './write-config.ts';

const ENTRY = { command: '/node', args: ['/cuebook.js', 'mcp'] };
const SERVER = { member: 'mcpServers', name: 'cuebook', entry: ENTRY };

let folder: ReturnType<typeof temporaryFolder>;
let file: string;
beforeEach(() => {
  folder = temporaryFolder();
  file = path.join(folder.path, 'mcp.json');
});
afterEach(() => folder.remove());

const read = (): unknown => JSON.parse(readFileSync(file, 'utf8'));

describe('a configuration', () => {
  test('that is missing is created, readable only by its owner', () => {
    file = path.join(folder.path, 'Claude', 'config.json');
    expect(writeServer(file, SERVER)).toEqual({ file, backup: undefined, changed: true });
    expect(read()).toEqual({ mcpServers: { cuebook: ENTRY } });
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test('keeps its other values, its indentation and its mode, and a backup is written', () => {
    const before = '{\n\t"theme": "dark",\n\t"mcpServers": { "other": { "command": "x", "env": { "KEY": "é" } } }\n}\n';
    writeFileSync(file, before);
    chmodSync(file, 0o640);
    const { backup } = writeServer(file, SERVER);
    expect(read()).toEqual({ theme: 'dark', mcpServers: { ...JSON.parse(before).mcpServers, cuebook: ENTRY } });
    expect(readFileSync(file, 'utf8')).toMatch(/^\{\n\t"theme"/);
    expect(statSync(file).mode & 0o777).toBe(0o640);
    expect(readFileSync(String(backup), 'utf8')).toBe(before);
    expect(writeServer(file, SERVER)).toMatchObject({ changed: false });
    expect(readFileSync(String(backup), 'utf8')).toBe(before);
  });

  test('behind a link is written at the target of the link', () => {
    const real = path.join(folder.path, 'dotfiles.json');
    writeFileSync(real, '{}');
    symlinkSync(real, file);
    expect(writeServer(file, SERVER).file).toBe(real);
    expect(read()).toEqual({ mcpServers: { cuebook: ENTRY } });
  });

  test.each([
    ['comments', '{ // mine\n}'],
    ['no JSON', '{'],
    ['a member twice', '{"a":1,"a":2}'],
    ['a number that would lose digits', '{"id":12345678901234567890123}'],
    ['a list', '[]'],
    ['servers that are none', '{"mcpServers":[]}'],
  ])('with %s is not changed', (_, text) => {
    writeFileSync(file, text);
    expect(() => writeServer(file, SERVER)).toThrow(CommandFailure);
    expect(readFileSync(file, 'utf8')).toBe(text);
    expect(existsSync(`${file}.bak`)).toBe(false);
  });

  test('that cannot be written is not changed', () => {
    mkdirSync(path.join(folder.path, 'mcp.json'));
    expect(() => writeServer(file, SERVER)).toThrow(/mcp\.json/);
  });
});

test('a missing playbook is refused, and a warning is printed if its existence is unknown', async () => {
  const line = createCommandLine();
  const connect = (...args: string[]) => line.cuebook(['connect', 'cursor', '--playbook', ...args]);
  expect(await connect('desk')).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('create desk before the agent'),
  });
  expect(await line.cuebook(['apply', line.writePlaybook()])).toMatchObject({ code: 0 });
  expect(await connect('dsk')).toMatchObject({ code: 2, stderr: expect.stringContaining('Did you mean desk?') });
  const ended = await connect('desk');
  expect([ended.code, ended.stderr]).toEqual([0, expect.not.stringContaining('create desk')]);
  line.remove();
}, 60_000);

test('a key that may not read the org connects to the playbook that it permits, and to no other', async () => {
  const line = createCommandLine();
  const named = (name: string, permissions: string[], playbooks?: string[]) => {
    const { key, sha256 } = createKey();
    return { key, entry: { name, sha256, org: 'acme', permissions, ...(playbooks && { playbooks }) } };
  };
  const keys = {
    operator: named('operator', ['org:write']),
    reader: named('reader', ['playbook:read'], ['desk']),
    writer: named('writer', ['playbook:write'], ['desk']),
  };
  const environment = { API_KEYS: JSON.stringify(Object.values(keys).map(({ entry }) => entry)) };
  const server = await startServerProcess(line.dataDir, { environment });
  for (const playbook of ['desk', 'shop']) {
    await fetch(`${server.address}/v1/orgs/acme/playbooks`, {
      method: 'POST',
      headers: { authorization: `Bearer ${keys.operator.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ playbook, name: 'Desk' }),
    });
  }
  const connect = (key: string, playbook: string) =>
    line.cuebook(['connect', 'cursor', '--server', server.address, '--playbook', playbook], {
      env: { CUEBOOK_KEY: key },
    });
  for (const { key } of [keys.reader, keys.writer]) {
    const { code, stderr } = await connect(key, 'desk');
    expect([code, stderr]).toEqual([0, expect.not.stringMatching(/Could not check|Set CUEBOOK_KEY to/)]);
  }
  expect(await connect(keys.reader.key, 'shop')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('The org acme has no playbook shop. Its playbooks: desk.'),
  });
  await server.end('SIGTERM');
  line.remove();
}, 60_000);

describe('clients', () => {
  const AT = { home: '/home/ada', folder: '/work', environment: {} };

  test.each([
    ['claude-desktop', 'linux', '/home/ada/.config/Claude/claude_desktop_config.json'],
    ['claude-desktop', 'darwin', '/home/ada/Library/Application Support/Claude/claude_desktop_config.json'],
    ['claude-code', 'linux', '/work/.mcp.json'],
    ['cursor', 'linux', '/home/ada/.cursor/mcp.json'],
    ['vscode', 'linux', '/work/.vscode/mcp.json'],
  ] as const)('%s on %s keeps its servers in %s', (name, platform, expected) => {
    expect(clientNamed(name).file({ ...AT, platform })).toBe(expected);
  });

  test('VS Code has its own member for servers; an unknown client is refused with the known ones', () => {
    expect(clientNamed('vscode').member).toBe('servers');
    expect(() => clientNamed('emacs')).toThrow(new RegExp(Object.keys(CLIENTS).join(', ')));
  });
});
