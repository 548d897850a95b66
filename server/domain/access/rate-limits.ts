// How often a published server may be called: commands by caller, and refused credentials by address. And how many event
// streams a caller may hold.
//
// 1. A minute begins with the first command or refusal that is counted in it, and is measured by the elapsed time. Counts are
//    kept in memory, per process.
// 2. The number of counts is bounded: of more callers or addresses, those that were quiet for longest are forgotten.
// 3. A credential from an address with too many refusals is refused unread, so that nobody can guess at speed. One that
//    was accepted before is read all the same, or a stranger could lock out everyone else behind the same proxy.
import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../../lib/clock.ts';
import { networkOf } from '../../lib/http-client/index.ts';
import { type Refused, unavailable } from '../../lib/rejection.ts';
import type { Callable, Caller } from '../../operations/index.ts';

const WINDOW_MS = 60_000;
const MOST_REFUSALS = 60;
const MOST_COUNTED = 10_000;
const MOST_STREAMS = 200;
/** Seconds. */
const STREAM_RETRY = 10;

export interface RateLimits {
  /** @throws Refused `unavailable` kind `rate_limited` */
  countCommand: (caller: Pick<Caller, 'id'>) => void;
  /** Before a credential is read. @throws Refused `unavailable` kind `rate_limited` */
  admit: (address: string, authorization: string) => void;
  refused: (address: string) => void;
  accepted: (authorization: string) => void;
  /**
   * Before an event stream is opened.
   * @returns to be called once, when the stream is closed
   * @throws Refused `unavailable` kind `rate_limited`
   */
  openStream: (caller: Pick<Caller, 'id'>) => () => void;
}

/** @param commands how many commands a caller may send in a minute */
export function createRateLimits({ commands, clock }: { commands: number; clock: Clock }): RateLimits {
  const byCaller = createCounts(clock);
  const byAddress = createCounts(clock);
  const known = new LRUCache<string, true>({ max: MOST_COUNTED });
  const streams = new Map<string, number>();
  return {
    countCommand({ id }) {
      const { count, leftMs } = byCaller.of(id);
      if (count >= commands) {
        throw limited(`A caller may send ${commands} commands a minute, and you have sent them.`, leftMs);
      }
      byCaller.add(id);
    },
    admit(address, authorization) {
      const { count, leftMs } = byAddress.of(networkOf(address));
      if (count < MOST_REFUSALS || known.has(digestOf(authorization))) return;
      throw limited('Too many keys or tokens from your address were refused.', leftMs);
    },
    refused: (address) => byAddress.add(networkOf(address)),
    accepted: (authorization) => void known.set(digestOf(authorization), true),
    openStream({ id }) {
      const open = streams.get(id) ?? 0;
      if (open >= MOST_STREAMS) {
        throw limited(`A caller may hold ${MOST_STREAMS} event streams; close one.`, STREAM_RETRY * 1000);
      }
      streams.set(id, open + 1);
      return () => {
        const remaining = (streams.get(id) ?? 1) - 1;
        if (remaining === 0) streams.delete(id);
        else streams.set(id, remaining);
      };
    },
  };
}

/** Wraps an operation, for every interface, to count its calls if it is a command. */
export function limiting(callable: Callable, limits: RateLimits | undefined): Callable {
  if (limits === undefined || callable.operation.method === 'GET') return callable;
  return {
    ...callable,
    authorize(call, path) {
      callable.authorize(call, path);
      limits.countCommand(call.caller);
    },
  };
}

function createCounts(clock: Clock) {
  const counts = new LRUCache<string, { count: number; until: number }>({ max: MOST_COUNTED });
  const current = (name: string): { count: number; until: number } => {
    const found = counts.get(name);
    return found !== undefined && found.until > clock.elapsed()
      ? found
      : { count: 0, until: clock.elapsed() + WINDOW_MS };
  };
  return {
    /** What was counted in this minute, and how much of it is left. */
    of(name: string): { count: number; leftMs: number } {
      const { count, until } = current(name);
      return { count, leftMs: until - clock.elapsed() };
    },
    add(name: string): void {
      const { count, until } = current(name);
      counts.set(name, { count: count + 1, until });
    },
  };
}

/** The credential itself is not kept. */
function digestOf(authorization: string): string {
  return createHash('sha256').update(authorization).digest('base64');
}

function limited(why: string, leftMs: number): Refused {
  const retryAfter = Math.ceil(leftMs / 1000);
  return unavailable(`${why} Try again in ${retryAfter} s.`, { kind: 'rate_limited', retryAfter });
}
