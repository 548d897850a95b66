// What clients and READMEs hold, in their own forms: each is the server that is meant.
import { expect, test } from 'vitest';
import type { JsonObject } from '../../../../shared/json.ts';
import { readPaste } from './read-paste.ts';

type Read = Record<string, JsonObject>;

function read(text: string): Read {
  const paste = readPaste(text);
  if (!paste.ok) throw new Error(paste.detail);
  return Object.fromEntries(paste.servers.map(({ name, entry }) => [name, entry]));
}

function notesOf(text: string): string[] {
  const paste = readPaste(text);
  return paste.ok ? paste.servers.flatMap(({ notes }) => notes) : [];
}

const base64 = (value: JsonObject): string => Buffer.from(JSON.stringify(value)).toString('base64');
const program = (...words: string[]): JsonObject => {
  const [command = '', ...args] = words;
  return { type: 'stdio', command, ...(args.length === 0 ? {} : { args }) };
};
const NOTES = program('npx', '-y', 'notes-mcp');

test.each<[string, string, Read]>([
  ['claude mcp add', 'claude mcp add notes -- npx -y notes-mcp', { notes: NOTES }],
  ['without `--`', 'claude mcp add notes npx -y notes-mcp', { notes: NOTES }],
  [
    'with variables before and after the name, and a scope',
    'claude mcp add -s user --env LEVEL=info notes -e MODE=fast TEAM=blue -- cmd /c npx -y notes-mcp',
    { notes: { ...NOTES, env: { LEVEL: 'info', MODE: 'fast', TEAM: 'blue' } } },
  ],
  [
    'over several lines, with a prompt',
    '$ claude mcp add --transport=stdio notes \\\n    -- npx -y notes-mcp',
    { notes: NOTES },
  ],
  [
    'of a remote server, with headers after the address',
    'claude mcp add --transport http notes https://notes.example/mcp -H "X-Team: blue" "X-Mode: fast" --scope project',
    { notes: { type: 'mcp', url: 'https://notes.example/mcp', headers: { 'X-Team': 'blue', 'X-Mode': 'fast' } } },
  ],
  [
    'of a container, whose options are its own',
    'claude mcp add notes docker run -i --rm -e LEVEL=info acme/notes',
    { notes: program('docker', 'run', '-i', '--rm', '-e', 'LEVEL=info', 'acme/notes') },
  ],
  [
    'claude mcp add-json',
    `claude mcp add-json notes '{"type":"stdio","command":"npx","args":["-y","notes-mcp"]}' -s user`,
    { notes: NOTES },
  ],
  [
    'codex mcp add',
    'codex mcp add notes --env LEVEL=info -- npx -y notes-mcp',
    { notes: { ...NOTES, env: { LEVEL: 'info' } } },
  ],
  [
    'codex mcp add of an address',
    'codex mcp add notes --url https://notes.example/mcp --bearer-token-env-var NOTES_TOKEN',
    { notes: { type: 'mcp', url: 'https://notes.example/mcp', headers: { Authorization: 'Bearer ${NOTES_TOKEN}' } } },
  ],
  [
    'gemini mcp add',
    'gemini mcp add --trust -e LEVEL=info --include-tools read,list notes npx -y notes-mcp',
    { notes: { ...NOTES, env: { LEVEL: 'info' }, allowed: ['read', 'list'] } },
  ],
  ['another client', 'amp mcp add notes -- npx -y notes-mcp', { notes: NOTES }],
  ['code --add-mcp', `code --add-mcp '{"name":"notes","command":"npx","args":["-y","notes-mcp"]}'`, { notes: NOTES }],
  [
    'code --add-mcp in PowerShell',
    `code --add-mcp '{\\"name\\":\\"notes\\",\\"command\\":\\"npx\\",\\"args\\":[\\"-y\\",\\"notes-mcp\\"]}'`,
    { notes: NOTES },
  ],
  [
    'several lines of commands',
    '# both\nclaude mcp add notes -- npx -y notes-mcp\nclaude mcp add mail -- uvx mail-mcp',
    { notes: NOTES, mail: program('uvx', 'mail-mcp') },
  ],
])('a command of a client: %s', (_what, text, servers) => {
  expect(read(text)).toEqual(servers);
});

