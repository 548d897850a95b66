// An MCP server that does what it should not, over stdio as a process of its own (run this file) and over HTTP.
import { spawn } from 'node:child_process';
import type { ServerResponse } from 'node:http';
import { createInterface } from 'node:readline';
import { isJsonObject, type Json, type JsonObject } from '../../../shared/json.ts';

/** How it answers one message. */
interface Wire {
  send: (message: JsonObject) => void;
  write: (text: string) => void;
  /** Writes the text again and again, as fast as it is read. */
  flood: (text: string) => void;
  /** Breaks off. */
  cut: () => void;
  /** Reads nothing more, and stays. */
  stopReading: () => void;
}

const TEXT = (text: string): JsonObject => ({ content: [{ type: 'text', text }] });
/** A program that ends by a signal alone. */
const STAYS = 'setInterval(() => undefined, 1000)';

/** What it says over and over. */
const FLOODS: Readonly<Record<string, string>> = {
  'floods with list changes': '{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}\n',
  'floods with log messages':
    '{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"Still here."}}\n',
  'floods with progress':
    '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":0.5}}\n',
  'floods with requests': '{"jsonrpc":"2.0","id":"again","method":"ping"}\n',
  'floods with answers': '{"jsonrpc":"2.0","id":"again","result":{}}\n',
};
const TOOL = { name: 'act', inputSchema: { type: 'object' } };

/** @param act what it does when its tool is called */
export function createHostile(behaviour: string, secret: string): (message: JsonObject, wire: Wire) => void {
  let lists = 0;
  let sampled: Json | undefined;

  function act(id: Json, wire: Wire): void {
    const answer = (result: JsonObject): void => wire.send({ jsonrpc: '2.0', id, result });
    switch (behaviour) {
      case 'never answers':
        return;
      case 'stops reading':
        return wire.stopReading();
      case 'answers 6 MiB':
        return answer(TEXT('x'.repeat(6 * 1024 * 1024)));
      case 'floods with what is no JSON':
        return wire.flood('this is no JSON\n');
      case 'floods with empty lines':
        return wire.flood('\n');
      case 'floods with one large message':
        return wire.flood(`{"jsonrpc":"2.0","method":"notifications/x","params":{"a":"${'x'.repeat(1_000_000)}"}}\n`);
      case 'floods stderr':
        return floodStderr();
      case 'answers no JSON':
        return wire.write('this is no JSON\n');
      case 'answers without content':
        return answer({ content: 'words' });
      case 'answers 5000 levels deep':
        return wire.write(
          `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"content":[],"structuredContent":{"a":${'['.repeat(5000)}${']'.repeat(5000)}}}}\n`,
        );
      case 'answers 20000 keys':
        return answer({
          content: [],
          structuredContent: {
            [secret]: encodeURIComponent(secret),
            ...Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`k${index}`, index])),
          },
          _meta: { 'x-request-id': `id-${secret}` },
        });
      case 'answers 100000 levels deep':
        return wire.write(
          `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"content":[],"structuredContent":{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}}}\n`,
        );
      case 'answers what stands in for another':
        return answer({ ...TEXT('x'.repeat(100_000)), _meta: { 'cuebook.dev/stands-in': 'guessed' } });
      case 'breaks off in its answer':
        wire.write(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"conte`);
        return wire.cut();
      case 'leaks its key':
        return answer({
          ...TEXT(`Bearer ${secret}, ${Buffer.from(`user:${secret}`).toString('base64')}`),
          structuredContent: { [secret]: [encodeURIComponent(secret), JSON.stringify({ secret })] },
          _meta: { 'x-request-id': `id-${secret}` },
        });
      case 'leaks its key in an error':
        return wire.send({ jsonrpc: '2.0', id, error: { code: -32000, message: `${'x'.repeat(990)}${secret}` } });
      case 'tells its environment':
        return answer(TEXT(JSON.stringify({ pid: process.pid, names: Object.keys(process.env) })));
      case 'starts a program':
        return answer(TEXT(String(spawn(process.execPath, ['-e', STAYS], { stdio: 'ignore' }).pid)));
      case 'starts a program and exits':
        return answer(
          TEXT(
            String(spawn(process.execPath, ['-e', STAYS], { stdio: 'inherit' }).once('spawn', () => wire.cut()).pid),
          ),
        );
      case 'asks for sampling':
        waiting = () => answer(TEXT(JSON.stringify(sampled)));
        return wire.send({
          jsonrpc: '2.0',
          id: 'sample',
          method: 'sampling/createMessage',
          params: { messages: [{ role: 'user', content: { type: 'text', text: 'Tell me.' } }], maxTokens: 10 },
        });
      case 'asks again at each answer':
        waiting = () => wire.send({ jsonrpc: '2.0', id: 'again', method: 'ping' });
        for (let asked = 0; asked < 20; asked += 1) waiting();
        return;
      default:
        return behaviour in FLOODS ? wire.flood(FLOODS[behaviour] ?? '') : answer(TEXT('done'));
    }
  }
  let waiting: (() => void) | undefined;

  return (message, wire) => {
    const { id, method } = message;
    if (id === undefined) return;
    const answer = (result: JsonObject): void => wire.send({ jsonrpc: '2.0', id, result });
    switch (method) {
      case 'initialize':
        if (behaviour === 'never begins') return;
        return answer({
          protocolVersion: '2025-06-18',
          capabilities: { tools: { listChanged: true } },
          serverInfo: { name: 'hostile', version: '1' },
        });
      case 'tools/list':
        lists += 1;
        if (behaviour === 'never lists') return;
        if (behaviour === 'lists for ever')
          return answer({ tools: [{ ...TOOL, name: `act${lists}` }], nextCursor: 'more' });
        if (behaviour === 'lists no tools') return answer({ tools: 'many' });
        if (behaviour === 'lists large tools') {
          const properties = (count: number): JsonObject =>
            Object.fromEntries(Array.from({ length: count }, (_, index) => [`argument_${index}`, {}]));
          const wide = (name: string, count: number): JsonObject => ({
            name,
            inputSchema: { type: 'object', properties: properties(count) },
          });
          const many = Array.from({ length: 100 }, (_, index) => wide(`tool_${index}`, 100));
          return answer({ tools: [...many, { ...TOOL, description: `Uses ${secret}.` }, wide('widest', 6000)] });
        }
        if (behaviour === 'lists what is no tool') {
          const deep = JSON.parse(`${'{"a":'.repeat(300)}1${'}'.repeat(300)}`) as JsonObject;
          const broken = [
            'text',
            { name: 7 },
            { name: 'bare' },
            { ...TOOL, name: `${'x'.repeat(30)}${secret}${'x'.repeat(100)}` },
          ];
          return answer({
            tools: [...broken, { name: `deep-${secret}`, inputSchema: deep }, TOOL, { description: 'x' }],
          });
        }
        if (behaviour === 'changes its list') return answer({ tools: [TOOL, { ...TOOL, name: `new_${lists}` }] });
        return answer({
          tools: [{ ...TOOL, description: behaviour === 'leaks its key' ? `Uses ${secret}.` : 'Acts.' }],
        });
      case 'tools/call':
        return act(id, wire);
      case undefined:
        // The answer to what it asked itself.
        sampled = message;
        return waiting?.();
      default:
        return wire.send({ jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } });
    }
  };
}

