// What this process remembers of each playbook from commit to commit. It holds as long as no other process has committed
// there: the number of a playbook's commit follows that of this process's last one.
import { LRUCache } from 'lru-cache';
import type { PlaybookKey } from '../event.ts';
import type { WriteScope } from '../store.ts';
import { RememberedValues } from '../transaction-memory.ts';

/** What is remembered while a transaction is open. */
export interface RememberedOfCommit {
  /** Undefined where nothing is remembered. */
  values: RememberedValues | undefined;
  /** The transaction has ended. @param isCommitted false where it was rolled back, its number with it */
  ended(isCommitted: boolean): void;
}

export interface Remembered {
  /** @param version the number of the commit that began */
  of(scope: WriteScope, version: number): RememberedOfCommit;
  /** As of the last commit of this process there, whatever another one has committed since. */
  last(playbookKey: PlaybookKey): RememberedValues | undefined;
}

const MOST_PLAYBOOKS = 1000;

const keyOf = ({ org, playbook }: PlaybookKey): string => `${org}\0${playbook}`;

export function createRemembered(): Remembered {
  const playbooks = new LRUCache<string, { version: number; values: RememberedValues }>({ max: MOST_PLAYBOOKS });
  return {
    last: (playbookKey) => playbooks.get(keyOf(playbookKey))?.values,
    of(scope, version) {
      if (typeof scope === 'string') return { values: undefined, ended: () => {} };
      const key = keyOf(scope);
      const known = playbooks.get(key);
      const values = known?.version === version - 1 ? known.values : new RememberedValues();
      return {
        values,
        ended: (isCommitted) => playbooks.set(key, { version: isCommitted ? version : version - 1, values }),
      };
    },
  };
}
