import { expect, test } from 'vitest';
import { readPaste } from './read-paste.ts';

const FILES = { type: 'stdio', command: 'npx', args: ['-y', '@modelcontextprotocol/server-filesystem', '/srv/docs'] };

function read(text: string, kind?: 'mcp' | 'openapi') {
  const paste = readPaste(text, kind);
  if (!paste.ok) throw new Error(paste.detail);
  return paste.servers;
}

test.each([
  [
    'Claude Desktop',
    '{"mcpServers":{"files":{"command":"npx","args":["-y","@modelcontextprotocol/server-filesystem","/srv/docs"]}}}',
  ],
  [
    'VS Code, with comments and trailing commas',
    `{
  // The folder of the team.
  "servers": {
    "files": { "type": "stdio", "command": "npx", "args": ["-y", "@modelcontextprotocol/server-filesystem", "/srv/docs"], },
  },
  "inputs": [],
}`,
  ],
  [
    'settings of VS Code',
    '{"mcp":{"servers":{"files":{"command":"npx","args":["-y","@modelcontextprotocol/server-filesystem","/srv/docs"]}}}}',
  ],
  [
    'entries without their holder',
    '{"files":{"command":"npx","args":["-y","@modelcontextprotocol/server-filesystem","/srv/docs"]}}',
  ],
  [
    'an entry without braces',
    '"files": {"command":"npx","args":["-y","@modelcontextprotocol/server-filesystem","/srv/docs"]},',
  ],
  ['YAML', 'mcpServers:\n  files:\n    command: npx -y @modelcontextprotocol/server-filesystem /srv/docs\n'],
])('%s is read', (_client, text) => {
  expect(read(text)).toEqual([{ name: 'files', entry: FILES, notes: [] }]);
});

test('a remote server keeps its address and headers, and says what is lost', () => {
  const [one] = read(
    '{"mcpServers":{"tracker":{"type":"sse","serverUrl":"https://tracker.example.com/mcp","headers":{"X-Team":"a"},"timeout":5,"disabled":true}}}',
  );
  expect(one?.entry).toEqual({ type: 'mcp', url: 'https://tracker.example.com/mcp', headers: { 'X-Team': 'a' } });
  expect(one?.notes).toEqual([
    expect.stringContaining('disabled'),
    expect.stringContaining('timeout'),
    expect.stringContaining('SSE'),
  ]);
});

test('a command is read with quotes and variables, and named by its package', () => {
  expect(read(`$ TEAM='a b' npx -y @modelcontextprotocol/server-filesystem@2.1 "/srv/my docs" a\\ b`)).toEqual([
    {
      name: 'filesystem',
      entry: {
        type: 'stdio',
        command: 'npx',
        args: ['-y', '@modelcontextprotocol/server-filesystem@2.1', '/srv/my docs', 'a b'],
        env: { TEAM: 'a b' },
      },
      notes: [],
    },
  ]);
  expect(read('docker run -i --rm ghcr.io/github/github-mcp-server:latest')[0]?.name).toBe('github');
});

test.each([
  ['https://mcp.example.com/mcp', undefined, 'example', { type: 'mcp', url: 'https://mcp.example.com/mcp' }],
  [
    'https://api.shop.com/openapi.json',
    undefined,
    'shop',
    { type: 'openapi', document: 'https://api.shop.com/openapi.json' },
  ],
  ['https://shop.com/docs', 'openapi', 'shop', { type: 'openapi', document: 'https://shop.com/docs' }],
  ['apis/billing.yaml', undefined, 'billing', { type: 'openapi', document: 'apis/billing.yaml' }],
] as const)('the address %s is read', (text, kind, name, entry) => {
  expect(read(text, kind)).toEqual([{ name, entry, notes: [] }]);
});

test.each([
  ['{"mcpServers":{"a":{"command":"x"}', 'The JSON has an error'],
  ['{"mcpServers":{}}', 'no tool server in it'],
  ['{"mcpServers":{"a":{"command":"x"},"b":{"token":"hidden"}}}', '"b" has no `command`'],
  ['npx "a', 'a quote that is not closed'],
  ['npx a | tee b', 'without a shell'],
])('%s is refused', (text, detail) => {
  const paste = readPaste(text);
  expect(paste).toEqual({ ok: false, detail: expect.stringContaining(detail) });
  expect(JSON.stringify(paste)).not.toContain('hidden');
});

test.each([
  ['npx -y @team/hub@2', 'hub'],
  [`npx ${'@'.repeat(60_000)}/hub@latest`, 'hub'],
  ['docker run registry:5000/team/hub:1@sha256:abc', 'hub'],
])('the program of a command is named without its version', (line, name) => {
  expect(read(line)[0]?.name).toBe(name);
});