test.each<[string, string, Read]>([
  [
    'variables that are exported before',
    '# once\nexport LEVEL=info MODE="very fast"\nTEAM=blue npx -y notes-mcp # now',
    { notes: { ...NOTES, env: { LEVEL: 'info', MODE: 'very fast', TEAM: 'blue' } } },
  ],
  [
    'PowerShell',
    '$env:LEVEL = "info"\nPS C:\\Users\\me> npx -y notes-mcp `\n  --fast',
    { notes: { ...program('npx', '-y', 'notes-mcp', '--fast'), env: { LEVEL: 'info' } } },
  ],
  ['the command line of Windows', 'cmd /c npx -y notes-mcp', { notes: NOTES }],
  ['a path of Windows', 'C:\\tools\\notes.exe --stdio', { notes: program('C:\\tools\\notes.exe', '--stdio') }],
  ['`env`', 'env LEVEL=info npx -y notes-mcp', { notes: { ...NOTES, env: { LEVEL: 'info' } } }],
  ['an own program', 'notes-mcp-server --root /srv', { notes: program('notes-mcp-server', '--root', '/srv') }],
  ['an item of a list, as code', '1. Install Node.\n2. Run `npx -y notes-mcp` and wait.', { notes: NOTES }],
  ['a prompt with a host', 'me@host:~/src$ npx -y notes-mcp', { notes: NOTES }],
  [
    'a program in quotes',
    '"C:\\Program Files\\notes\\notes.exe" --stdio',
    { notes: program('C:\\Program Files\\notes\\notes.exe', '--stdio') },
  ],
  ['words around it', 'Install it:\n\n    npx -y notes-mcp\n\nThen restart.', { notes: NOTES }],
  [
    'a container without input and with a terminal',
    'docker run --rm -it -e NOTES_TOKEN acme/notes:2',
    {
      notes: {
        ...program('docker', 'run', '--rm', '-i', '-e', 'NOTES_TOKEN', 'acme/notes:2'),
        env: { NOTES_TOKEN: '${NOTES_TOKEN}' },
      },
    },
  ],
])('a command: %s', (_what, text, servers) => {
  expect(read(text)).toEqual(servers);
});

