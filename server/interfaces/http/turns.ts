// Callers take turns at the main thread of a published server, so that one who sends many requests at once delays its own
// requests before those of others.
//
// 1. In each round of the event loop, at most a few requests of a caller begin; further ones wait in the order in which
//    they arrived. A caller without waiting requests does not wait for those of others.
// 2. Nothing is counted after a request has begun, so a request that waits for something else holds no turn.
// 3. A request whose client left while it waited is not begun.

import type { FastifyRequest } from 'fastify';
import { networkOf } from '../../lib/http-client/index.ts';
import { clientGone } from './body.ts';

/** Requests of a caller that begin in one round. The costliest takes the main thread about 30 ms. */
const MOST_BEGUN = 4;

export interface Turns {
  /** Undefined if the request may begin now; otherwise resolves when it may. @param who a caller, or an address */
  take: (who: string) => Promise<void> | undefined;
}

/**
 * Undefined if the request may begin; otherwise resolves when it may.
 * @throws Refused `client_closed_request` if the client left meanwhile
 */
export type TakeTurn = (request: FastifyRequest) => Promise<void> | undefined;

/** @param nextRound calls back in the next round of the event loop */
export function createTurns(nextRound: (begin: () => void) => void = setImmediate): Turns {
  /** Requests that began in this round, by who sent them. */
  const begun = new Map<string, number>();
  const waiting = new Map<string, (() => void)[]>();

  function begin(): void {
    begun.clear();
    for (const [who, queue] of waiting) {
      const now = queue.splice(0, MOST_BEGUN);
      if (queue.length === 0) waiting.delete(who);
      begun.set(who, now.length);
      for (const go of now) go();
    }
    if (begun.size > 0) nextRound(begin);
  }

  return {
    take(who) {
      const count = begun.get(who) ?? 0;
      if (count < MOST_BEGUN && !waiting.has(who)) {
        if (begun.size === 0) nextRound(begin);
        begun.set(who, count + 1);
        return undefined;
      }
      return new Promise((resolve) => {
        const queue = waiting.get(who);
        if (queue === undefined) waiting.set(who, [resolve]);
        else queue.push(resolve);
      });
    },
  };
}

/** Requests take turns by their caller, and those without one by their address. */
export function createTakeTurn(turns: Turns = createTurns()): TakeTurn {
  const begin = async ({ raw }: FastifyRequest, turn: Promise<void>): Promise<void> => {
    await turn;
    if (raw.socket.destroyed) throw clientGone();
  };
  return (request) => {
    const turn = turns.take(request.caller?.id ?? networkOf(request.ip));
    return turn === undefined ? undefined : begin(request, turn);
  };
}
