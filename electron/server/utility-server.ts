import type { UtilityProcess } from 'electron';
import type { ServerProcess } from './server-lifetime.ts';

/** The parts of Electron's `utilityProcess` that are used. */
export interface Forks {
  fork(
    modulePath: string,
    args: string[],
    options: { stdio: 'pipe'; serviceName: string; execArgv: string[] },
  ): Pick<UtilityProcess, 'postMessage' | 'kill' | 'stdout' | 'stderr'> & {
    on(event: 'message', listener: (message: unknown) => void): unknown;
    on(event: 'exit', listener: (code: number) => void): unknown;
  };
}

/** The same flags as in bin/launch.js: a young generation of 8 MiB limits the memory of a busy server. */
const NODE_FLAGS = ['--max-semi-space-size=8', '--heap-growing-percent=40'];
const MAX_LINE_CHARACTERS = 1_000;

/** Starts the server in a separate process. Its output goes to the log. */
export function startUtilityServer(forks: Forks, main: string, log: (text: string) => void): ServerProcess {
  const child = forks.fork(main, ['serve'], { stdio: 'pipe', serviceName: 'Cuebook server', execArgv: NODE_FLAGS });
  let lastError = '';
  child.stdout?.on('data', (chunk: Buffer) => log(chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => {
    const text = chunk.toString();
    log(text);
    lastError = text.trim().split('\n').at(-1)?.slice(0, MAX_LINE_CHARACTERS) ?? lastError;
  });
  return {
    post: (message) => child.postMessage(message),
    onMessage: (listener) => void child.on('message', listener),
    onExit: (listener) => void child.on('exit', listener),
    kill: () => void child.kill(),
    // A line of JSON is a log entry, not a message for people.
    lastError: () => (lastError.startsWith('{') ? '' : lastError),
  };
}
