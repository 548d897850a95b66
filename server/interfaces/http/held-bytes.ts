// What requests hold in memory: their bodies while they are received and handled, and their responses until they are read.
//
// 1. All together hold at most `MOST_HELD`. Beyond that, the caller whose requests hold the most loses the one of them
//    that moved least lately: its connection is closed. So a caller that sends or reads nothing ends its own requests.
import type { ServerResponse } from 'node:http';
import { MIB } from '../../../shared/product.ts';

const MOST_HELD = 256 * MIB;

export interface HeldBytes {
  /** Counts further bytes until the response is closed. @param owner the caller, or an address */
  hold: (response: ServerResponse, owner: string, bytes: number) => void;
  /** A piece of the body arrived, or one of the response was taken. */
  moved: (response: ServerResponse) => void;
}

declare module 'fastify' {
  interface FastifyInstance {
    heldBytes: HeldBytes;
  }
}

interface Held {
  owner: string;
  bytes: number;
}

export function createHeldBytes(most = MOST_HELD): HeldBytes {
  /** Those that moved least lately come first. */
  const held = new Map<ServerResponse, Held>();
  const byOwner = new Map<string, number>();
  let total = 0;

  function count(owner: string, bytes: number): void {
    total += bytes;
    const own = (byOwner.get(owner) ?? 0) + bytes;
    if (own === 0) byOwner.delete(owner);
    else byOwner.set(owner, own);
  }

  function release(response: ServerResponse): void {
    const { owner, bytes } = held.get(response) ?? { owner: '', bytes: 0 };
    if (held.delete(response)) count(owner, -bytes);
  }

  function endOne(): void {
    const [largest] = [...byOwner].toSorted(([, a], [, b]) => b - a);
    const [response] = [...held].find(([, { owner }]) => owner === largest?.[0]) ?? [];
    if (response === undefined) return;
    release(response);
    // The system drops what it would still have to send.
    response.socket?.resetAndDestroy();
    response.destroy();
  }

  return {
    hold(response, owner, bytes) {
      if (response.destroyed) return;
      const before = held.get(response);
      if (before === undefined) response.once('close', () => release(response));
      else held.delete(response);
      held.set(response, { owner, bytes: bytes + (before?.bytes ?? 0) });
      count(owner, bytes);
      while (total > most) endOne();
    },
    moved(response) {
      const one = held.get(response);
      if (one === undefined) return;
      held.delete(response);
      held.set(response, one);
    },
  };
}
