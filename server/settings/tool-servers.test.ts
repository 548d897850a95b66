import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { JsonObject } from '../../shared/json.ts';
import { temporaryFolder } from '../test/index.ts';
import { readSettings, SettingsError, type ToolServer } from './index.ts';

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

const TOKEN = 'tok-1234567890';

function read(toolServers: unknown): readonly ToolServer[] {
  writeFileSync(path.join(folder.path, 'cuebook.yaml'), JSON.stringify({ tool_servers: toolServers }));
  return readSettings({ TOKEN, DATA_DIR: folder.path }).toolServers();
}

function refusal(toolServers: unknown): string {
  try {
    read(toolServers);
  } catch (error) {
    if (error instanceof SettingsError) return error.message;
    throw error;
  }
  throw new Error('The file was taken.');
}

test('an entry is read with its variables, whose values are its secrets', () => {
  const [github, files, billing] = read({
    github: {
      type: 'mcp',
      url: 'https://api.example.com/mcp',
      headers: { Authorization: 'Bearer ${TOKEN}' },
      allowed: ['search_*', 'create_issue'],
      playbooks: ['*'],
      orgs: ['*'],
      record_content: false,
    },
    files: { type: 'stdio', command: 'npx', args: ['-y', 'server', '${TOKEN}'], env: { A: 'plain' } },
    billing: { type: 'openapi', document: 'billing.json', base_url: 'https://billing.example.com', request_id: 'x-id' },
  });
  expect(github).toMatchObject({
    name: 'github',
    headers: { Authorization: `Bearer ${TOKEN}` },
    allowed: ['search_*', 'create_issue'],
    recordContent: false,
    secrets: [TOKEN],
  });
  expect(files).toMatchObject({
    args: ['-y', 'server', TOKEN],
    env: { A: 'plain' },
    recordContent: true,
    secrets: [TOKEN],
  });
  // A file's path is relative to the configuration file.
  expect(billing).toMatchObject({ document: path.join(folder.path, 'billing.json'), requestId: 'x-id', secrets: [] });
});

test('times are durations, with usual ones where the entry says nothing', () => {
  const [docs, slow, files] = read({
    docs: { type: 'mcp', url: 'https://docs.example.com/mcp' },
    slow: { type: 'mcp', url: 'https://slow.example.com/mcp', timeout: 'PT30M' },
    files: { type: 'stdio', command: 'npx', timeout: 'PT1M30S', start_timeout: 'PT10M' },
  });
  expect(docs).toMatchObject({ timeoutMs: 30_000 });
  expect(slow).toMatchObject({ timeoutMs: 1_800_000 });
  expect(files).toMatchObject({ timeoutMs: 90_000, startTimeoutMs: 600_000 });
});

test('the examples of the documentation are taken as they stand', () => {
  const text = readFileSync(new URL('../../docs/tool-servers.md', import.meta.url), 'utf8');
  const examples = [...text.matchAll(/```yaml\n(tool_servers:.*?)```/gs)].map(([, yaml = '']) => yaml);
  const types = examples.flatMap((yaml) => {
    writeFileSync(path.join(folder.path, 'cuebook.yaml'), yaml);
    const environment = { TRACKER_TOKEN: TOKEN, BILLING_KEY: TOKEN, DATA_DIR: folder.path };
    return readSettings(environment)
      .toolServers()
      .map(({ type }) => type);
  });
  expect(types).toEqual(['stdio', 'mcp', 'openapi']);
});

const api = (more: JsonObject): JsonObject => ({
  docs: { type: 'openapi', document: 'https://docs.example.com/openapi.json', ...more },
});
const mcp = (more: JsonObject = {}): JsonObject => ({
  docs: { type: 'mcp', url: 'https://docs.example.com/mcp', ...more },
});

test.each<[string, unknown, string, RegExp]>([
  ['no object', ['docs'], 'tool_servers', /must be an object such as/],
  ['a name that nobody can write', { 'a/b': mcp()['docs'] }, 'tool_servers.a/b', /letters, digits/],
  ['no type', { docs: { url: 'https://docs.example.com' } }, 'tool_servers.docs.type', /mcp, stdio, openapi/],
  ['a type that is nearly one', { docs: { type: 'openap' } }, 'tool_servers.docs.type', /openapi/],
  ['a field of another type', mcp({ command: 'npx' }), 'tool_servers.docs', /command/],
  ['a field that is nearly one', mcp({ alowed: ['x'] }), 'tool_servers.docs', /allowed/],
  ['no address', { docs: { type: 'mcp' } }, 'tool_servers.docs.url', /http/],
  [
    'an address with a password',
    mcp({ url: 'https://a:b-secret@x.example' }),
    'tool_servers.docs.url',
    /without a user name/,
  ],
  ['an address that is none', mcp({ url: 'ftp://docs.example.com' }), 'tool_servers.docs.url', /http/],
  ['a base URL with a query', api({ base_url: 'https://x.example/v1?key=b-secret' }), '.base_url', /without .*query/],
  ['a base URL with a fragment', api({ base_url: 'https://x.example/v1#b-secret' }), '.base_url', /fragment/],
  ['a base URL that is relative', api({ base_url: '/v1' }), '.base_url', /http or https/],
  ['a header that the connection sets', mcp({ headers: { Host: 'x' } }), 'tool_servers.docs.headers.Host', /itself/],
  ['a header of two lines', mcp({ headers: { A: 'x\ny' } }), 'tool_servers.docs.headers.A', /one line/],
  ['a header that is no text', mcp({ headers: { A: 1 } }), 'tool_servers.docs.headers.A', /quotes/],
  ['a variable that is not set', mcp({ headers: { A: '${NOT_SET}' } }), 'tool_servers.docs.headers.A', /NOT_SET/],
  ['allowed that is no list', mcp({ allowed: 'search' }), 'tool_servers.docs.allowed', /list/],
  ['an allowed name with a slash', mcp({ allowed: ['a/b'] }), 'tool_servers.docs.allowed[0]', /names of tools/],
  ['a flag that is none', mcp({ record_content: 'no' }), 'tool_servers.docs.record_content', /true or false/],
  ['a timeout in seconds', mcp({ timeout: 60 }), 'tool_servers.docs.timeout', /PT1S to PT30M/],
  ['a timeout that is too long', mcp({ timeout: 'PT31M' }), 'tool_servers.docs.timeout', /PT30M/],
  ['a start that is none', mcp({ start_timeout: 'PT1M' }), 'tool_servers.docs', /start_timeout/],
  [
    'a start that takes too long',
    { docs: { type: 'stdio', command: 'npx', start_timeout: 'PT11M' } },
    'tool_servers.docs.start_timeout',
    /PT1S to PT10M/,
  ],
  ['no command', { docs: { type: 'stdio' } }, 'tool_servers.docs.command', /program/],
  [
    'a file of a document that would get a credential',
    { docs: { type: 'openapi', document: 'x.json', headers: { A: 'b' } } },
    'tool_servers.docs.document',
    /base_url/,
  ],
])('%s stops the start with one sentence', (_name, toolServers, setting, words) => {
  const sentence = refusal(toolServers);
  expect(sentence).toContain(setting);
  expect(sentence).toMatch(words);
  expect(sentence).not.toMatch(/b-secret|tok-/);
  expect(sentence).not.toContain('\n');
});
