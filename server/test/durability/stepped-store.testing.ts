// A store that commits when it is told to, for tests that end a process between any two commits.
//
// 1. Each work has a commit of its own. Which of those that wait comes next is for the driver to say.
// 2. Once it is killed it answers nothing any more, neither well nor badly: whoever asked it is gone as well.
import type { ReadTransaction, WriteScope, Store, WriteTransaction } from '../../kernel/log/index.ts';

export interface SteppedStore {
  store: Store;
  /** Works that wait for their commit. */
  waiting(): number;
  /**
   * Commits one of them. @param place which one, in the order of their coming
   * @param isLast the process ends with this commit: nobody hears of it
   */
  commit(place: number, isLast: boolean): Promise<void>;
  kill(): Promise<void>;
}

interface Work {
  scope: WriteScope;
  execute: (tx: WriteTransaction) => Promise<void>;
  answer: () => void;
  refuse: (error: unknown) => void;
}

export function createSteppedStore(real: Store): SteppedStore {
  let works: Work[] = [];
  let isDead = false;

  return {
    store: {
      counters: real.counters,
      opened: () => real.opened(),
      write<T>(scope: WriteScope, work: (tx: WriteTransaction) => Promise<T>): Promise<T> {
        if (isDead) return never();
        return new Promise<T>((resolve, reject) => {
          let answered: T;
          works.push({
            scope,
            async execute(tx) {
              answered = await work(tx);
            },
            answer: () => resolve(answered),
            refuse: reject,
          });
        });
      },
      async read<T>(work: (tx: ReadTransaction) => Promise<T>): Promise<T> {
        if (isDead) return never();
        try {
          return await real.read(work);
        } finally {
          if (isDead) await never();
        }
      },
      remembered: (playbookKey) => real.remembered(playbookKey),
      close: () => Promise.reject(new Error('It is the driver who ends this store.')),
    },
    waiting: () => works.length,
    async commit(place, isLast) {
      const [work] = works.splice(place % works.length, 1);
      if (work === undefined) throw new Error('Nothing waits for a commit.');
      let tells: (() => void)[] = [];
      try {
        await real.write(work.scope, (tx) => {
          // A work may be carried out more than once: what an undone one asked for is not to happen.
          tells = [];
          return work.execute({ ...tx, afterCommit: (tell) => tells.push(tell) });
        });
      } catch (error) {
        if (!isLast) work.refuse(error);
        return;
      }
      if (isLast) return;
      for (const tell of tells) tell();
      work.answer();
    },
    async kill() {
      isDead = true;
      works = [];
      await real.close();
    },
  };
}

function never(): Promise<never> {
  return new Promise(() => {});
}
