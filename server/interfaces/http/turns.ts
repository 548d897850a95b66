// Callers take turns at the main thread, so that one who sends many or costly requests at once delays its own requests
// before those of others, and the event loop is never held by all requests that arrived together.
//
// 1. If several requests wait, the next one is of the caller that has used the least time since requests began to wait; of
//    one caller, it is the oldest.
// 2. A caller uses the processor time of what its request does at once, such as parsing its body. Nothing is counted later, so a
//    request that waits for something else holds no turn.
// 3. A caller whose requests begin to wait starts with what the least of the others has used: it saves up no time.
// 4. Requests begin for a few milliseconds in each round of the event loop: cheap ones together, so that what they write
//    shares a commit; a costly one alone.
// 5. A request whose client left while it waited is not begun.
import type { FastifyRequest } from 'fastify';
import { networkOf } from '../../lib/http-client/index.ts';
import { clientGone } from './body.ts';

/** Milliseconds. */
const ROUND = 5;

export interface Turns {
  /** Undefined if the request may begin now; otherwise resolves when it may. @param caller a caller, an address or a route */
  take: (caller: string) => Promise<void> | undefined;
}

interface Rounds {
  /** Calls back in the next round of the event loop. */
  next: (begin: () => void) => void;
  /** Milliseconds of work. */
  now: () => number;
}

/**
 * Undefined if the request may begin; otherwise resolves when it may.
 * @throws Refused `client_closed_request` if the client left meanwhile
 */
export type TakeTurn = (request: FastifyRequest) => Promise<void> | undefined;

/**
 * Processor time of the thread, where Node says it: on a machine that is busy with other work, requests would otherwise seem
 * costly, and only one would begin in each round.
 */
function workedMs(): number {
  const used = (process as Partial<NodeJS.Process>).threadCpuUsage?.();
  return used === undefined ? performance.now() : (used.user + used.system) / 1000;
}

const EVENT_LOOP: Rounds = { next: (begin) => void setImmediate(begin), now: workedMs };

export function createTurns(rounds: Rounds = EVENT_LOOP): Turns {
  const waiting = new Map<string, (() => void)[]>();
  /** Milliseconds, of callers that waited or began since the last round in which nothing waited. */
  const used = new Map<string, number>();
  /** Whose request began last, until it has done what it does at once. */
  let current: { caller: string; since: number } | undefined;
  let isInRounds = false;
  let roundEnds = 0;

  function begin(caller: string): void {
    current = { caller, since: rounds.now() };
  }

  function charge(): void {
    if (current === undefined) return;
    used.set(current.caller, (used.get(current.caller) ?? 0) + rounds.now() - current.since);
    current = undefined;
  }

  function beginRound(): void {
    charge();
    roundEnds = rounds.now() + ROUND;
    isInRounds = waiting.size > 0;
    if (isInRounds) beginNext();
    else used.clear();
  }

  function beginNext(): void {
    charge();
    const { caller } = leastUsed();
    const queue = caller === undefined ? undefined : waiting.get(caller);
    if (caller === undefined || queue === undefined || rounds.now() >= roundEnds) return rounds.next(beginRound);
    const go = queue.shift();
    if (queue.length === 0) waiting.delete(caller);
    begin(caller);
    go?.();
    // Ticks run when no microtask is left: the request has then done what it does at once.
    queueMicrotask(() => process.nextTick(beginNext));
    return undefined;
  }

  function leastUsed(): { caller?: string; time: number } {
    let least: { caller?: string; time: number } = { time: Number.POSITIVE_INFINITY };
    for (const caller of waiting.keys()) {
      const time = used.get(caller) ?? 0;
      if (time < least.time) least = { caller, time };
    }
    return least;
  }

  return {
    take(caller) {
      if (!isInRounds) {
        isInRounds = true;
        begin(caller);
        rounds.next(beginRound);
        return undefined;
      }
      return new Promise((resolve) => {
        const queue = waiting.get(caller);
        if (queue !== undefined) return void queue.push(resolve);
        const { time } = leastUsed();
        if (Number.isFinite(time)) used.set(caller, Math.max(used.get(caller) ?? 0, time));
        waiting.set(caller, [resolve]);
      });
    },
  };
}

/** Whose turn a request takes: its caller's, or that of its address if it has no caller. */
export function callerOrAddress({ caller, ip }: FastifyRequest): string {
  return caller?.id ?? networkOf(ip);
}

/** Where all requests are of one caller: a flood of one kind of request delays its own kind. */
export function routeOf({ method, routeOptions }: FastifyRequest): string {
  return `${method} ${routeOptions.url}`;
}

export function createTakeTurn(whoOf: (request: FastifyRequest) => string, turns: Turns = createTurns()): TakeTurn {
  const begin = async ({ raw }: FastifyRequest, turn: Promise<void>): Promise<void> => {
    await turn;
    if (raw.socket.destroyed) throw clientGone();
  };
  return (request) => {
    const turn = turns.take(whoOf(request));
    return turn === undefined ? undefined : begin(request, turn);
  };
}
