// Connections that send or read slowly, or not at all.
import net from 'node:net';
import { TextReader, Uint8ArrayWriter, ZipWriter } from '@zip.js/zip.js/index-native.js';
import { sha256 } from '../../../kernel/contents/index.ts';
import type { HostileCase, Target } from '../hostile-case.ts';

const LARGE = '/v1/orgs/local/playbooks/large';

/** Opens connections that send a text and read nothing, until the case is over. */
async function hold({ address, signal }: Target, count: number, text: string): Promise<void> {
  const { hostname, port } = new URL(address);
  const sockets = Array.from({ length: count }, () =>
    net
      .connect(Number(port), hostname, function send(this: net.Socket) {
        this.write(text);
      })
      .on('error', () => {})
      .pause(),
  );
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  for (const socket of sockets) socket.destroy();
}

const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
const head = (method: string, path: string, type: string, bytes: number): string =>
  `${method} ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: ${type}\r\nContent-Length: ${bytes}\r\n\r\n`;

/** A body of JSON, but for its last byte. */
const unfinished = (path: string): string => head('POST', path, 'application/json', 7_000_001) + ' '.repeat(7_000_000);

const unread = (name: string, count: number, text: string, isShort = false): HostileCase => ({
  name: `unread: ${name}`,
  isShort,
  run: (target) => hold(target, count, text),
});

async function floodedArchive(): Promise<Uint8Array> {
  const writer = new ZipWriter(new Uint8ArrayWriter(), { useWebWorkers: false });
  await writer.add('playbook.yaml', new TextReader(`{${'{},'.repeat(10_919)}`));
  return writer.close();
}

export const CONNECTION_CASES: readonly HostileCase[] = [
  unread('20 exports of 94 MB', 20, get(`${LARGE}/export`)),
  unread('20 archives of 94 MB', 20, get(`${LARGE}/archive`)),
  unread('200 lists of 6 MB', 200, get('/v1/orgs/local/playbooks/tools/definitions/interaction')),
  unread('400 connections with 16 OpenAPI documents each', 400, get('/v1/openapi.json').repeat(16), true),
  unread('400 definitions with 400 fields', 400, get('/v1/orgs/local/playbooks/tools/definitions/interaction/e-0')),
  unread('100 streams of events', 100, get('/v1/orgs/local/playbooks/desk/events/follow')),
  {
    name: 'bodies: 30 folders of 7 MB and 30 messages of agents that do not end',
    run: (target) =>
      Promise.all([
        hold(target, 30, unfinished(`${target.at}/apply`)),
        hold(target, 30, unfinished('/orgs/local/playbooks/desk/mcp')),
      ]),
  },
  {
    name: 'uploads: 40 archives and 40 datasets that do not come',
    isShort: true,
    run: (target) =>
      Promise.all([
        hold(target, 40, `${head('POST', `${target.at}/imports`, 'application/zip', 100_000)}PK`),
        hold(target, 40, `${head('PUT', `${target.at}/datasets/${sha256('')}`, 'text/csv', 100_000)}series,`),
      ]),
  },
  {
    name: 'uploads: 40 archives whose manifest is a flood of empty objects',
    isShort: true,
    async run({ send, at }) {
      const archive = await floodedArchive();
      const headers = { 'content-type': 'application/zip' };
      await Promise.all(Array.from({ length: 40 }, () => send('POST', `${at}/imports`, archive, headers)));
    },
  },
  {
    name: 'pastes: floods of empty objects, quotes and marks',
    isShort: true,
    run: ({ send }) =>
      Promise.all(
        [
          `{${'{},'.repeat(10_919)}`,
          '"'.repeat(65_000),
          `npx ${'@'.repeat(65_000)}/`,
          `{${'\n/* '.repeat(16_000)}`,
        ].map((text) => send('POST', '/v1/orgs/local/tool-server-setup/plan', { text })),
      ),
  },
];
