// How playbooks share a lane while tasks of it wait for a turn elsewhere, such as at a model provider.
//
// 1. A task that waits takes up no place of its lane, so that it keeps no other task from a resource that is free.
// 2. While any waits, a playbook begins no more tasks than half of what the others leave of MOST_SHARED, and one in any
//    case: with n playbooks that have many, each gets one part of n + 1.
import type { PlaybookKey } from '../log/index.ts';

/** How many tasks of a lane the shares come to together. Some room is left for playbooks without any. */
const MOST_SHARED = 160;

export interface Shares {
  /** A task of the playbook begins. Returns what is called at its end. */
  begin(playbookKey: PlaybookKey): () => void;
  /** A task in progress waits. Returns what is called when its wait is over. */
  wait(): () => void;
  /** How many more tasks of the playbook may begin; infinite while none waits. */
  leftOf: (playbookKey: PlaybookKey) => number;
  /** Whether playbooks have no more than their shares. */
  areLimited(): boolean;
}

export function createShares(): Shares {
  const counts = new Map<string, number>();
  let total = 0;
  let waiting = 0;
  const keyOf = ({ org, playbook }: PlaybookKey): string => JSON.stringify([org, playbook]);
  return {
    begin(playbookKey) {
      const key = keyOf(playbookKey);
      counts.set(key, (counts.get(key) ?? 0) + 1);
      total += 1;
      return () => {
        const left = (counts.get(key) ?? 0) - 1;
        total -= 1;
        if (left > 0) counts.set(key, left);
        else counts.delete(key);
      };
    },
    wait() {
      waiting += 1;
      return () => {
        waiting -= 1;
      };
    },
    leftOf(playbookKey) {
      if (waiting === 0) return Number.POSITIVE_INFINITY;
      const own = counts.get(keyOf(playbookKey)) ?? 0;
      const share = Math.floor((MOST_SHARED - (total - own)) / 2);
      return Math.max(own === 0 ? 1 : 0, share - own);
    },
    areLimited: () => waiting > 0,
  };
}
