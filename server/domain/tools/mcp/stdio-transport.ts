// Messages to and from an MCP server that is started here, one a line. The client's own transport starts no process
// group, and reads whatever comes as fast as it comes.
//
// 1. A server that sends too much - unasked messages, stderr, one message past its bound - or does not read what it is
//    sent is not listened to any more, and is ended. `fault` says why.
// 2. `close` answers when no process of the server is left.
import {
  deserializeMessage,
  type JSONRPCMessage,
  serializeMessage,
  type Transport,
} from '@modelcontextprotocol/client';
import { getDefaultEnvironment } from '@modelcontextprotocol/client/stdio';
import type { Clock } from '../../../lib/clock.ts';
import { MOST_RESULT_BYTES } from '../server.ts';
import type { LargeMessages } from './large-messages.ts';
import { createMessageRate, MOST_UNASKED, type MostInSecond, TOO_MANY_MESSAGES } from './message-rate.ts';
import { type ProcessGroup, startGroup } from './process-group.ts';
import { readLines } from './read-lines.ts';
import type { Explained } from './session.ts';
import type { ProcessEnd } from './start-failure.ts';
import { createWholeLines } from './whole-lines.ts';

/** A message holds a result and a little around it. */
const MOST_MESSAGE_BYTES = MOST_RESULT_BYTES + 64 * 1024;
/** Some programs write much as they start. */
const MOST_STDERR: MostInSecond = { messages: 5000, bytes: 4 * 1024 * 1024 };
/** How long output may be open after the program exited. */
const LATE_MS = 2000;

export interface StdioTransport extends Transport {
  /** With `stderr`, by which the client knows that this is a pipe to a process and no HTTP. */
  readonly pid: number | undefined;
  readonly stderr: null;
  /** Why the server is not listened to any more; undefined where it gave no reason. */
  fault: () => Explained | undefined;
  /** How the process ended; undefined until all that it wrote was read. */
  end: () => ProcessEnd | undefined;
  /** Resolves when all that the process wrote was read; at once where it never ran. */
  drained: () => Promise<void>;
}

export interface StdioTransportOptions {
  command: string;
  args: readonly string[];
  env: Readonly<Record<string, string>>;
  clock: Clock;
  largeMessages: LargeMessages;
  /** A line on stderr. */
  onStderr: (line: string) => void;
}

export function createStdioTransport(options: StdioTransportOptions): StdioTransport {
  const { command, args, env, clock, largeMessages, onStderr } = options;
  const unasked = createMessageRate(clock, MOST_UNASKED);
  const stderr = createMessageRate(clock, MOST_STDERR);
  /** Ids of requests without an answer. */
  const asked = new Set<string | number>();
  let group: ProcessGroup | undefined;
  let fault: Explained | undefined;
  let isClosed = false;
  let ended: ProcessEnd | undefined;
  let drained: Promise<void> = Promise.resolve();
  /** Large messages that a worker looks at. */
  let shrinking = 0;

  function closed(): void {
    if (isClosed) return;
    isClosed = true;
    transport.onclose?.();
  }

  function giveUp(why: Explained): void {
    if (fault !== undefined || group === undefined) return;
    fault = why;
    const { stdout, stderr: errors } = group.child;
    stdout?.destroy();
    errors?.destroy();
    void group.end({ time: false });
    closed();
  }

  function take(line: string): void {
    if (!largeMessages.isLarge(line.length)) return takeMessage(line, line.length);
    // Each request has one answer: further messages of that size answer no request.
    if (shrinking >= asked.size && !unasked.allows(line.length)) {
      return giveUp({ because: 'server_failure', detail: TOO_MANY_MESSAGES });
    }
    void takeShrunk(line);
  }

  async function takeShrunk(line: string): Promise<void> {
    shrinking += 1;
    const shrunk = await largeMessages.shrink(line);
    shrinking -= 1;
    // What cannot be passed on counts as a line that is no message.
    if (fault === undefined) takeMessage(shrunk ?? '', line.length);
  }

  /** @param size that it came with, in characters */
  function takeMessage(text: string, size: number): void {
    const message = readMessage(text);
    const isAnswer = message !== undefined && !('method' in message) && asked.delete(message.id ?? '');
    if (!isAnswer && !unasked.allows(size)) {
      return giveUp({ because: 'server_failure', detail: TOO_MANY_MESSAGES });
    }
    if (message !== undefined) transport.onmessage?.(message);
  }

  function listen({ child, end }: ProcessGroup): void {
    const { stdin, stdout, stderr: errors } = child;
    /** A process that left the group may hold the output open. */
    const closeLate = (): void => {
      const timer = setTimeout(() => {
        stdout?.destroy();
        errors?.destroy();
      }, LATE_MS);
      timer.unref();
    };
    const lines = createWholeLines(MOST_MESSAGE_BYTES, {
      onLine(line) {
        take(line);
        return fault === undefined;
      },
      onTooLong: () => giveUp({ because: 'too_large', detail: 'The result is larger than 4 MiB.' }),
    });
    stdout?.on('data', (chunk: Buffer) => lines.add(chunk));
    if (errors !== null) {
      readLines(errors, (line) => {
        if (stderr.allows(line.length)) onStderr(line);
        else giveUp({ because: 'server_failure', detail: TOO_MUCH_STDERR });
      });
    }
    // A broken pipe means that the program ended, which is reported separately.
    for (const pipe of [stdin, stdout]) pipe?.on('error', () => undefined);
    drained = new Promise((resolve) => {
      child.once('close', (code, signal) => {
        ended = { code, signal };
        closed();
        resolve();
      });
    });
    child.once('exit', () => {
      void end().then(closeLate);
    });
  }

  const transport: StdioTransport = {
    get pid() {
      return group?.child.pid;
    },
    stderr: null,
    fault: () => fault,
    end: () => ended,
    drained: async () => drained,
    async start() {
      const started = startGroup(command, args, { env: { ...getDefaultEnvironment(), ...env }, stdio: 'pipe' });
      group = started;
      await new Promise<void>((resolve, reject) => {
        started.child.once('spawn', resolve).on('error', reject);
      });
      listen(started);
    },
    async send(message) {
      const stdin = group?.child.stdin;
      if (stdin?.writable !== true) throw new Error('The server is not there any more.');
      if ('method' in message && 'id' in message) asked.add(message.id);
      if (stdin.writableLength > MOST_MESSAGE_BYTES) {
        giveUp({ because: 'server_failure', detail: NOT_READ });
        throw new Error(NOT_READ);
      }
      await new Promise<void>((resolve, reject) => {
        stdin.write(serializeMessage(message), (error) => (error instanceof Error ? reject(error) : resolve()));
      });
    },
    async close() {
      await group?.end({ time: fault === undefined });
      closed();
    },
  };
  return transport;
}

const TOO_MUCH_STDERR = `The server was ended: it wrote more than ${MOST_STDERR.messages} lines, or 4 MiB, to stderr within a second.`;
const NOT_READ = 'The server was ended: it does not read what is sent to it.';

/** Undefined for a line that is no message. */
function readMessage(line: string): JSONRPCMessage | undefined {
  try {
    return deserializeMessage(line);
  } catch {
    return undefined;
  }
}
