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
import {
  createMessageRate,
  type MessageRate,
  MOST_UNASKED,
  type MostInSecond,
  TOO_MANY_MESSAGES,
} from './message-rate.ts';
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

export interface StdioTransportOptions {
  command: string;
  args: readonly string[];
  env: Readonly<Record<string, string>>;
  clock: Clock;
  largeMessages: LargeMessages;
  /** A line on stderr. */
  onStderr: (line: string) => void;
}

export class StdioTransport implements Transport {
  readonly #options: StdioTransportOptions;
  readonly #unasked: MessageRate;
  readonly #stderr: MessageRate;
  /** Ids of requests without an answer. */
  readonly #asked = new Set<string | number>();
  #group: ProcessGroup | undefined;
  #fault: Explained | undefined;
  #isClosed = false;
  #ended: ProcessEnd | undefined;
  #drained: Promise<void> = Promise.resolve();
  /** Large messages that a worker looks at. */
  #shrinking = 0;
  onclose?: () => void;
  onmessage?: (message: JSONRPCMessage) => void;
  /** With `pid`, by which the client knows that this is a pipe to a process and no HTTP. */
  readonly stderr = null;

  constructor(options: StdioTransportOptions) {
    this.#options = options;
    this.#unasked = createMessageRate(options.clock, MOST_UNASKED);
    this.#stderr = createMessageRate(options.clock, MOST_STDERR);
  }

  get pid(): number | undefined {
    return this.#group?.child.pid;
  }

  /** Why the server is not listened to any more; undefined where it gave no reason. */
  readonly fault = (): Explained | undefined => this.#fault;

  /** How the process ended; undefined until all that it wrote was read. */
  end(): ProcessEnd | undefined {
    return this.#ended;
  }

  /** Resolves when all that the process wrote was read; at once where it never ran. */
  drained(): Promise<void> {
    return this.#drained;
  }

  async start(): Promise<void> {
    const { command, args, env } = this.#options;
    const started = startGroup(command, args, { env: { ...getDefaultEnvironment(), ...env }, stdio: 'pipe' });
    this.#group = started;
    await new Promise<void>((resolve, reject) => {
      started.child.once('spawn', resolve).on('error', reject);
    });
    this.#listen(started);
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.#group?.child.stdin;
    if (stdin?.writable !== true) throw new Error('The server is not there any more.');
    if ('method' in message && 'id' in message) this.#asked.add(message.id);
    if (stdin.writableLength > MOST_MESSAGE_BYTES) {
      this.#giveUp({ because: 'server_failure', detail: NOT_READ });
      throw new Error(NOT_READ);
    }
    await new Promise<void>((resolve, reject) => {
      stdin.write(serializeMessage(message), (error) => (error instanceof Error ? reject(error) : resolve()));
    });
  }

  async close(): Promise<void> {
    await this.#group?.end({ time: this.#fault === undefined });
    this.#closed();
  }

  #closed(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.onclose?.();
  }

  #giveUp(why: Explained): void {
    if (this.#fault !== undefined || this.#group === undefined) return;
    this.#fault = why;
    const { stdout, stderr: errors } = this.#group.child;
    stdout?.destroy();
    errors?.destroy();
    void this.#group.end({ time: false });
    this.#closed();
  }

  #take(line: string): void {
    if (!this.#options.largeMessages.isLarge(line.length)) return this.#takeMessage(line, line.length);
    // Each request has one answer: further messages of that size answer no request.
    if (this.#shrinking >= this.#asked.size && !this.#unasked.allows(line.length)) {
      return this.#giveUp({ because: 'server_failure', detail: TOO_MANY_MESSAGES });
    }
    void this.#takeShrunk(line);
  }

  async #takeShrunk(line: string): Promise<void> {
    this.#shrinking += 1;
    const shrunk = await this.#options.largeMessages.shrink(line);
    this.#shrinking -= 1;
    // What cannot be passed on counts as a line that is no message.
    if (this.#fault === undefined) this.#takeMessage(shrunk ?? '', line.length);
  }

  /** @param size that it came with, in characters */
  #takeMessage(text: string, size: number): void {
    const message = readMessage(text);
    const isAnswer = message !== undefined && !('method' in message) && this.#asked.delete(message.id ?? '');
    if (!isAnswer && !this.#unasked.allows(size)) {
      return this.#giveUp({ because: 'server_failure', detail: TOO_MANY_MESSAGES });
    }
    if (message !== undefined) this.onmessage?.(message);
  }

  #listen({ child, end }: ProcessGroup): void {
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
      onLine: (line) => {
        this.#take(line);
        return this.#fault === undefined;
      },
      onTooLong: () => this.#giveUp({ because: 'too_large', detail: 'The result is larger than 4 MiB.' }),
    });
    stdout?.on('data', (chunk: Buffer) => lines.add(chunk));
    if (errors !== null) {
      readLines(errors, (line) => {
        if (this.#stderr.allows(line.length)) this.#options.onStderr(line);
        else this.#giveUp({ because: 'server_failure', detail: TOO_MUCH_STDERR });
      });
    }
    // A broken pipe means that the program ended, which is reported separately.
    for (const pipe of [stdin, stdout]) pipe?.on('error', () => undefined);
    this.#drained = new Promise((resolve) => {
      child.once('close', (code, signal) => {
        this.#ended = { code, signal };
        this.#closed();
        resolve();
      });
    });
    child.once('exit', () => {
      void end().then(closeLate);
    });
  }
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
