// What is copied from pages, chats and the shells of Windows: with signs that editors and blogs change, and with lines around it.
import { expect, test } from 'vitest';
import type { JsonObject } from '../../../../shared/json.ts';
import { planServers } from './plan.ts';
import { readPaste } from './read-paste.ts';

type Read = Record<string, JsonObject>;

function read(text: string): Read {
  const paste = readPaste(text);
  if (!paste.ok) throw new Error(paste.detail);
  return Object.fromEntries(paste.servers.map(({ name, entry }) => [name, entry]));
}

const NOTES = { type: 'stdio', command: 'npx', args: ['-y', 'notes-mcp'] };
const IN_JSON = '{"mcpServers":{"notes":{"command":"npx","args":["-y","notes-mcp"]}}}';

test.each([
  ['quotes of a blog', IN_JSON.replaceAll('"', '\u201d').replace('\u201d', '\u201c')],
  ['blanks that do not break', IN_JSON.replaceAll(':', '\u00a0:\u00a0')],
  [
    'a line that stands for others',
    '{\n"mcpServers": {\n"notes": {"command": "npx", "args": ["-y", "notes-mcp"]},\n// others\n  ...\n}\n}',
  ],
  ['a quoted block', `> Add:\n>\n> \`\`\`json\n> ${IN_JSON}\n> \`\`\``],
  ['marks without width', `\u200b${IN_JSON.replace(':', ':\ufeff')}`],
  ['dotted names of TOML', 'mcp_servers.notes.command = "npx"\nmcp_servers.notes.args = ["-y", "notes-mcp"]'],
  ['an entry of TOML alone', 'command = "npx"\nargs = ["-y", "notes-mcp"]'],
  ['a word of a shell before it', 'exec npx -y notes-mcp'],
  ['a whole line behind `/c`', '{"notes":{"command":"cmd.exe","args":["/C","npx -y notes-mcp"]}}'],
])('%s', (_what, text) => {
  expect(read(text)).toEqual({ notes: NOTES });
});

test.each([
  ['JSON', String.raw`{"mcpServers":{"notes":{"command":"C:\tools\new\notes.exe","args":["--root=D:\data\"x"]}}}`],
  ['JSON as it should be', String.raw`{"notes":{"command":"C:\\tools\\new\\notes.exe","args":["--root=D:\\data\"x"]}}`],
  ['TOML', `[mcp_servers.notes]\ncommand = "C:\\tools\\new\\notes.exe"\nargs = ["--root=D:\\data\\"x"]`],
])('a path of Windows in %s keeps its backslashes', (_form, text) => {
  expect(read(text)).toEqual({
    notes: { type: 'stdio', command: String.raw`C:\tools\new\notes.exe`, args: [String.raw`--root=D:\data"x`] },
  });
});

test.each([
  ['another shell', 'set -gx LEVEL info\nnpx -y notes-mcp'],
  ['Windows, for later shells', 'setx LEVEL "info"\nnpx -y notes-mcp'],
  ['Windows, in one line', 'set LEVEL=info&& npx -y notes-mcp'],
  ['a shell, in one line', 'export LEVEL=info && npx -y notes-mcp'],
])('a variable is set as in %s', (_shell, text) => {
  expect(read(text)).toEqual({ notes: { ...NOTES, env: { LEVEL: 'info' } } });
});

test.each([
  'npx -y notes-mcp 2>/dev/null',
  'npx -y notes-mcp >>log.txt',
  'npx -y notes-mcp &>/dev/null',
  'npx -y notes-mcp < ~/input',
])('%s needs a shell', (text) => {
  expect(readPaste(text)).toEqual({ ok: false, detail: expect.stringContaining('without a shell') });
});

