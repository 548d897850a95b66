// An MCP server that is started here, as a process without a shell.
//
// 1. One process serves all; it starts at the first need, and ends with us (its input is closed, then it is ended).
// 2. It gets the environment that the client thinks safe (PATH, HOME, ...) and what the entry names; nothing else.
// 3. After it ended or did not start, it is started again no sooner than 1 s later, then 2 s, doubling to 60 s; a
//    process that lived for a minute is forgiven. Who asks in between is refused at once.
// 4. What it writes on stderr is read and dropped but for what the debug log says: an unread pipe would stop it.
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { Logger } from 'pino';
import type { ToolServer } from '../../settings/index.ts';
import type { Clock } from '../../kernel/clock.ts';
import { startDeadline } from '../../kernel/deadline.ts';
import { LIMITS_MS } from '../limits.ts';
import { type Connector, MOST_RESULT_BYTES, ServerFault } from '../server.ts';
import { readLines } from './read-lines.ts';
import { openSession, type Session } from './session.ts';

const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 60_000;
const FORGIVEN_AFTER_MS = 60_000;
/** Silence after the newest revision's first message: an older server. */
const PROBE_MS = 3000;
/** Characters of a line on stderr that are logged. */
const MOST_LOGGED = 2000;
/** A message holds the result and a little around it. */
const MOST_MESSAGE_BYTES = MOST_RESULT_BYTES + 64 * 1024;

const ENDED = 'The server was ended, as the service is stopping or its configuration has changed; try again.';

/** The client probes its own class on a second process; in a class of its own, on the process itself. */
class ServerProcess extends StdioClientTransport {
  #ending: Promise<void> | undefined;

  /** Waits for the process's end each time: the class itself does so at the first call alone, and the client may be that. */
  override async close(): Promise<void> {
    if (this.pid !== null) this.#ending = super.close();
    await this.#ending;
  }
}

export interface StdioOptions {
  clock: Clock;
  logger: Pick<Logger, 'debug' | 'warn'>;
  version: string;
  scrub: (text: string) => string;
  onToolsChanged: () => void;
}

export function createStdioConnector(server: ToolServer & { type: 'stdio' }, options: StdioOptions): Connector {
  const { clock, logger, version, scrub } = options;
  let started: Promise<Session> | undefined;
  let wait = FIRST_WAIT_MS;
  let notBefore = 0;
  const stopping = new AbortController();

  /** `lived` is how long the process was there, in milliseconds. */
  function delayNext(lived: number): void {
    if (lived >= FORGIVEN_AFTER_MS) wait = FIRST_WAIT_MS;
    notBefore = clock.now() + wait;
    wait = Math.min(wait * 2, LONGEST_WAIT_MS);
  }

  async function startWith(mode: 'auto' | 'legacy', signal: AbortSignal): Promise<Session> {
    const transport = new ServerProcess({
      command: server.command,
      args: [...server.args],
      env: { ...server.env },
      stderr: 'pipe',
      maxBufferSize: MOST_MESSAGE_BYTES,
    });
    if (transport.stderr !== null) {
      readLines(transport.stderr, (line) => {
        logger.debug({ tool_server: server.name }, scrub(line).slice(0, MOST_LOGGED));
      });
    }
    let isTooLarge = false;
    let isOpen = false;
    const startedAt = clock.now();
    // Set before the client's own, which calls it. (A transport is no EventTarget.)
    // oxlint-disable-next-line unicorn/prefer-add-event-listener
    transport.onerror = (error) => {
      isTooLarge ||= error.message.includes('exceeded maximum size');
    };
    // The client hears of the signal only once it has found out the revision.
    const end = (): void => void transport.close();
    signal.addEventListener('abort', end, { once: true });
    try {
      const session = await openSession(
        transport,
        {
          version,
          negotiation: { mode, probe: { timeoutMs: PROBE_MS } },
          explain: () => (isTooLarge ? { because: 'too_large', detail: 'The result has more than 4 MiB.' } : undefined),
          onToolsChanged: options.onToolsChanged,
          onClose: () => {
            if (isOpen && !stopping.signal.aborted) ended(startedAt);
          },
        },
        signal,
      );
      isOpen = true;
      return session;
    } catch (error) {
      await transport.close();
      throw error;
    } finally {
      signal.removeEventListener('abort', end);
    }
  }

  function ended(startedAt: number): void {
    started = undefined;
    delayNext(clock.now() - startedAt);
    options.onToolsChanged();
    logger.warn({ tool_server: server.name, again_in_ms: notBefore - clock.now() }, 'A tool server ended.');
  }

  async function start(): Promise<Session> {
    const deadline = startDeadline(clock, LIMITS_MS.start, stopping.signal);
    try {
      return await startWith('auto', deadline.signal).catch((error: unknown) => {
        // Some older servers end at a message that they do not know.
        if (deadline.signal.aborted || isMissing(error)) throw error;
        return startWith('legacy', deadline.signal);
      });
    } catch (error) {
      started = undefined;
      delayNext(0);
      if (stopping.signal.aborted) throw new ServerFault('unreachable', ENDED);
      if (deadline.isOver()) throw new ServerFault('unreachable', 'The server did not start in time.', again());
      const words = isMissing(error)
        ? 'The program of the server could not be started.'
        : 'The server ended while it started.';
      throw new ServerFault('unreachable', words, again());
    } finally {
      deadline.callOff();
    }
  }

  const again = (): number => Math.max(1, Math.ceil((notBefore - clock.now()) / 1000));

  return {
    async open() {
      if (stopping.signal.aborted) throw new ServerFault('unreachable', ENDED);
      if (started === undefined && clock.now() < notBefore) {
        throw new ServerFault('unreachable', `The server ended; it is started again in ${again()} s.`, again());
      }
      started ??= start();
      const session = await started;
      return {
        list: session.list,
        call: (tool, args, until) => session.call(tool, args, until, server.requestId),
        close: () => Promise.resolve(),
      };
    },
    async close() {
      stopping.abort();
      const ending = await started?.catch(() => undefined);
      await ending?.close();
    },
  };
}

function isMissing(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  return code === 'ENOENT' || code === 'EACCES' || code === 'ENOTDIR' || code === 'E2BIG';
}