test.each<[string, string, Read]>([
  [
    'comments after values',
    '{ "mcpServers": { "notes": { "command": "npx", "args": ["-y", "notes-mcp"], // the package\n "env": { "URL": "http://a/b" /* ours */, }, } } }',
    { notes: { ...NOTES, env: { URL: 'http://a/b' } } },
  ],
  [
    '`#` lines and words around it',
    'Add:\n# of the team\n{\n "mcpServers": { "notes": { "command": "npx -y notes-mcp" } }\n}\nand restart.',
    { notes: NOTES },
  ],
  ['arguments in one text', '{"notes":{"command":"npx","args":"-y notes-mcp"}}', { notes: NOTES }],
  ['an object of a program', "{ servers: { notes: { command: 'npx', args: ['-y', 'notes-mcp'] } } }", { notes: NOTES }],
  [
    'opencode',
    '{"mcp":{"notes":{"type":"local","command":["npx","-y","notes-mcp"],"environment":{"LEVEL":"info"},"enabled":true}}}',
    { notes: { ...NOTES, env: { LEVEL: 'info' } } },
  ],
  [
    'Zed',
    '{"context_servers":{"notes":{"source":"custom","command":{"path":"npx","args":["-y","notes-mcp"],"env":null}}}}',
    { notes: NOTES },
  ],
  [
    'Codex',
    `[mcp_servers.notes] # TOML
command = "npx"
args = ["-y", "notes-mcp"]
env = { LEVEL = "info" }
startup_timeout_sec = 90
enabled_tools = ["read"]

[mcp_servers.remote]
url = "https://notes.example/mcp"
bearer_token_env_var = "NOTES_TOKEN"
http_headers = { "X-Team" = "blue" }
`,
    {
      notes: { ...NOTES, env: { LEVEL: 'info' }, start_timeout: 'PT90S', allowed: ['read'] },
      remote: {
        type: 'mcp',
        url: 'https://notes.example/mcp',
        headers: { 'X-Team': 'blue', Authorization: 'Bearer ${NOTES_TOKEN}' },
      },
    },
  ],
  [
    'Goose',
    `extensions:
  developer: { type: builtin, enabled: true }
  notes:
    name: Notes
    type: stdio
    cmd: npx
    args: [-y, notes-mcp]
    envs: { LEVEL: info }
    env_keys: [NOTES_TOKEN]
  remote: { type: streamable_http, uri: "https://notes.example/mcp" }
`,
    {
      notes: { ...NOTES, env: { NOTES_TOKEN: '${NOTES_TOKEN}', LEVEL: 'info' } },
      remote: { type: 'mcp', url: 'https://notes.example/mcp' },
    },
  ],
  [
    'Continue',
    `name: Ours
version: 0.0.1
mcpServers:
  - name: notes
    command: npx
    args:
      - -y
      - notes-mcp
  - name: remote
    type: streamable-http
    url: https://notes.example/mcp
    requestOptions: { headers: { X-Team: blue } }
`,
    { notes: NOTES, remote: { type: 'mcp', url: 'https://notes.example/mcp', headers: { 'X-Team': 'blue' } } },
  ],
  [
    'the MCP registry, a package',
    JSON.stringify({
      name: 'io.example/notes',
      version: '1.2.0',
      packages: [
        {
          registryType: 'npm',
          identifier: '@acme/notes',
          version: '1.2.0',
          transport: { type: 'stdio' },
          packageArguments: [
            { type: 'named', name: '--mode', value: 'fast' },
            { type: 'positional', valueHint: 'folder', isRequired: true },
          ],
          environmentVariables: [{ name: 'NOTES_TOKEN', isRequired: true, isSecret: true }, { name: 'LEVEL' }],
        },
      ],
    }),
    {
      notes: {
        ...program('npx', '-y', '@acme/notes@1.2.0', '--mode', 'fast', '${input:folder}'),
        env: { NOTES_TOKEN: '${input:NOTES_TOKEN}' },
      },
    },
  ],
  [
    'the MCP registry, an address',
    JSON.stringify({
      server: {
        name: 'io.example/notes',
        remotes: [
          {
            type: 'streamable-http',
            url: 'https://notes.example/mcp',
            headers: [{ name: 'Authorization', value: 'Bearer {token}', variables: { token: { isSecret: true } } }],
          },
        ],
      },
    }),
    { notes: { type: 'mcp', url: 'https://notes.example/mcp', headers: { Authorization: 'Bearer ${input:token}' } } },
  ],
])('a configuration: %s', (_what, text, servers) => {
  expect(read(text)).toEqual(servers);
});

const CONFIG = { command: 'npx', args: ['-y', 'notes-mcp'] };

test.each([
  ['cursor:', `cursor://anysphere.cursor-deeplink/mcp/install?name=notes&config=${base64(CONFIG)}`],
  [
    'cursor: behind an image',
    `[![Add](https://cursor.com/deeplink/add.svg)](cursor://anysphere.cursor-deeplink/mcp/install?name=notes&config=${encodeURIComponent(base64(CONFIG))})`,
  ],
  ['a page of Cursor', `https://cursor.com/en/install-mcp?name=notes&config=${base64(CONFIG)}`],
  ['vscode:', `vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name: 'notes', ...CONFIG }))}`],
  [
    'a page of VS Code',
    `https://insiders.vscode.dev/redirect/mcp/install?name=notes&config=${encodeURIComponent(JSON.stringify(CONFIG))}`,
  ],
  [
    'a page that names the link',
    `https://vscode.dev/redirect?url=${encodeURIComponent(`vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name: 'notes', ...CONFIG }))}`)}`,
  ],
  [
    'a page of Cursor behind an image of the same host',
    `[![Add](https://cursor.com/deeplink/mcp-install-light.svg)](https://cursor.com/en-US/install-mcp?name=notes&config=${encodeURIComponent(base64(CONFIG))})`,
  ],
  [
    'a page of Goose behind an image',
    '[![Add](https://block.github.io/goose/img/extension.svg)](https://block.github.io/goose/extension?cmd=npx&arg=-y&arg=notes-mcp&id=notes&name=notes)',
  ],
  ['goose:', 'goose://extension?cmd=npx&arg=-y&arg=notes-mcp&id=notes&name=notes'],
])('an install link: %s', (_what, text) => {
  expect(read(text)).toEqual({ notes: NOTES });
});