test.each<[string, string, JsonObject]>([
  [
    'a version of a package',
    'uvx "notes-mcp>=1.2,<2" --fast',
    { type: 'stdio', command: 'uvx', args: ['notes-mcp>=1.2,<2', '--fast'] },
  ],
  ['a pinned package', 'uvx notes-mcp==1.2', { type: 'stdio', command: 'uvx', args: ['notes-mcp==1.2'] }],
  ['an address in brackets', '<https://notes.example/mcp>', { type: 'mcp', url: 'https://notes.example/mcp' }],
  ['an address in quotes', '"https://notes.example/mcp"', { type: 'mcp', url: 'https://notes.example/mcp' }],
  [
    'a gateway of containers',
    '{"notes":{"command":"docker","args":["mcp","gateway","run"]}}',
    { type: 'stdio', command: 'docker', args: ['mcp', 'gateway', 'run'] },
  ],
  [
    'a tool of the API of a model',
    '{"type":"mcp","server_label":"notes","server_url":"https://notes.example/mcp","authorization":"hidden-4711"}',
    { type: 'mcp', url: 'https://notes.example/mcp', headers: { Authorization: 'Bearer hidden-4711' } },
  ],
  [
    'a server of another API',
    '{"mcp_servers":[{"type":"url","name":"notes","url":"https://notes.example/mcp","authorization_token":"Basic x"}]}',
    { type: 'mcp', url: 'https://notes.example/mcp', headers: { Authorization: 'Basic x' } },
  ],
])('%s', (_what, text, entry) => {
  expect(read(text)).toEqual({ notes: entry });
});

test('a client that tests servers is none, and the server beside it is read', () => {
  const inspect = 'npx @modelcontextprotocol/inspector npx -y notes-mcp';
  expect(readPaste(inspect)).toEqual({ ok: false, detail: expect.stringContaining('is a client') });
  expect(read(`\`\`\`sh\nnpx -y notes-mcp\n\`\`\`\nTo debug:\n\`\`\`sh\n${inspect}\n\`\`\``)).toEqual({ notes: NOTES });
});

test.each<[string, string, JsonObject]>([
  ['texts', '["LEVEL=info","MODE=a=b"]', { LEVEL: 'info', MODE: 'a=b' }],
  [
    'names and values',
    '[{"name":"LEVEL","value":"info"},{"key":"PORT","value":3000}]',
    { LEVEL: 'info', PORT: '3000' },
  ],
])('variables in a list of %s are kept', (_what, env, kept) => {
  expect(read(`{"notes":{"command":"npx","args":["-y","notes-mcp"],"env":${env}}}`)).toEqual({
    notes: { ...NOTES, env: kept },
  });
});

test.each(['["X-Team: blue","X-Mode=fast"]', '[{"name":"X-Team","value":"blue"},{"key":"X-Mode","value":"fast"}]'])(
  'headers in the list %s are kept',
  (headers) => {
    expect(read(`{"notes":{"url":"https://notes.example/mcp","headers":${headers}}}`)).toEqual({
      notes: { type: 'mcp', url: 'https://notes.example/mcp', headers: { 'X-Team': 'blue', 'X-Mode': 'fast' } },
    });
  },
);

test.each(['retries = 5', 'notes.level = "info"'])('the setting %s is no program', (text) => {
  expect(readPaste(text)).toMatchObject({ ok: false });
});

test('a detached container is named in a note', () => {
  const paste = readPaste('docker run -d -p 8080:8080 --name notes acme/notes');
  expect(paste.ok && paste.servers[0]?.notes).toContainEqual(expect.stringContaining('`-d` detaches the container'));
});

test.each([
  ['an option', '["-y","notes-mcp","--headers={\\"X-Api-Key\\":\\"plain\\"}"]'],
  ['a variable of a container', '["run","-i","-e","HEADERS={\\"Authorization\\":\\"Bearer plain\\"}","acme/notes"]'],
])('a secret in JSON behind %s becomes a variable', (_where, args) => {
  const paste = readPaste(`{"notes":{"command":"docker","args":${args}}}`);
  const { servers, variables } = planServers(paste.ok ? paste.servers : [], { taken: [], isSet: () => false });
  expect(variables.map(({ value }) => value)).toEqual(['plain']);
  expect(JSON.stringify(servers)).not.toContain('plain');
});

test('a text of open quotes is read in time that grows with its length', () => {
  for (const part of ['"\\', '"C:\\', '\\"', '"\n', '> "', '...\n']) {
    expect(readPaste(`{"a":${part.repeat(30_000)}`)).toMatchObject({ ok: false });
  }
});
