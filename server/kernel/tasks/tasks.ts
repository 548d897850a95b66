import type { Place, WriteTransaction } from '../log/index.ts';
import { deleteTask, insertTask, upsertTask } from './sql.ts';
import type { NewTask } from './task.ts';

/** Where tasks are added. It knows neither the handlers nor the runner, so that every slice can be given it first. */
export interface Tasks {
  /**
   * Adds a task in the caller's transaction. Where one of the same kind and key is there already, even one that is
   * being carried out, that one is kept; with `replace` the new one takes its place with no tries counted, and
   * what is being carried out of the old one is dropped at its finish. Answers whether the task given is now there.
   */
  add(tx: WriteTransaction, place: Place, task: NewTask, options?: { replace?: boolean }): Promise<boolean>;
  /** Removes a task; one that is being carried out is dropped at its finish. Answers whether there was one. */
  remove(tx: WriteTransaction, place: Place, kind: string, key: string): Promise<boolean>;
  /** Calls `tell` with the due time after each commit that added a task. Answers how to stop it. */
  onAdded(tell: (dueAt: number) => void): () => void;
}

export function createTasks(): Tasks {
  const followers = new Set<(dueAt: number) => void>();
  return {
    async add(tx, place, task, { replace = false } = {}) {
      const whole = { ...task, dueAt: Math.ceil(task.dueAt) };
      const added = await (replace ? upsertTask(tx, place, whole) : insertTask(tx, place, whole));
      if (added) {
        tx.afterCommit(() => {
          for (const tell of followers) tell(whole.dueAt);
        });
      }
      return added;
    },
    remove: deleteTask,
    onAdded(tell) {
      followers.add(tell);
      return () => {
        followers.delete(tell);
      };
    },
  };
}
