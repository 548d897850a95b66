// A remote MCP server, over Streamable HTTP. Each asking opens a session and closes it; what was found out about the
// server's revision is kept, so that an older server is not asked for the newest one each time.
import type { VersionNegotiationMode } from '@modelcontextprotocol/client';
import type { Logger } from 'pino';
import type { ToolServer } from '../../../settings/index.ts';
import { type Age, ageIn, type Clock } from '../../../lib/clock.ts';
import type { AllowAddress } from '../../../lib/http-client/index.ts';
import { startDeadline, untilAborted } from '../../../lib/deadline.ts';
import type { TextWork } from '../../../lib/text-work/index.ts';
import { type ToolResult, type Connector, type FailedCall, type LargeAnswer, ServerFault } from '../server.ts';
import { retryAfterOf, sendsCredential } from '../http-fault.ts';
import { type CallerCredential, withQuery, withCredential } from '../connection-requests.ts';
import { createHttpFetch, type HttpFetch, type Observed } from './http-fetch.ts';
import { createLargeMessages } from './large-messages.ts';
import { createMessageRate, MOST_UNASKED, TOO_MANY_MESSAGES } from './message-rate.ts';
import { RemoteTransport } from './remote-transport.ts';
import { openSession, type Session } from './session.ts';

/** A session that is no longer needed is closed on the server within this time, or left to it. */
const FAREWELL_MS = 2000;
const KEEP_REVISION_MS = 600_000;
/** The deadline of connecting is the signal's: a second one of the client's would end it in other words, by chance. */
const NO_TIMEOUT = { timeoutMs: 2 ** 31 - 1 } as const;

interface Opened extends Pick<HttpFetch, 'observed' | 'close'> {
  session: Session;
  transport: RemoteTransport;
}

export interface RemoteOptions {
  clock: Clock;
  version: string;
  logger: Pick<Logger, 'warn'>;
  textWork: TextWork;
  /** Of a server that a person added. */
  allowAddress?: AllowAddress;
  /** Of a server that a person added: what is sent beside the entry. */
  sends?: () => CallerCredential;
}

export function createRemoteConnector(entry: ToolServer & { type: 'mcp' }, options: RemoteOptions): Connector {
  const { clock, version, logger, textWork, allowAddress, sends } = options;
  const rate = createMessageRate(clock, MOST_UNASKED);
  /** Of what was found out about the server's revision. */
  let legacyAge: Age | undefined;
  const farewells = new Set<Promise<unknown>>();

  async function open(mode: VersionNegotiationMode, signal: AbortSignal): Promise<Opened> {
    const largeMessages = createLargeMessages(textWork);
    const sent = withCredential(entry, sends?.() ?? {});
    const { url, queryParams, headers } = sent;
    const { fetch, observed, close } = createHttpFetch({
      rate,
      largeMessages,
      sendsCredential: sendsCredential(sent),
      allowAddress,
    });
    const transport = new RemoteTransport(withQuery(url, queryParams), rate, {
      fetch,
      requestInit: { headers: { ...headers } },
      onInsufficientScope: 'throw',
      reconnectionOptions: {
        initialReconnectionDelay: 500,
        maxReconnectionDelay: 5000,
        reconnectionDelayGrowFactor: 2,
        maxRetries: 2,
      },
    });
    // The client receives the signal only after it has negotiated the revision.
    const end = (): void => {
      void transport.close();
      close();
    };
    signal.addEventListener('abort', end, { once: true });
    try {
      const session = await openSession(
        transport,
        { version, negotiation: { mode, probe: NO_TIMEOUT }, explain: () => explained(observed), largeMessages },
        signal,
      );
      if (mode === 'auto' && session.isLegacy) legacyAge = ageIn(clock);
      return { session, transport, observed, close };
    } catch {
      if (observed.isFlooding) warnOfFlood();
      await transport.close();
      close();
      throw faultFrom(observed, 'It does not answer as an MCP server does.');
    } finally {
      signal.removeEventListener('abort', end);
    }
  }

  const warnOfFlood = (): void => logger.warn({ tool_server: entry.name }, TOO_MANY_MESSAGES);

  /** Ends the session on the server too, where it keeps one. */
  async function farewell({ session, transport, observed, close }: Opened): Promise<void> {
    if (observed.isFlooding) warnOfFlood();
    const deadline = startDeadline(clock, FAREWELL_MS);
    await untilAborted(transport.terminateSession(), deadline.signal).catch(() => undefined);
    deadline.callOff();
    await session.close();
    close();
  }

  return {
    async open(signal) {
      const opened = await open(legacyAge !== undefined && legacyAge() < KEEP_REVISION_MS ? 'legacy' : 'auto', signal);
      const { session, observed } = opened;
      return {
        async list(until) {
          try {
            return await session.list(until);
          } catch (error) {
            throw error instanceof ServerFault ? error : faultFrom(observed, 'Its list of tools could not be read.');
          }
        },
        async call(tool, args, until) {
          observed.fault = undefined;
          const end = await session.call(tool, args, until, entry.requestId);
          if (end.kind === 'failed') return { ...end, ...keyRefused(observed) };
          return withRequestId(end, entry.requestId, observed);
        },
        close() {
          const leaving = farewell(opened).finally(() => farewells.delete(leaving));
          farewells.add(leaving);
          return Promise.resolve();
        },
      };
    },
    async close() {
      await Promise.all(farewells);
    },
  };
}

function faultFrom({ fault, headers, isTooLarge, isFlooding }: Observed, otherwise: string): ServerFault {
  if (isFlooding) return new ServerFault('failing', TOO_MANY_MESSAGES);
  if (isTooLarge) return new ServerFault('failing', 'Its response is larger than 4 MiB.');
  const { retryAfter } = retryAfterOf(headers?.get('retry-after'));
  return new ServerFault(fault?.because ?? 'failing', fault?.detail ?? otherwise, retryAfter);
}

function explained({ fault, headers, isTooLarge, isFlooding }: Observed) {
  if (isFlooding) return { because: 'server_failure', detail: TOO_MANY_MESSAGES } as const;
  if (isTooLarge) return { because: 'too_large', detail: 'The result is larger than 4 MiB.' } as const;
  if (fault === undefined) return undefined;
  return { because: 'server_failure', detail: fault.detail, ...retryAfterOf(headers?.get('retry-after')) } as const;
}

function keyRefused({ fault }: Observed): Pick<FailedCall, 'isKeyRefused'> {
  return fault?.because === 'key_refused' ? { isKeyRefused: true } : {};
}

function withRequestId<End extends ToolResult | LargeAnswer>(
  end: End,
  name: string | undefined,
  { headers }: Observed,
): End {
  if (end.requestId !== undefined || name === undefined) return end;
  // Not every text may be asked for as a header.
  const requestId = /^[\w-]+$/.test(name) ? headers?.get(name) : undefined;
  return requestId === undefined || requestId === null ? end : { ...end, requestId };
}
