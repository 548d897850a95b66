// What a benchmark gets, and the server and the playbook that it measures.
import { buildServer } from '../scripts/builds.ts';
import { createSender, type Send } from './send.ts';
import { start, type Started, type StartOptions } from './start-process.ts';

export interface Opened {
  /** Closes something at the end: what was opened last is closed first. */
  defer: (close: () => void | Promise<void>) => void;
}

export interface Bench extends Opened {
  /** Is empty, and is removed at the end. */
  folder: string;
  /** The arguments after the benchmark's name. */
  args: readonly string[];
}

export interface Served extends Started {
  send: Send;
}

const PROGRAM = await buildServer();

/** Starts the server as `npm start` does, on a free port. */
export async function serve(opened: Opened, dataDir: string, options?: StartOptions): Promise<Served> {
  const server = await start([PROGRAM, 'serve', '--port', '0', '--data-dir', dataDir], options);
  opened.defer(() => server.stop());
  const { send, close } = createSender(server.port);
  opened.defer(close);
  return { ...server, send };
}

/** The path of the playbook `bench`. */
export const AT = '/v1/orgs/local/playbooks/bench';

/** Saves a definition in a playbook. */
type Save = (type: string, name: string, source: string) => Promise<unknown>;

export async function createPlaybook(send: Send, playbook = 'bench'): Promise<Save> {
  await send('POST', '/v1/orgs/local/playbooks', { playbook, name: playbook });
  return (type, name, source) =>
    send('POST', `/v1/orgs/local/playbooks/${playbook}/definitions/${type}`, { name, source });
}
