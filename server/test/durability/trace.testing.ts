// What the services of one case were seen to do, and what was wrong with it at once.
import type Database from 'better-sqlite3';
import type { Task } from '../../kernel/tasks/index.ts';
import { isCopy } from './process.testing.ts';
import type { Watch } from './parts.testing.ts';

export interface Trace extends Watch {
  errors: unknown[];
  taskBegun(task: Task, now: number): void;
  /** Nothing goes on: of runs that have ended nothing must be left. */
  idle(): void;
}

/** @param looking reads the database beside the service */
export function createTrace(looking: Database.Database): Trace {
  const errors: unknown[] = [];
  const calls = new Map<string, number>();
  const ended = new Set<string>();
  return {
    errors,
    performed(call, mayRepeat) {
      const times = (calls.get(call) ?? 0) + 1;
      calls.set(call, times);
      if (times > 1 && !mayRepeat) errors.push(new Error(`The call ${call} was made ${times} times.`));
      if (!isAskedFor(looking, call)) errors.push(new Error(`The call ${call} was made though nobody asks for it.`));
    },
    carriedOut({ runId, attempt }) {
      const key = `${runId} ${attempt}`;
      // An attempt that a crash cut off before anything was recorded of it leaves no trace, and begins again.
      if (ended.has(key) && isRecorded(looking, runId, attempt))
        errors.push(new Error(`The attempt ${key} was carried out twice.`));
      ended.add(key);
    },
    taskBegun(task, now) {
      if (task.dueAt > now) errors.push(new Error(`${task.kind} ${task.key} began ${task.dueAt - now} ms early.`));
    },
    idle() {
      for (const left of leftOver(looking)) errors.push(new Error(`A run that has ended left ${left}.`));
    },
  };
}

function isAskedFor(looking: Database.Database, call: string): boolean {
  return looking.prepare(`SELECT 1 FROM tasks WHERE kind = 'run-perform' AND key = ?`).get(call) !== undefined;
}

const OF_ENDED: Readonly<Record<string, string>> = {
  run_parts: 'run_id',
  run_calls: 'run_id',
  run_mailbox: 'run_id',
  run_waiters: 'waiting_run_id',
  requests: 'run_id',
  event_subscriptions: 'subscriber',
};

function leftOver(looking: Database.Database): string[] {
  const rows = Object.entries(OF_ENDED).flatMap(([table, column]) =>
    looking
      .prepare(
        `SELECT * FROM ${table} AS kept JOIN runs ON runs.org = kept.org AND runs.playbook = kept.playbook
         AND runs.run_id = kept.${column} WHERE runs.status <> 'started'`,
      )
      .all()
      // Events that a run took stay, for its reruns.
      .filter((row) => table !== 'run_mailbox' || (row as { taken: number }).taken === 0)
      .map((row) => `${table}: ${JSON.stringify(row)}`),
  );
  const tasks = (looking.prepare('SELECT kind, key, due_at, payload FROM tasks').all() as TaskRow[])
    .map((row) => ({ ...row, payload: JSON.parse(row.payload) as { run_id?: string } }))
    .filter(({ payload }) => !isCopy({ payload }) && payload.run_id !== undefined && isEnded(looking, payload.run_id))
    .map((row) => `a task: ${JSON.stringify(row)}`);
  return [...rows, ...tasks];
}

function isRecorded(looking: Database.Database, runId: string, attempt: number): boolean {
  return looking.prepare('SELECT 1 FROM runs WHERE run_id = ? AND attempt >= ?').get(runId, attempt) !== undefined;
}

interface TaskRow {
  kind: string;
  key: string;
  due_at: number;
  payload: string;
}

function isEnded(looking: Database.Database, runId: string): boolean {
  const status = looking.prepare('SELECT status FROM runs WHERE run_id = ?').pluck().get(runId);
  return status !== undefined && status !== 'started';
}
