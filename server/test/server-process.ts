import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { refuseCanaries } from './canaries.ts';

/** The program that tests start as a process: the bundle that the script of the tests built, or the sources. */
export const SERVER_PROGRAM = process.env['CUEBOOK_PROGRAM'] ?? fileURLToPath(new URL('../main.ts', import.meta.url));

export interface ServerProcess {
  address: string;
  pid: number;
  /** What it wrote on stderr so far. */
  stderr(): string;
  /** Sends a signal and waits for the end; answers the exit code, or null where a signal ended it. */
  end(signal: NodeJS.Signals): Promise<number | null>;
  /** Settles when the process ends by itself. */
  ended: Promise<number | null>;
}

/** Compiled modules are shared by all starts, as in bin/launch.js: a start then takes two thirds of the CPU time. */
const COMPILED = fileURLToPath(new URL('../../node_modules/.cache/compiled', import.meta.url));

/**
 * `cuebook serve` as a process of its own; settles when it has written its address. It stops when this process ends, so
 * that a test that fails before it ends its server leaves none behind.
 */
export async function startServerProcess(
  dataDir: string,
  options: {
    args?: readonly string[];
    environment?: Record<string, string>;
    wrapper?: readonly string[];
    /** Path of another program. */
    main?: string;
  } = {},
): Promise<ServerProcess> {
  const [command, before] =
    options.wrapper?.[0] === undefined
      ? [process.execPath, []]
      : [options.wrapper[0], [...options.wrapper.slice(1), process.execPath]];
  const child: ChildProcess = spawn(
    command,
    [...before, options.main ?? SERVER_PROGRAM, 'serve', '--port', '0', '--data-dir', dataDir, ...(options.args ?? [])],
    {
      // The server stops when its channel closes (main.ts).
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      env: { NODE_COMPILE_CACHE: COMPILED, ...process.env, LOG_LEVEL: 'warn', ...options.environment },
    },
  );
  const { stdout, stderr: errors } = child;
  if (stdout === null || errors === null) throw new Error('The server has no pipes.');
  let stderr = '';
  errors.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  // At its exit, what it wrote last may still stand in its pipes.
  const ended = once(child, 'close').then(([code]) => code as number | null);
  for await (const line of createInterface({ input: stdout })) {
    const address = line.split(' ').at(-1);
    if (address?.startsWith('http://') !== true) continue;
    stdout.resume();
    return {
      address,
      pid: child.pid ?? 0,
      stderr: () => stderr,
      ended,
      async end(signal) {
        child.kill(signal);
        const code = await ended;
        refuseCanaries(stderr, 'what the server wrote');
        return code;
      },
    };
  }
  throw new Error(`The server ended with ${await ended} before it listened: ${stderr}`);
}
