// An MCP server over stdio that answers as a hostile one would: `node tool-server.ts MODE`.
import { createInterface } from 'node:readline';

const MIB = 1024 * 1024;
const text = (words: string): object => ({ content: [{ type: 'text', text: words }] });
const structured = (value: string): string => `{"content":[],"structuredContent":${value}}`;
const times = (count: number, piece: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => piece(index)).join(',');

/** By the name of the tool: its result, as JSON. */
export const TOOL_ANSWERS: Readonly<Record<string, () => string>> = {
  'keys-250000': () => structured(`{${times(250_000, (index) => `"k${index}":${index}`)}}`),
  'same-key-250000': () => structured(`{${times(250_000, () => '"k":1')}}`),
  'empty-lists-1000000': () => structured(`{"a":[${'[],'.repeat(MIB)}[]]}`),
  'empty-objects-1000000': () => structured(`{"a":[${'{},'.repeat(MIB)}{}]}`),
  'numbers-1500000': () => structured(`{"a":[${'1,'.repeat(1_500_000)}1]}`),
  'deep-190': () => structured(`{"a":${'['.repeat(190)}${']'.repeat(190)}}`),
  'deep-100000': () => structured(`{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`),
  'deep-objects-100000': () => structured(`{"a":${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}}`),
  'wide-and-deep': () => structured(`{"a":[${times(5000, () => `${'['.repeat(190)}${']'.repeat(190)}`)}]}`),
  'parts-100000': () => `{"content":[${times(60_000, () => '{"type":"text","text":"a"}')}]}`,
  'images-10000': () => `{"content":[${times(10_000, () => '{"type":"image","data":"QUJD","mimeType":"image/png"}')}]}`,
  'text-4-mib': () => JSON.stringify(text('x'.repeat(4 * MIB - 100))),
  'text-of-json': () => JSON.stringify(text(`{${times(200_000, (index) => `"k${index}":${index}`)}}`)),
  'text-of-brackets': () => JSON.stringify(text('['.repeat(2 * MIB))),
  'text-of-quotes': () => JSON.stringify(text('"'.repeat(MIB))),
  'text-of-escapes': () => `{"content":[{"type":"text","text":"${'\\u0061'.repeat(600_000)}"}]}`,
  'text-of-emoji': () => JSON.stringify(text('😀'.repeat(500_000))),
  'text-of-lone-surrogates': () => `{"content":[{"type":"text","text":"${'\\ud83d'.repeat(600_000)}"}]}`,
  'long-keys': () => structured(`{${times(40, (index) => `"${'k'.repeat(90_000)}${index}":1`)}}`),
  'prototype-keys': () => structured(`{${times(100_000, (index) => `"__proto__${index}":{"constructor":1}`)}}`),
  'too-large-6-mib': () => JSON.stringify(text('x'.repeat(6 * MIB))),
  'resources-20000': () =>
    `{"content":[${times(20_000, (index) => `{"type":"resource_link","uri":"file:///${index}","name":"a"}`)}]}`,
};

type Send = (line: string) => void;
type Id = string | number;

const tool = (name: string, more: object = {}): object => ({
  name,
  description: '',
  inputSchema: { type: 'object' },
  ...more,
});

function toolsOf(mode: string): object[] {
  switch (mode) {
    case 'answers':
      return Object.keys(TOOL_ANSWERS).map((name) => tool(name));
    case 'many':
      return Array.from({ length: 2000 }, (_, index) =>
        tool(`tool_${index}_with_a_name`, {
          description: 'It does what it does. '.repeat(10),
          inputSchema: {
            type: 'object',
            properties: Object.fromEntries(
              Array.from({ length: 15 }, (_unused, place) => [`argument_${place}_of_${index}`, { type: 'string' }]),
            ),
          },
        }),
      );
    default:
      return [tool('act')];
  }
}

function answerCall(mode: string, name: string, id: Id, send: Send): void {
  if (mode === 'flood') flood(send);
  const result = TOOL_ANSWERS[name]?.() ?? JSON.stringify(text('done'));
  send(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`);
}

/** List changes as fast as they are taken. */
function flood(send: Send): void {
  const block = Array.from({ length: 500 }, () => '{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}').join(
    '\n',
  );
  const more = (): void => {
    send(block);
    setImmediate(more);
  };
  more();
}

function serve(mode: string): void {
  const send: Send = (line) => void process.stdout.write(`${line}\n`);
  for (const end of ['close', 'end']) process.stdin.once(end, () => process.exit(0));
  process.stdout.on('error', () => process.exit(0));
  createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method, params } = JSON.parse(line) as { id?: Id; method?: string; params?: { name?: string } };
    if (id === undefined) return;
    const answer = (result: object): void => send(JSON.stringify({ jsonrpc: '2.0', id, result }));
    switch (method) {
      case 'initialize':
        return answer({
          protocolVersion: '2025-06-18',
          capabilities: { tools: { listChanged: true } },
          serverInfo: { name: 'hostile', version: '1' },
        });
      case 'tools/list':
        return answer({ tools: toolsOf(mode) });
      case 'tools/call':
        return answerCall(mode, params?.name ?? '', id, send);
      default:
        return send(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32_601, message: 'Method not found' } }));
    }
  });
}

if (import.meta.main) serve(process.argv[2] ?? '');