test('code in a sentence or a list is read without its backticks', () => {
  const remote: Read = { notes: { type: 'mcp', url: 'https://notes.example/mcp' } };
  expect(read('Run `claude mcp add --transport http notes https://notes.example/mcp` to add it.')).toEqual(remote);
  expect(read('- Start it: `npx -y notes-mcp`\n- Read `README.md`, and set `LEVEL`.')).toEqual({ notes: NOTES });
  expect(read('claude mcp add notes `\n  -- npx `\n  -y notes-mcp')).toHaveProperty('notes');
});

test.each([
  '$env:LEVEL = "info"; npx -y notes-mcp',
  '$env:LEVEL="info"\nnpx -y notes-mcp',
  'export LEVEL=info; npx -y notes-mcp',
])('%s sets a variable of the server', (text) => {
  expect(read(text)).toEqual({ notes: { ...NOTES, env: { LEVEL: 'info' } } });
});

test('a client that serves its own tools is a server', () => {
  expect(read('claude mcp serve')).toEqual({ claude: program('claude', 'mcp', 'serve') });
  expect(read('codex mcp-server')).toEqual({ codex: program('codex', 'mcp-server') });
});

test('one command for each client adds one server, and other servers of a name are kept', () => {
  const commands = ['claude', 'codex', 'copilot'].map(
    (client) => `${client} mcp add notes -- npx -y notes-mcp # ${client}`,
  );
  const paste = readPaste(commands.join('\n'));
  expect(paste).toEqual({ ok: true, servers: [{ name: 'notes', entry: NOTES, notes: [] }] });
  const two = readPaste('npx -y notes-mcp /a\nnpx -y notes-mcp /b');
  expect(two.ok && two.servers.map(({ entry }) => entry['args'])).toEqual([
    ['-y', 'notes-mcp', '/a'],
    ['-y', 'notes-mcp', '/b'],
  ]);
});

test('blocks of a README are read, and one that describes a server again is named in a note', () => {
  const text = `Run it:

\`\`\`bash
npm install -g notes-mcp
claude mcp add notes -- npx -y notes-mcp
\`\`\`

or, in a container:

~~~json
{"mcpServers": {"notes": {"command": "docker", "args": ["run", "-i", "acme/notes"]}, "mail": {"command": "mail"}}}
~~~`;
  expect(read(text)).toEqual({ notes: NOTES, mail: program('mail') });
  expect(notesOf(text)).toEqual([expect.stringContaining('another line'), expect.stringContaining('several times')]);
});

test.each([
  ['memory'],
  ['please add the memory server'],
  ['Node 22 is required'],
  ['node 22 or newer is required'],
  ['npm install -g notes-mcp'],
  ['pip install notes-mcp'],
  ['git clone https://example.com/notes-mcp'],
  ['docker pull acme/notes'],
  ['claude mcp add'],
  ['claude mcp add notes'],
  ['claude mcp list'],
  ['/plugin install notes@acme'],
  ['goose session --with-extension "NOTES_TOKEN=hidden-4711 npx -y notes-mcp"'],
  ['claude mcp add-json notes "{}"'],
  [`code --add-mcp '{"name":"notes"}'`],
  ['npx -y @smithery/cli install notes --client claude'],
  ['# only a comment'],
  ['notes://add?x=1'],
  ['cursor://anysphere.cursor-deeplink/mcp/install?name=notes&config=bm90aGluZw=='],
  ['[tool.notes]\nname = "notes"'],
  ['name: notes\nversion: 1'],
  ['```\nnothing here\n```'],
  ['{"openapi":"3.1.0","paths":{}}'],
  ['[]'],
  ['hidden-4711'],
  ['notes.example/mcp'],
  ['localhost:3000/mcp'],
  ['1. notes'],
  ['[projects."/srv/notes"]\ntrust_level = "trusted"'],
])('%s is no server, and no program of that name', (text) => {
  const paste = readPaste(text);
  expect(paste).toEqual({ ok: false, detail: expect.stringMatching(/[a-z].*\.$|: \{.*\}\.$/) });
  expect(JSON.stringify(paste)).not.toContain('4711');
});
