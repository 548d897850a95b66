// Stores whose statements a test follows, or has fail.
import Database from 'better-sqlite3';
import { openSqliteStore } from '../../kernel/log/index.ts';

type OpenStore = typeof openSqliteStore;

/** What begins, nests or ends a transaction. */
const CONTROLS = /^(?:BEGIN|COMMIT|ROLLBACK|SAVEPOINT|RELEASE)\b/;

/** Opens stores that call `before` ahead of each statement in a transaction that writes. */
export function watchingStores(before: () => void): OpenStore {
  return (options) => {
    // oxlint-disable-next-line typescript/unbound-method -- it is called with the database that it is replaced on
    const { prepare } = Database.prototype;
    const writing = new WeakSet<Database.Database>();
    // A store prepares its first statements while it is opened, and each other one when it is first carried out.
    Database.prototype.prepare = function prepareWatched(this: Database.Database, source: string) {
      const statement = prepare.call(this, source);
      for (const call of ['run', 'get', 'all'] as const) {
        const execute = statement[call].bind(statement) as (...values: unknown[]) => unknown;
        const watched = (...values: unknown[]): unknown => {
          if (source === 'BEGIN IMMEDIATE') writing.add(this);
          else if (!CONTROLS.test(source) && writing.has(this) && this.inTransaction) before();
          return execute(...values);
        };
        Object.assign(statement, { [call]: watched });
      }
      return statement;
    } as typeof prepare;
    const store = openSqliteStore(options);
    return {
      ...store,
      async close() {
        await store.close();
        Database.prototype.prepare = prepare;
      },
    };
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
  let remaining = Number.POSITIVE_INFINITY;
  const open = watchingStores(() => {
    remaining -= 1;
    if (remaining === 0) throw fault;
  });
  return {
    openStore: (options) => {
      const store = open(options);
      return {
        ...store,
        async write(scope, work) {
          // Claims of tasks are on no playbook.
          if (next === undefined || scope === 'no playbook') return store.write(scope, work);
          remaining = next;
          next = undefined;
          try {
            return await store.write(scope, work);
          } finally {
            hasFailed = remaining <= 0;
            remaining = Number.POSITIVE_INFINITY;
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
