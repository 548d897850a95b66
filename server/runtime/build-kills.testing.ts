// What the kills of prediction builds need: a server that is started again after each kill, and a look at its work from
// outside.
import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import http from 'node:http';
import type Database from 'better-sqlite3';
import { openStore } from './kills.testing.ts';
import { yieldToEventLoop } from '../lib/event-loop.ts';
import { type ServerProcess, startServerProcess } from '../test/index.ts';

export interface Answer {
  status: number;
  // Tests assert on the meaning of an answer, member by member.
  // oxlint-disable-next-line typescript/no-explicit-any
  body: any;
}

export interface Sent {
  type?: string;
  body?: Uint8Array;
  /** Sends only so many bytes of the body, and waits. */
  only?: number;
  /** Called once the bytes are handed to the system. */
  onSent?: () => void;
}

/** What can be seen while the server works. */
export interface View {
  /** The number that a statement counts. */
  count(sql: string, ...parameters: string[]): number;
  /** How many model processes have been started since the view was opened. */
  modelProcesses(): number;
}

/** Whether the moment of a kill has come. */
export type Moment = (view: View) => boolean;

export interface KilledService {
  kills(): number;
  send(method: string, route: string, sent?: Sent): Promise<Answer>;
  /**
   * Does the work, and kills the server a little after the moment, or when the work is done. Then starts it again.
   * @param mostLooks how many looks may pass between the moment and the kill; 0: none
   */
  killDuring(moment: Moment, work: () => Promise<unknown>, mostLooks?: number): Promise<void>;
  /** Waits for the moment, or until the server is killed. */
  waitFor(moment: Moment): Promise<void>;
  /** The time that the server has. */
  now(): number;
  /** The next starts live so much later. */
  turnClockOn(milliseconds: number): void;
  restart(): Promise<void>;
  stop(): Promise<void>;
}

export interface ServiceOptions {
  data: string;
  /** The folder of the server's temporary files. */
  temporary: string;
  random: () => number;
  /** Called after each kill, before the next start. */
  onKilled: () => Promise<void>;
}

/** At most so many looks pass between the moment and the kill. */
const MOST_LOOKS = 400;

export async function startKilledService(options: ServiceOptions): Promise<KilledService> {
  const { data, temporary, random, onKilled } = options;
  let ahead = 0;
  let server: ServerProcess = await start();
  let kills = 0;
  let isDown = false;

  async function start(): Promise<ServerProcess> {
    const before = modelFolders(temporary);
    const clock = `data:text/javascript,const{now}=Date;Date.now=()=>now()+${ahead}`;
    const environment = { TMPDIR: temporary, NODE_OPTIONS: `--import=${clock}` };
    const started = await startServerProcess(data, { environment });
    const left = modelFolders(temporary).filter((folder) => before.includes(folder));
    if (left.length > 0) throw new Error(`The folders ${left.join(', ')} of a killed server are left behind.`);
    return started;
  }

  async function watch(moment: Moment, isDone: () => boolean, mostLooks: number): Promise<void> {
    const { view, close } = openView(options);
    try {
      while (!moment(view) && !isDone()) await yieldToEventLoop();
      // More often few looks than many: most of what follows a commit follows at once.
      for (let looks = Math.floor(random() ** 3 * mostLooks); looks > 0 && !isDone(); looks -= 1) {
        moment(view);
        await yieldToEventLoop();
      }
    } finally {
      close();
    }
  }

  return {
    kills: () => kills,
    send: (method, route, sent = {}) => sendTo(server.address, method, route, sent),
    waitFor: (moment) => watch(moment, () => isDown, 0),
    async killDuring(moment, work, mostLooks = MOST_LOOKS) {
      let isDone = false;
      // A client of a server that is gone does not know what happened.
      const working = work()
        .catch(() => undefined)
        .finally(() => {
          isDone = true;
        });
      await watch(moment, () => isDone, mostLooks);
      isDown = true;
      await server.end('SIGKILL');
      await working;
      kills += 1;
      await onKilled();
      server = await start();
      isDown = false;
    },
    now: () => Date.now() + ahead,
    turnClockOn(milliseconds) {
      ahead += milliseconds;
    },
    async restart() {
      await server.end('SIGTERM');
      server = await start();
    },
    async stop() {
      await server.end('SIGTERM');
    },
  };
}

function openView({ data, temporary }: ServiceOptions): { view: View; close: () => void } {
  const database = openStore(data);
  const statements = new Map<string, Database.Statement<string[], number>>();
  const before = modelFolders(temporary);
  const seen = new Set<string>();
  const view: View = {
    count(sql, ...parameters) {
      const statement = statements.get(sql) ?? database.prepare<string[], number>(sql).pluck();
      statements.set(sql, statement);
      return statement.get(...parameters) ?? 0;
    },
    modelProcesses() {
      for (const folder of modelFolders(temporary)) if (!before.includes(folder)) seen.add(folder);
      return seen.size;
    },
  };
  return { view, close: () => void database.close() };
}

/** Each model process has a folder of its own. */
function modelFolders(temporary: string): string[] {
  return readdirSync(temporary).filter((name) => name.startsWith('cuebook-model-'));
}

/** The commands of the processes that run and name the folder. */
export function processesOf(folder: string): string[] {
  // There is no `ps` on Windows.
  if (process.platform === 'win32') return [];
  const commands = execFileSync('ps', ['-e', '-o', 'stat=,args='], { maxBuffer: 2 ** 24 })
    .toString()
    .split('\n');
  return commands.filter((command) => command.includes(folder) && !command.startsWith('Z'));
}

/** Rejects when the connection breaks before the answer is there. */
function sendTo(address: string, method: string, route: string, { type, body, only, onSent }: Sent): Promise<Answer> {
  const described = body && { 'content-length': body.length, 'content-type': type ?? 'application/json' };
  return new Promise((resolve, reject) => {
    const request = http.request(`${address}${route}`, { method, headers: described ?? {}, agent: false });
    request.on('error', reject);
    request.on('response', (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (part: string) => (text += part));
      response.on('error', reject);
      response.on('end', () => {
        const isJson = (response.headers['content-type'] ?? '').includes('json');
        resolve({ status: response.statusCode ?? 0, body: isJson ? JSON.parse(text) : text });
      });
    });
    if (only === undefined) request.end(body, onSent);
    else request.write(body?.subarray(0, only), onSent);
  });
}
