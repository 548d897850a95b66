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
import { type Connector, ServerFault } from '../server.ts';
import { createLargeMessages } from './large-messages.ts';
import { createProgramOutput, type ProgramOutput } from './program-output.ts';
import { type Explained, openSession, type Session } from './session.ts';
import { endWords, lastWords, likelyCause, type ProcessEnd, whyNotStarted } from './start-failure.ts';
import { startLimitsOf } from './start-limits.ts';
import { createStdioTransport } from './stdio-transport.ts';

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

export function createStdioConnector(server: ToolServer & { type: 'stdio' }, options: StdioOptions): Connector {
  const { clock, logger, version, textWork, scrub } = options;
  let started: Promise<Running> | undefined;
  /** Settles when nothing is left of the processes before. */
  let left: Promise<unknown> = Promise.resolve();
  /** What the last process was ended for. */
  let fault: Explained | undefined;
  let ending: Ending | undefined;
  /** What a program that starts now has written. */
  let starting: ProgramOutput | undefined;
  const limits = startLimitsOf(server);
  let wait = FIRST_WAIT_MS;
  /** By the elapsed time. */
  let notBefore = 0;
  const stopping = new AbortController();

  /** `lived` is how long the process was there, in milliseconds. */
  function delayNext(lived: number): void {
    if (lived >= FORGIVEN_AFTER_MS) wait = FIRST_WAIT_MS;
    notBefore = clock.elapsed() + wait;
    wait = Math.min(wait * 2, LONGEST_WAIT_MS);
  }

  function log(line: string): void {
    if (logger.isLevelEnabled('debug')) {
      logger.debug({ tool_server: server.name }, scrub(line).slice(0, MOST_LOGGED));
    }
  }

  async function startWith(mode: 'auto' | 'legacy', signal: AbortSignal): Promise<Running> {
    const { command, args, env } = server;
    const largeMessages = createLargeMessages(textWork);
    const output = createProgramOutput(server);
    starting = output;
    const onStderr = (line: string): void => {
      output.add(line);
      log(line);
    };
    const transport = createStdioTransport({ command, args, env, clock, largeMessages, onStderr });
    let isOpen = false;
    const lived = stopwatch(clock);
    // The client hears of the signal only once it has found out the revision.
    const endNow = (): void => void transport.close();
    signal.addEventListener('abort', endNow, { once: true });
    try {
      const session = await openSession(
        transport,
        {
          version,
          negotiation: { mode, probe: { timeoutMs: PROBE_MS } },
          explain: transport.fault,
          largeMessages,
          onToolsChanged: options.onToolsChanged,
          onClose: () => {
            if (isOpen && !stopping.signal.aborted) {
              ending = endingOf('The server ended', output, transport.end());
              ended(lived(), transport.fault());
            }
            left = Promise.all([left, transport.close()]);
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
      fault = transport.fault();
      const end = transport.end();
      // One that is ended by closing its input gives no code of an error.
      const isOwnEnd = hadEnded || (end?.signal === null && end.code !== 0);
      ending = isOwnEnd
        ? endingOf('The server ended while it started', output, end)
        : endingOf('The server does not answer as an MCP server does', output, undefined);
      throw error;
    } finally {
      signal.removeEventListener('abort', endNow);
    }
  }

  function ended(lived: number, why: Explained | undefined): void {
    started = undefined;
    fault = why;
    delayNext(lived);
    options.onToolsChanged();
    const reason = { detail: why?.detail ?? (ending === undefined ? '' : sentencesOf(ending)) };
    logger.warn(
      { tool_server: server.name, ...reason, again_in_ms: notBefore - clock.elapsed() },
      'A tool server ended.',
    );
  }

  async function start(): Promise<Running> {
    const deadline = startDeadline(clock, limits.programMs, stopping.signal);
    try {
      await left;
      return await startWith('auto', deadline.signal).catch((error: unknown) => {
        // Some older servers end at a message that they do not know.
        const isFinal = NO_START.has(codeOf(error)) || fault !== undefined || ending?.cause !== undefined;
        if (deadline.signal.aborted || isFinal) throw error;
        return startWith('legacy', deadline.signal);
      });
    } catch (error) {
      started = undefined;
      delayNext(0);
      if (stopping.signal.aborted) throw new ServerFault('unreachable', ENDED);
      const code = codeOf(error);
      if (NO_START.has(code))
        ending = { words: NOT_STARTED, cause: whyNotStarted(server.command, code), lastWords: '' };
      else if (deadline.isOver()) ending = tooLate();
      const detail = fault?.detail ?? sentencesOf(ending ?? ENDED_BEFORE);
      logger.warn({ tool_server: server.name, detail }, 'A tool server did not start.');
      throw new ServerFault(fault === undefined ? 'unreachable' : 'failing', detail, again());
    } finally {
      starting = undefined;
      deadline.callOff();
    }
  }

  function endingOf(words: string, output: ProgramOutput, end: ProcessEnd | undefined): Ending {
    const lines = output.lines();
    const how = end ?? { code: null, signal: null };
    const cause = likelyCause(lines, how, (variable) => Object.hasOwn(server.env, variable));
    return { words: `${words}${endWords(how)}`, cause, lastWords: lastWords(lines) };
  }

  function tooLate(): Ending {
    const limit = periodWords({ milliseconds: limits.programMs });
    const words = `The server did not start within ${limit}; \`start_timeout\` of its entry sets another limit`;
    return { words, cause: undefined, lastWords: ending?.lastWords ?? '' };
  }

  const again = (): number => Math.max(1, Math.ceil((notBefore - clock.elapsed()) / 1000));

  function notYet(): ServerFault {
    const when = `started again at the next use, in ${again()} s at the earliest`;
    return fault === undefined
      ? new ServerFault('unreachable', sentencesOf(ending ?? ENDED_BEFORE, ` It is ${when}.`), again())
      : new ServerFault('failing', `${fault.detail} It is ${when}.`, again());
  }

  async function list({ session, fault: why }: Running, until: AbortSignal) {
    try {
      return await session.list(until);
    } catch (error) {
      const known = why();
      throw known === undefined ? error : new ServerFault('failing', known.detail, again());
    }
  }

  return {
    async open() {
      if (stopping.signal.aborted) throw new ServerFault('unreachable', ENDED);
      if (started === undefined && clock.elapsed() < notBefore) throw notYet();
      started ??= start();
      const running = await started;
      return {
        list: (until) => list(running, until),
        call: (tool, args, until) => running.session.call(tool, args, until, server.requestId),
        close: () => Promise.resolve(),
      };
    },
    opening() {
      return starting === undefined
        ? undefined
        : { isInstalling: limits.installs, lastWords: lastWords(starting.lines()) };
    },
    async close() {
      stopping.abort();
      const running = await started?.catch(() => undefined);
      await running?.session.close();
      await left;
    },
  };
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
