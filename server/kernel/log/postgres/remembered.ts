// What this process remembers of each playbook from commit to commit. It holds as long as no other process has committed
// there: the number of a playbook's commit follows that of this process's last one.
import { LRUCache } from 'lru-cache';
import type { PlaybookKey } from '../event.ts';
import type { WriteScope } from '../store.ts';

type Values = Map<() => object, object>;

/** What is remembered while a transaction is open. */
export interface RememberedOfCommit {
  /** Undefined where nothing is remembered. */
  values: Values | undefined;
  /** The transaction has ended. @param isCommitted false where it was rolled back, its number with it */
  ended(isCommitted: boolean): void;
}

export interface Remembered {
  /** @param version the number of the commit that began */
  of(scope: WriteScope, version: number): RememberedOfCommit;
  /** As of the last commit of this process there, whatever another one has committed since. */
  last(place: PlaybookKey): Values | undefined;
}

const MOST_PLAYBOOKS = 1000;

const keyOf = ({ org, playbook }: PlaybookKey): string => `${org}\0${playbook}`;

export function createRemembered(): Remembered {
  const playbooks = new LRUCache<string, { version: number; values: Values }>({ max: MOST_PLAYBOOKS });
  return {
    last: (place) => playbooks.get(keyOf(place))?.values,
    of(scope, version) {
      if (typeof scope === 'string') return { values: undefined, ended: () => {} };
      const key = keyOf(scope);
      const known = playbooks.get(key);
      const values: Values = known?.version === version - 1 ? known.values : new Map();
      return {
        values,
        ended: (isCommitted) => playbooks.set(key, { version: isCommitted ? version : version - 1, values }),
      };
    },
  };
}
