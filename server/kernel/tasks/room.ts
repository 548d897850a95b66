// How many tasks a runner may still begin.
//
// 1. At most MOST_CARRIED_OUT are carried out at once, those that wait for their commit included. What a claiming under way
//    may bring, and what a commit adds and claims, counts before it begins.
// 2. None is promised a place while `most` of them work, with those that one commit was promised.
import type { PlaybookKey, WriteTransaction } from '../log/index.ts';
import type { Shares } from './shares.ts';

/** Bounds what is carried out at a time, in each lane. */
export const MOST_CARRIED_OUT = 200;
const CLAIMED_AT_ONCE = 100;
/** Due tasks are claimed when this part of the places is free: one claiming serves many, and none waits for long. */
const LEAST_PART = 8;

export interface Room {
  /** How many due tasks to claim now; 0: too few places are free. */
  toClaim(): number;
  /** So many tasks are being claimed; 0 when that has ended. */
  claiming(count: number): void;
  /** Promises a place to a task that the transaction adds; false where there is none. */
  promise(tx: WriteTransaction, playbookKey: PlaybookKey): boolean;
}

export interface RoomOptions {
  most: number;
  working: { readonly size: number };
  carried: { readonly size: number };
  shares: Pick<Shares, 'leftOf'>;
}

export function createRoom({ most, working, carried, shares }: RoomOptions): Room {
  let claimed = 0;
  /** What the transactions of one commit were promised. */
  const makePromised = (): { count: number } => ({ count: 0 });
  const free = (): number => Math.min(most - working.size, MOST_CARRIED_OUT - carried.size - claimed);

  return {
    toClaim() {
      const count = Math.min(CLAIMED_AT_ONCE, free());
      return count < Math.ceil(most / LEAST_PART) ? 0 : count;
    },
    claiming(count) {
      claimed = count;
    },
    promise(tx, playbookKey) {
      const promised = tx.memory.shared(makePromised);
      if (free() <= promised.count || shares.leftOf(playbookKey) <= promised.count) return false;
      promised.count += 1;
      tx.memory.onUndone(() => {
        promised.count -= 1;
      });
      return true;
    },
  };
}
