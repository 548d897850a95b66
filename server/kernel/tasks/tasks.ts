import { type PlaybookKey, type ReadTransaction, requireInScope, type WriteTransaction } from '../log/index.ts';
import {
  type Claim,
  deleteTask,
  insertClaimed,
  insertTask,
  selectFirstDue,
  type TaskName,
  takeTask,
  type TaskTable,
  upsertTask,
} from './sql.ts';
import type { NewTask, Task } from './task.ts';

/** Where tasks are added. It knows neither the handlers nor the runner, so that every slice can be given it first. */
export interface Tasks {
  /**
   * Adds a task in the caller's transaction. Where one of the same kind and key is there already, even one that is
   * being carried out, that one is kept; with `replace` the new one takes its place with no tries counted, and
   * what is being carried out of the old one is dropped at its finish.
   */
  add(tx: WriteTransaction, playbookKey: PlaybookKey, task: NewTask, options?: { replace?: boolean }): Promise<void>;
  /** Removes a task, where it is there; one that is being carried out is dropped at its finish. */
  remove(tx: WriteTransaction, playbookKey: PlaybookKey, kind: string, key: string): Promise<void>;
  /** As `remove`. Answers whether it was there. */
  take(tx: WriteTransaction, playbookKey: PlaybookKey, kind: string, key: string): Promise<boolean>;
  /** When the first task of a kind is due whose key begins like this, carried out or not; undefined where there is none. */
  firstDue(tx: ReadTransaction, playbookKey: PlaybookKey, kind: string, prefix: string): Promise<number | undefined>;
  /** Has the runner of every lane look for due tasks. */
  wake: () => void;
  /** Has a runner follow what is added to a lane. Answers how to stop it. */
  follow(table: TaskTable, follower: Follower): () => void;
}

/** A runner, as those who add tasks see it. */
export interface Follower {
  /** Called with the due time after each commit that added a task, or found it there already. */
  onAdded(dueAt: number): void;
  /**
   * A claim for a task of a playbook that is due now, where the runner has room: it is then stored as claimed and need
   * not be looked for. Undefined where it is to wait its turn.
   */
  claimNow(tx: WriteTransaction, playbookKey: PlaybookKey, dueAt: number): { claim: Claim; until: number } | undefined;
  /** Called after the commit that added a task under such a claim. */
  onClaimed(task: Task, claim: Claim): void;
  /** Called after each commit that removed or replaced a task, which may be in progress. */
  onRemoved(name: TaskName): void;
}

/** @param lanes the tables of task kinds; tasks of other kinds are in `tasks` */
export function createTasks(lanes: Readonly<Record<string, TaskTable>> = {}): Tasks {
  const followers = new Map<TaskTable, Follower>();
  const tableOf = (kind: string): TaskTable => lanes[kind] ?? 'tasks';
  function removed(tx: WriteTransaction, table: TaskTable, { org, playbook }: PlaybookKey, kind: string, key: string) {
    tx.afterCommit(() => followers.get(table)?.onRemoved({ org, playbook, kind, key }));
  }

  return {
    async add(tx, playbookKey, task, { replace = false } = {}) {
      requireInScope(tx, playbookKey);
      const table = tableOf(task.kind);
      const whole = { ...task, dueAt: Math.ceil(task.dueAt) };
      const now = replace ? undefined : followers.get(table)?.claimNow(tx, playbookKey, whole.dueAt);
      if (now === undefined) {
        await (replace ? upsertTask : insertTask)(tx, table, playbookKey, whole);
        if (replace) removed(tx, table, playbookKey, task.kind, task.key);
        tx.afterCommit(() => followers.get(table)?.onAdded(whole.dueAt));
      } else if (await insertClaimed(tx, table, playbookKey, whole, now.claim, now.until)) {
        const { org, playbook } = playbookKey;
        const claimed = { ...whole, org, playbook, tries: 0, deaths: 0 };
        tx.afterCommit(() => followers.get(table)?.onClaimed(claimed, now.claim));
      }
    },
    remove(tx, playbookKey, kind, key) {
      const table = tableOf(kind);
      removed(tx, table, playbookKey, kind, key);
      return deleteTask(tx, table, playbookKey, kind, key);
    },
    take(tx, playbookKey, kind, key) {
      const table = tableOf(kind);
      removed(tx, table, playbookKey, kind, key);
      return takeTask(tx, table, playbookKey, kind, key);
    },
    firstDue: (tx, playbookKey, kind, prefix) => selectFirstDue(tx, tableOf(kind), playbookKey, kind, prefix),
    wake() {
      for (const follower of followers.values()) follower.onAdded(0);
    },
    follow(table, follower) {
      followers.set(table, follower);
      return () => {
        if (followers.get(table) === follower) followers.delete(table);
      };
    },
  };
}
