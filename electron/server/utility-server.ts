import type { UtilityProcess } from 'electron';
import type { ServerProcess } from './server-lifetime.ts';

/** What is used of the class `utilityProcess`. */
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

/** As bin/launch.js starts it: 8 MiB of nursery keep a busy server small. */
const NODE_FLAGS = ['--max-semi-space-size=8', '--heap-growing-percent=40'];
const MOST_OF_A_LINE = 1_000;

/** Starts the server's program in a process of its own; what it writes goes to the log. */
export function startUtilityServer(forks: Forks, main: string, log: (text: string) => void): ServerProcess {
  const child = forks.fork(main, ['serve'], { stdio: 'pipe', serviceName: 'Cuebook server', execArgv: NODE_FLAGS });
  let lastWords = '';
  child.stdout?.on('data', (chunk: Buffer) => log(chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => {
    const text = chunk.toString();
    log(text);
    lastWords = text.trim().split('\n').at(-1)?.slice(0, MOST_OF_A_LINE) ?? lastWords;
  });
  return {
    post: (message) => child.postMessage(message),
    onMessage: (listener) => void child.on('message', listener),
    onExit: (listener) => void child.on('exit', listener),
    kill: () => void child.kill(),
    // What the log writes as JSON is for the log.
    lastWords: () => (lastWords.startsWith('{') ? '' : lastWords),
  };
}
