// A server with an operation that receives uploads, and sockets that send what well-behaved clients never would.
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import pino from 'pino';
import Type from 'typebox';
import { createIds } from '../../kernel/ids.ts';
import { sha256 } from '../../kernel/contents/index.ts';
import { createFakeClock, systemClock } from '../../lib/clock.ts';
import { yieldToEventLoop } from '../../lib/event-loop.ts';
import { invalidInput, notFound } from '../../lib/rejection.ts';
import { DEVELOPER, defineOperation, defineUpload, makeCallable, type Operation } from '../../operations/index.ts';
import { temporaryFolder } from '../../test/index.ts';
import { addOperationRoutes, createBareServer } from './index.ts';
import { openReceivedFile } from './received-file.ts';
import { createUploadReceiver } from './upload.ts';

export const LIMIT = 64 * 1024 * 1024;
const DESCRIBED = {
  tag: 'Tests',
  title: 'Test',
  description: 'For tests.',
  permissions: ['playbook:write'],
  problems: [],
  hints: { readOnly: false, destructive: false, idempotent: true },
} as const;
const HINT = { playbook: Type.String(), name: Type.String() };

/** What is seen of a body, and what the handler does with it. */
export interface Handling {
  /** Called with each piece that is received; the next one is asked for once it has resolved. */
  onPiece: (piece: Buffer) => Promise<void> | void;
  /** Called when the body was received, before the handler continues. */
  onReceived: () => Promise<void> | void;
  /** How receiving ended: `read`, or the reason of the refusal. */
  end: PromiseWithResolvers<string>;
  pieces: number;
}

export function newHandling(): Handling {
  return { onPiece: () => {}, onReceived: () => {}, end: Promise.withResolvers(), pieces: 0 };
}

/** @param current what the test does with the body that is received now */
function storeOf(current: () => Handling, kept: Set<string>): Operation {
  return defineUpload({
    ...DESCRIBED,
    name: 'store',
    method: 'PUT',
    route: '/playbooks/{playbook}/stored/{name}',
    path: Type.Object(HINT),
    upload: { mediaType: 'text/csv', bytes: LIMIT, description: 'Rows.' },
    output: Type.Object({ bytes: Type.Integer(), declared: Type.Integer(), sha256: Type.String() }),
    async precheck(_call, { playbook }) {
      if (playbook === 'absent') throw notFound('There is no such playbook.');
    },
    async handle(_call, { name }, body) {
      const { end } = current();
      if (name === 'known') return { isNew: false, answer: { bytes: 0, declared: body.bytes, sha256: '' } };
      if (name === 'refused') throw invalidInput([{ pointer: '', detail: 'Line 1 holds no row.' }]);
      const received = await body.receive().catch((error: unknown) => {
        end.resolve(error instanceof Error && 'rejection' in error ? JSON.stringify(error.rejection) : String(error));
        throw error;
      });
      end.resolve('read');
      await current().onReceived();
      const pieces: Buffer[] = [];
      for await (const piece of received) pieces.push(piece);
      const digest = sha256(Buffer.concat(pieces).toString('latin1'));
      if (received.sha256 !== digest) throw new Error('The digest is another one.');
      const isNew = !kept.has(digest);
      kept.add(digest);
      return {
        isNew,
        answer: { bytes: Buffer.concat(pieces).length, declared: body.bytes, sha256: digest },
      };
    },
  });
}

const echo = defineOperation({
  ...DESCRIBED,
  name: 'echo',
  method: 'POST',
  route: '/playbooks/{playbook}/echo',
  path: Type.Object({ playbook: Type.String() }),
  output: Type.Object({}),
  mcp: false,
  handle: async () => ({}),
});

/** A connection whose bytes the test writes. */
export interface Raw {
  socket: net.Socket;
  /** The server's end of it. */
  served: net.Socket;
  write: (bytes: string | Uint8Array) => void;
  /** Everything that was received, once it holds the text. */
  until: (text: string) => Promise<string>;
  /** Everything that was received, once the connection has ended. */
  ended: Promise<string>;
}

export const target = (name = 'rows', playbook = 'desk'): string =>
  `/v1/orgs/local/playbooks/${playbook}/stored/${name}`;

export function createUploadServer(current: () => Handling) {
  const kept = new Set<string>();
  const clock = createFakeClock();
  const logged: string[] = [];
  const logger = pino({ level: 'debug' }, { write: (line: string) => logged.push(line) });
  const app = createBareServer({ ids: createIds(systemClock), logger, description: '/v1/openapi.json' });
  const folder = temporaryFolder();
  const uploadFolder = path.join(folder.path, 'uploads');
  mkdirSync(uploadFolder);
  writeFileSync(path.join(uploadFolder, 'left-behind'), 'of a process that was killed');
  addOperationRoutes(app, {
    callables: [storeOf(current, kept), echo].map(makeCallable),
    callerOf: ({ headers }) => ({
      ...DEVELOPER,
      id: `key:${String(headers['x-caller'] ?? 'test')}`,
      may: () => headers['x-reader'] === undefined,
    }),
    uploads: createUploadReceiver({
      folder: uploadFolder,
      clock,
      async openFile(at) {
        const file = await openReceivedFile(at);
        return {
          ...file,
          async write(piece) {
            current().pieces += 1;
            await file.write(piece);
            await current().onPiece(piece);
          },
        };
      },
    }),
    stopping: new AbortController().signal,
    clock,
    logger,
  });

  let address = '';
  async function connect(): Promise<Raw> {
    const accepted = once(app.server, 'connection');
    const socket = net.connect(Number(new URL(address).port), '127.0.0.1');
    const [served] = (await accepted) as [net.Socket];
    let received = '';
    let look = (): void => {};
    socket.on('data', (chunk: Buffer) => {
      received += chunk.toString();
      look();
    });
    // What a server refused it may not read: the answer counts.
    socket.on('error', () => {});
    return {
      socket,
      served,
      write: (bytes) => void socket.write(bytes),
      until: (text) =>
        new Promise((resolve, reject) => {
          look = () => {
            if (received.includes(text)) resolve(received);
          };
          socket.once('close', () => reject(new Error(`The connection ended after ${JSON.stringify(received)}.`)));
          look();
        }),
      ended: new Promise((resolve) => socket.once('close', () => resolve(received))),
    };
  }

  return {
    app,
    clock,
    kept,
    logged,
    uploadFolder,
    connect,
    address: () => address,
    put: (body: Uint8Array<ArrayBuffer>, name?: string): Promise<Response> =>
      fetch(`${address}${target(name)}`, { method: 'PUT', headers: { 'content-type': 'text/csv' }, body }),
    async listen() {
      address = await app.listen({ host: '127.0.0.1', port: 0 });
    },
    async close() {
      await app.close();
      folder.remove();
    },
  };
}

export function head(lines: Record<string, string>, to = target()): string {
  const all = Object.entries({ Host: 'localhost', 'Content-Type': 'text/csv', ...lines });
  const given = all.filter(([, value]) => value !== '').map(([name, value]) => `${name}: ${value}\r\n`);
  return `PUT ${to} HTTP/1.1\r\n${given.join('')}\r\n`;
}

/** Lets received bytes reach the handler, and its answer be sent. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 50; turn += 1) await yieldToEventLoop();
}
