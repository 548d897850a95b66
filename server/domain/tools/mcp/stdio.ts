// An MCP server that is started here, as a process without a shell.
//
// 1. One process serves all; it starts at the first need, and ends with us, and so does what it started itself.
// 2. It gets the environment that the client thinks safe (PATH, HOME, ...) and what the entry names; nothing else.
// 3. After it ended or did not start, it is started again no sooner than 1 s later, then 2 s, doubling to 60 s; a
//    process that lived for a minute is forgiven. Who asks in between is refused at once.
// 4. What it writes on stderr goes to the debug log; the last lines are kept for the case that it ends.
// 5. One that sends too much is ended, and is `failing` until it is started again.
import type { Logger } from 'pino';
import type { ToolServer } from '../../../settings/index.ts';
import { type Clock, stopwatch } from '../../../lib/clock.ts';
import { startDeadline } from '../../../lib/deadline.ts';
import { periodWords } from '../../../lib/duration.ts';
import type { TextWork } from '../../../lib/text-work/index.ts';
import { type Connection, type Connector, type Opening, ServerFault } from '../server.ts';
import { createLargeMessages } from './large-messages.ts';
import { createProgramOutput, type ProgramOutput } from './program-output.ts';
import { type Explained, openSession, type Session } from './session.ts';
import { endWords, lastWords, likelyCause, type ProcessEnd, whyNotStarted } from './start-failure.ts';
import { type StartLimits, startLimitsOf } from './start-limits.ts';
import { StdioTransport } from './stdio-transport.ts';

const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 60_000;
const FORGIVEN_AFTER_MS = 60_000;
/** Silence after the newest revision's first message: an older server. */
const PROBE_MS = 3000;
/** Characters of a line on stderr that are logged. */
const MOST_LOGGED = 2000;

const ENDED = 'The server was ended, as the service is stopping or its configuration has changed; try again.';

export interface StdioOptions {
  clock: Clock;
  logger: Pick<Logger, 'debug' | 'warn' | 'isLevelEnabled'>;
  version: string;
  textWork: TextWork;
  scrub: (text: string) => string;
  onToolsChanged: () => void;
}

/** A process that runs. */
interface Running {
  session: Session;
  /** Why it is ended; undefined where it gave no reason. */
  fault: () => Explained | undefined;
}

/** How the last process ended by itself, in words. */
interface Ending {
  /** A sentence without its last point, and the likely cause in another one. */
  words: string;
  cause: string | undefined;
  lastWords: string;
}

export class StdioConnector implements Connector {
  readonly #server: ToolServer & { type: 'stdio' };
  readonly #options: StdioOptions;
  #started: Promise<Running> | undefined;
  /** Settles when every earlier process has exited. */
  #closing: Promise<unknown> = Promise.resolve();
  /** Why the last process was ended. */
  #fault: Explained | undefined;
  #ending: Ending | undefined;
  /** The output of a program that is starting. */
  #starting: ProgramOutput | undefined;
  readonly #limits: StartLimits;
  #wait = FIRST_WAIT_MS;
  /** By the elapsed time. */
  #notBefore = 0;
  readonly #stopping = new AbortController();

  constructor(server: ToolServer & { type: 'stdio' }, options: StdioOptions) {
    this.#server = server;
    this.#options = options;
    this.#limits = startLimitsOf(server);
  }

