// A real server in a process of its own, with the tool servers and the honest definitions that cases use.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { startServerProcess, temporaryFolder } from '../index.ts';
import { OPENAPI_DOCUMENTS } from './cases/openapi-documents.ts';
import type { Target } from './hostile-case.ts';
import { type Felt, type Probe, startProbe } from './probe.ts';

export interface World {
  /** @param signal aborted when what is sent is no longer waited for */
  target: (signal: AbortSignal) => Target;
  probe: Probe;
  /** The honest run, in milliseconds; undefined where it did not succeed. */
  runHonestly: () => Promise<number | undefined>;
  /** Milliseconds of CPU that the server's main thread has used; undefined where the system does not tell. */
  mainThreadMs: () => number | undefined;
  /** The server's resident memory in MB; undefined where the system does not tell. */
  residentMb: () => number | undefined;
  /** Milliseconds until the server ended at SIGTERM; undefined where it had to be killed. */
  stop: () => Promise<number | undefined>;
}

export type { Felt };

const PLAYBOOK = '/v1/orgs/local/playbooks/desk';
const HONEST = `${PLAYBOOK}/definitions/computation/honest/run`;
const TOOL_SERVER = fileURLToPath(new URL('./tool-server.ts', import.meta.url));
const STOP_PATIENCE_MS = 15_000;

export async function startWorld(): Promise<World> {
  const folder = temporaryFolder();
  const config = path.join(folder.path, 'config.json');
  const stdio = (...args: string[]): object => ({
    type: 'stdio',
    command: process.execPath,
    args: [TOOL_SERVER, ...args],
  });
  const documents = OPENAPI_DOCUMENTS.map(({ name, text, file }, index) => {
    const document = path.join(folder.path, `${index}-${file}`);
    writeFileSync(document, text());
    return [name, { type: 'openapi', document, base_url: 'http://127.0.0.1:9' }];
  });
  const tool_servers = {
    answers: stdio('answers'),
    recorded: { ...stdio('answers'), record_content: true },
    many: stdio('many'),
    flood: stdio('flood'),
    ...(Object.fromEntries(documents) as object),
  };
  writeFileSync(config, JSON.stringify({ tool_servers }));
  const server = await startServerProcess(path.join(folder.path, 'data'), { environment: { CONFIG_FILE: config } });

  async function send(
    signal: AbortSignal,
    ...[method, to, body, headers = {}]: Parameters<Target['send']>
  ): ReturnType<Target['send']> {
    try {
      const response = await fetch(`${server.address}${to}`, {
        method,
        signal,
        headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
        ...(body === undefined ? {} : { body: isSentAsItIs(body) ? body : JSON.stringify(body) }),
      });
      return { status: response.status, body: await response.text() };
    } catch {
      return { status: 0, body: '' };
    }
  }

  let names = 0;
  const target: World['target'] = (signal) => ({
    address: server.address,
    at: PLAYBOOK,
    signal,
    newName: () => `h-${(names += 1)}`,
    send: (...given) => send(signal, ...given),
  });

  const setUp = target(AbortSignal.timeout(60_000));
  await setUp.send('POST', '/v1/orgs/local/playbooks', { playbook: 'desk', name: 'Desk' });
  const source = 'export default (input) => ({ twice: (input.n ?? 1) * 2 });\n';
  const saved = await setUp.send('POST', `${PLAYBOOK}/definitions/computation`, { name: 'honest', source });
  if (saved.status !== 201) throw new Error(`The honest computation was not saved: ${saved.body}`);
  const probe = startProbe(server.address, ['/health', `${PLAYBOOK}/runs`]);

  return {
    target,
    probe,
    async runHonestly() {
      const begun = performance.now();
      const { status } = await send(AbortSignal.timeout(30_000), 'POST', HONEST, { input: { n: 21 } });
      return status === 200 ? performance.now() - begun : undefined;
    },
    mainThreadMs: () => threadMs(server.pid),
    residentMb: () => residentMb(server.pid),
    async stop() {
      await probe.stop();
      const begun = performance.now();
      const timer = setTimeout(() => void server.end('SIGKILL'), STOP_PATIENCE_MS);
      const code = await server.end('SIGTERM');
      clearTimeout(timer);
      folder.remove();
      return code === null ? undefined : performance.now() - begun;
    },
  };
}

function isSentAsItIs(body: unknown): body is string | Uint8Array<ArrayBuffer> {
  return typeof body === 'string' || body instanceof Uint8Array;
}

/** Resident memory in MB; undefined where the system does not tell. */
function residentMb(pid: number): number | undefined {
  const file = `/proc/${pid}/status`;
  const kib = existsSync(file) ? /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(file, 'utf8'))?.[1] : undefined;
  return kib === undefined ? undefined : Math.round(Number(kib) / 1000);
}

/** Linux counts in hundredths of a second. The main thread has the id of its process. */
function threadMs(pid: number): number | undefined {
  const file = `/proc/${pid}/task/${pid}/stat`;
  if (!existsSync(file)) return undefined;
  // The name of the program, in parentheses, may hold spaces; CPU times are the 14th and 15th field.
  const fields = readFileSync(file, 'utf8').split(') ').at(-1)?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}