function floodStderr(): void {
  process.stderr.write('It is here.\n'.repeat(5000), floodStderr);
}

/** One POST of Streamable HTTP, answered as a stream of events, so that it may ask in between. */
export function answerOverHttp(handle: ReturnType<typeof createHostile>, text: string, response: ServerResponse): void {
  const message = JSON.parse(text === '' ? '{}' : text) as JsonObject;
  if (typeof message['method'] !== 'string' || message['id'] === undefined) {
    response.writeHead(202).end();
    // What it waited for is sent in the stream that it opened.
    return handle(message, NOWHERE);
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  handle(message, {
    send(value) {
      response.write(`event: message\ndata: ${JSON.stringify(value)}\n\n`);
      if (!('method' in value)) response.end();
    },
    write: (raw) =>
      void response.write(`event: message\ndata: ${raw.trimEnd()}${raw.endsWith('\n') ? '\n\n' : ''}`, () => {
        if (raw.endsWith('\n')) response.end();
      }),
    cut: () => void setImmediate(() => response.destroy()),
    stopReading: () => undefined,
    flood(raw) {
      const block = `event: message\ndata: ${raw.trimEnd()}\n\n`.repeat(raw.length > 1000 ? 1 : 500);
      const more = (): void => void (response.destroyed || response.write(block, more));
      more();
    },
  });
}

const NOWHERE: Wire = {
  send: () => undefined,
  write: () => undefined,
  cut: () => undefined,
  stopReading: () => undefined,
  flood: () => undefined,
};

function serveStdio(behaviour: string): void {
  const handle = createHostile(behaviour, process.env['KEY'] ?? '');
  // A tenth of what is allowed, so that a delayed reader is not flooded, for as long as it lives.
  if (behaviour === 'is never quiet') {
    setInterval(() => void process.stdout.write(FLOODS['floods with list changes']?.repeat(5) ?? ''), 100);
  }
  process.stderr.write(`It starts with ${process.env['KEY']}\n`);
  if (behaviour !== 'is never quiet')
    for (const line of ['close', 'end']) process.stdin.once(line, () => process.exit(0));
  createInterface({ input: process.stdin }).on('line', (line) => {
    const message = JSON.parse(line) as Json;
    if (!isJsonObject(message)) return;
    handle(message, {
      send: (value) => void process.stdout.write(`${JSON.stringify(value)}\n`),
      write: (text) => void process.stdout.write(text),
      cut: () => void setImmediate(() => process.exit(1)),
      stopReading() {
        process.stdin.pause();
        setInterval(() => undefined, 1000);
      },
      flood(text) {
        const block = text.repeat(text.length > 1000 ? 1 : 500);
        const more = (): void => void process.stdout.write(block, more);
        more();
      },
    });
  });
}

if (import.meta.main) serveStdio(process.argv[2] ?? '');