  async open(): Promise<Connection> {
    if (this.#stopping.signal.aborted) throw new ServerFault('unreachable', ENDED);
    if (this.#started === undefined && this.#options.clock.elapsed() < this.#notBefore) throw this.#notYet();
    this.#started ??= this.#start();
    const running = await this.#started;
    return {
      list: (until) => this.#list(running, until),
      call: (tool, args, until) => running.session.call(tool, args, until, this.#server.requestId),
      close: () => Promise.resolve(),
    };
  }

  opening(): Opening | undefined {
    return this.#starting === undefined
      ? undefined
      : { isInstalling: this.#limits.installs, lastWords: lastWords(this.#starting.lines()) };
  }

  async close(): Promise<void> {
    this.#stopping.abort();
    const running = await this.#started?.catch(() => undefined);
    await running?.session.close();
    await this.#closing;
  }

  /** `lived` is how long the process was there, in milliseconds. */
  #delayNext(lived: number): void {
    if (lived >= FORGIVEN_AFTER_MS) this.#wait = FIRST_WAIT_MS;
    this.#notBefore = this.#options.clock.elapsed() + this.#wait;
    this.#wait = Math.min(this.#wait * 2, LONGEST_WAIT_MS);
  }

  #log(line: string): void {
    if (this.#options.logger.isLevelEnabled('debug')) {
      this.#options.logger.debug({ tool_server: this.#server.name }, this.#options.scrub(line).slice(0, MOST_LOGGED));
    }
  }

  async #startWith(mode: 'auto' | 'legacy', signal: AbortSignal): Promise<Running> {
    const { command, args, env } = this.#server;
    const largeMessages = createLargeMessages(this.#options.textWork);
    const output = createProgramOutput(this.#server);
    this.#starting = output;
    const onStderr = (line: string): void => {
      output.add(line);
      this.#log(line);
    };
    const transport = new StdioTransport({ command, args, env, clock: this.#options.clock, largeMessages, onStderr });
    let isOpen = false;
    const lived = stopwatch(this.#options.clock);
    // The client handles the signal only once it knows the revision.
    const endNow = (): void => void transport.close();
    signal.addEventListener('abort', endNow, { once: true });
    try {
      const session = await openSession(
        transport,
        {
          version: this.#options.version,
          negotiation: { mode, probe: { timeoutMs: PROBE_MS } },
          explain: transport.fault,
          largeMessages,
          onToolsChanged: this.#options.onToolsChanged,
          onClose: () => {
            if (isOpen && !this.#stopping.signal.aborted) {
              this.#ending = this.#endingOf('The server ended', output, transport.end());
              this.#ended(lived(), transport.fault());
            }
            this.#closing = Promise.all([this.#closing, transport.close()]);
          },
        },
        signal,
      );
      isOpen = true;
      return { session, fault: transport.fault };
    } catch (error) {
      const hadEnded = transport.end() !== undefined;
      await transport.close();
      await transport.drained();
      this.#fault = transport.fault();
      const end = transport.end();
      // One that is ended by closing its input gives no code of an error.
      const isOwnEnd = hadEnded || (end?.signal === null && end.code !== 0);
      this.#ending = isOwnEnd
        ? this.#endingOf('The server ended while it started', output, end)
        : this.#endingOf('The server does not answer as an MCP server does', output, undefined);
      throw error;
    } finally {
      signal.removeEventListener('abort', endNow);
    }
  }

  #ended(lived: number, why: Explained | undefined): void {
    this.#started = undefined;
    this.#fault = why;
    this.#delayNext(lived);
    this.#options.onToolsChanged();
    const reason = { detail: why?.detail ?? (this.#ending === undefined ? '' : sentencesOf(this.#ending)) };
    this.#options.logger.warn(
      { tool_server: this.#server.name, ...reason, again_in_ms: this.#notBefore - this.#options.clock.elapsed() },
      'A tool server ended.',
    );
  }

  async #start(): Promise<Running> {
    const deadline = startDeadline(this.#options.clock, this.#limits.programMs, this.#stopping.signal);
    try {
      await this.#closing;
      return await this.#startWith('auto', deadline.signal).catch((error: unknown) => {
        // Some older servers end at a message that they do not know.
        const isFinal = NO_START.has(codeOf(error)) || this.#fault !== undefined || this.#ending?.cause !== undefined;
        if (deadline.signal.aborted || isFinal) throw error;
        return this.#startWith('legacy', deadline.signal);
      });
    } catch (error) {
      this.#started = undefined;
      this.#delayNext(0);
      if (this.#stopping.signal.aborted) throw new ServerFault('unreachable', ENDED);
      const code = codeOf(error);
      if (NO_START.has(code))
        this.#ending = { words: NOT_STARTED, cause: whyNotStarted(this.#server.command, code), lastWords: '' };
      else if (deadline.isOver()) this.#ending = this.#tooLate();
      const detail = this.#fault?.detail ?? sentencesOf(this.#ending ?? ENDED_BEFORE);
      this.#options.logger.warn({ tool_server: this.#server.name, detail }, 'A tool server did not start.');
      throw new ServerFault(this.#fault === undefined ? 'unreachable' : 'failing', detail, this.#again());
    } finally {
      this.#starting = undefined;
      deadline.callOff();
    }
  }

  #endingOf(words: string, output: ProgramOutput, end: ProcessEnd | undefined): Ending {
    const lines = output.lines();
    const how = end ?? { code: null, signal: null };
    const cause = likelyCause(lines, how, (variable) => Object.hasOwn(this.#server.env, variable));
    return { words: `${words}${endWords(how)}`, cause, lastWords: lastWords(lines) };
  }

  #tooLate(): Ending {
    const limit = periodWords({ milliseconds: this.#limits.programMs });
    const words = `The server did not start within ${limit}; \`start_timeout\` of its entry sets another limit`;
    return { words, cause: undefined, lastWords: this.#ending?.lastWords ?? '' };
  }

  #again(): number {
    return Math.max(1, Math.ceil((this.#notBefore - this.#options.clock.elapsed()) / 1000));
  }

  #notYet(): ServerFault {
    const when = `started again at the next use, in ${this.#again()} s at the earliest`;
    return this.#fault === undefined
      ? new ServerFault('unreachable', sentencesOf(this.#ending ?? ENDED_BEFORE, ` It is ${when}.`), this.#again())
      : new ServerFault('failing', `${this.#fault.detail} It is ${when}.`, this.#again());
  }

  async #list({ session, fault: why }: Running, until: AbortSignal) {
    try {
      return await session.list(until);
    } catch (error) {
      const known = why();
      throw known === undefined ? error : new ServerFault('failing', known.detail, this.#again());
    }
  }
}

const NOT_STARTED = 'The program of the server could not be started: it is not installed, or not executable';
const ENDED_BEFORE: Ending = { words: 'The server ended', cause: undefined, lastWords: '' };

/** @param next a sentence after the cause, with a blank before it */
function sentencesOf({ words, cause, lastWords: written }: Ending, next = ''): string {
  return `${words}.${cause === undefined ? '' : ` ${cause}`}${next}${written}`;
}

/** Codes of the system for a program that could not be started. */
const NO_START: ReadonlySet<unknown> = new Set(['ENOENT', 'EACCES', 'ENOTDIR', 'E2BIG']);

const codeOf = (error: unknown): unknown => (error as { code?: unknown } | null)?.code;
