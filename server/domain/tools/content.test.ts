// What models and callers see of a result of an MCP server, whatever its content is.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../shared/json.ts';
import { CANARY_KEY } from '../../test/index.ts';
import { serveNewest, serveTools } from './mcp-servers.testing.ts';
import { answeredOf } from './mcp/content.ts';
import { givenTools, type ToolsTestServer } from './tools.testing.ts';

const FILE = { type: 'resource', resource: { uri: 'repo://o/r/README.md', mimeType: 'text/markdown', text: '# Desk' } };
const WORDS = { type: 'text', text: 'successfully downloaded text file' };

async function messageOf(request: IncomingMessage): Promise<JsonObject> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return JSON.parse(text) as JsonObject;
}

function answer(response: ServerResponse, id: unknown, result: JsonObject): void {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
}

/** A server of an older or the newest revision whose tool `add` returns the result as it is. */
async function given(revision: 'older' | 'newest', result: JsonObject): Promise<ToolsTestServer> {
  if (revision === 'newest') {
    const server = await serveNewest({
      guard(request, response) {
        if (request.headers['mcp-method'] !== 'tools/call') return false;
        void messageOf(request).then(({ id }) => answer(response, id, { resultType: 'complete', ...result }));
        return true;
      },
    });
    return givenTools({ calc: { type: 'mcp', url: server.url.href } });
  }
  const url = await serveTools([{ name: 'add', inputSchema: { type: 'object' } }], () => result);
  return givenTools({ calc: { type: 'mcp', url: url.href } });
}

const RESULTS: readonly [string, JsonObject, JsonObject][] = [
  [
    'the text of an embedded resource is text',
    { content: [WORDS, FILE] },
    { text: 'successfully downloaded text file\n# Desk', answer: 'successfully downloaded text file' },
  ],
  [
    'a resource alone is the answer, as JSON if its text is JSON',
    { content: [{ type: 'resource', resource: { uri: 'x://1', text: '{"n":1}' } }] },
    { text: '{"n":1}', answer: { n: 1 } },
  ],
  [
    'the bytes of a text are text, and others a placeholder',
    {
      content: [
        { type: 'resource', resource: { uri: 'x://1', mimeType: 'text/csv; charset=utf-8', blob: 'YTtiCsO8OzE=' } },
        { type: 'resource', resource: { uri: 'x://2', mimeType: 'application/vnd.x+json', blob: 'eyJuIjoxfQ==' } },
        { type: 'resource', resource: { uri: 'x://3', mimeType: 'text/plain', blob: '/w==' } },
        { type: 'resource', resource: { uri: 'x://4', mimeType: 'image/png', blob: 'AAAA' } },
      ],
    },
    {
      text: 'a;b\nü;1\n{"n":1}\n[resource x://3, text/plain, 1 bytes]\n[resource x://4, image/png, 3 bytes]',
      answer: 'a;b\nü;1',
    },
  ],
  [
    'the text of a resource takes precedence over structured content',
    { content: [FILE], structuredContent: { size: 6 } },
    { text: '# Desk', answer: { size: 6 } },
  ],
  [
    'blocks that are unknown or incomplete are placeholders beside the rest',
    { content: [{ type: 'chart', points: [1] }, FILE, { type: 'text' }, { type: 'image' }, null, 'bare', WORDS] },
    {
      text: '[chart content]\n# Desk\n[text content]\n[image of no named type, 0 bytes]\n[unknown content]\n[unknown content]\nsuccessfully downloaded text file',
    },
  ],
  [
    'content that is null, beside structured content',
    { content: null, structuredContent: { n: 1 } },
    { text: '{"n":1}', answer: { n: 1 } },
  ],
  ['no content, beside structured content', { structuredContent: { n: 1 } }, { text: '{"n":1}', answer: { n: 1 } }],
  ['structured content that is a list', { content: [], structuredContent: [1] }, { text: '[1]', answer: [1] }],
  ['content that is null alone', { content: null }, { text: '' }],
  [
    'an error with an unknown block',
    { isError: true, content: [{ type: 'chart' }, WORDS] },
    { outcome: 'tool_error', text: '[chart content]\nsuccessfully downloaded text file' },
  ],
];

describe.each(['older', 'newest'] as const)('given an MCP server of the %s revision', (revision) => {
  test.each(RESULTS)('%s', async (_what, result, seen) => {
    const { ask } = await given(revision, result);
    const executed = await ask('execute', { server: 'calc', tool: 'add' });
    expect(executed).toMatchObject({ outcome: 'result', ...seen });
  });
});

test('secrets are removed from the text of a resource, and a long one is cut with a note', async () => {
  const url = await serveNewest({
    guard(request, response) {
      if (request.headers['mcp-method'] !== 'tools/call') return false;
      const text = `key ${CANARY_KEY} ${'x'.repeat(100_000)}`;
      void messageOf(request).then(({ id }) =>
        answer(response, id, { resultType: 'complete', content: [{ ...FILE, resource: { uri: 'x://1', text } }] }),
      );
      return true;
    },
  });
  const entry = { type: 'mcp', url: url.url.href, headers: { authorization: '${TOKEN}' } };
  const { ask } = await givenTools({ calc: entry }, { environment: { TOKEN: CANARY_KEY } });
  expect(await ask('execute', { server: 'calc', tool: 'add' })).toMatchObject({
    text: expect.stringMatching(/^key \*\*\* x+\n\[Truncated: the first 65536 of 100008 bytes are shown\.\]$/),
  });
});

test.each<[JsonObject, string]>([
  [
    { type: 'resource', resource: { uri: 'x://1', mimeType: 'image/png', blob: 'AAAA' } },
    '[resource x://1, image/png, 3 bytes]',
  ],
  [{ type: 'resource', resource: { uri: 'x://1', blob: 'AAAA' } }, '[resource x://1, of no named type, 3 bytes]'],
  [{ type: 'resource', resource: { uri: 'x://1' } }, '[resource x://1]'],
  [{ type: 'resource', resource: null }, '[resource without a name]'],
  [{ type: 'resource_link', uri: 'x://1' }, '[link to the resource x://1]'],
  [{ type: 'audio', mimeType: 'audio/wav', data: 'AAAA' }, '[audio audio/wav, 3 bytes]'],
])('%j is a placeholder', (block, text) => {
  expect(answeredOf({ content: [block] }, undefined)).toMatchObject({ parts: [{ text, isText: false }] });
});
