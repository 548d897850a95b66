// Stores whose statements a test follows, or has fail.
import { openSqliteStore } from '../../kernel/log/index.ts';

type OpenStore = typeof openSqliteStore;

/** Opens stores that call `before` ahead of each statement: they count it just before they carry it out. */
export function watchingStores(before: () => void): OpenStore {
  return (options) => {
    const store = openSqliteStore(options);
    let { statements } = store.counters;
    Object.defineProperty(store.counters, 'statements', {
      get: () => statements,
      set(count: number) {
        statements = count;
        before();
      },
    });
    return store;
  };
}

export interface Faults {
  openStore: OpenStore;
  /** The next commit of a playbook meets the fault at this statement, counted from 1. */
  failNext: (statement: number) => void;
  /** Whether the commit that was to fail has as many statements; undefined while it is still to come. */
  hasFailed: () => boolean | undefined;
}

export function createFaults(fault: Error): Faults {
  let next: number | undefined;
  let hasFailed: boolean | undefined;
  let left = Number.POSITIVE_INFINITY;
  const open = watchingStores(() => {
    left -= 1;
    if (left === 0) throw fault;
  });
  return {
    openStore: (options) => {
      const store = open(options);
      return {
        ...store,
        async write(scope, work) {
          // Claims of tasks are on no playbook.
          if (next === undefined || scope === 'no playbook') return store.write(scope, work);
          left = next;
          next = undefined;
          try {
            return await store.write(scope, work);
          } finally {
            hasFailed = left <= 0;
            left = Number.POSITIVE_INFINITY;
          }
        },
      };
    },
    failNext: (statement) => {
      next = statement;
      hasFailed = undefined;
    },
    hasFailed: () => hasFailed,
  };
}
