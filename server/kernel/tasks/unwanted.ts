// Tasks in progress whose work is not wanted any more, because they were removed or replaced: here, or by another process.
import type { SharedStore } from '../log/index.ts';
import type { TaskName, TaskTable } from './sql.ts';
import { LeaseLost } from './task.ts';

export interface Unwanted {
  /** A task is in progress from now on; the signal is aborted once it is removed. */
  watch(task: TaskName): { signal: AbortSignal; end: () => void };
  onRemoved: (name: TaskName) => void;
  onAnnounced(topic: string): void;
}

export interface UnwantedOptions {
  table: TaskTable;
  shared: Pick<SharedStore, 'announce'> | undefined;
}

export function createUnwanted({ table, shared }: UnwantedOptions): Unwanted {
  const watched = new Map<string, { task: TaskName; controller: AbortController }>();
  const topic = `removed from ${table} `;
  const keyOf = ({ org, playbook, kind, key }: TaskName): string => JSON.stringify([org, playbook, kind, key]);

  /** Returns false if the task is not in progress here. */
  function abort(key: string): boolean {
    const found = watched.get(key);
    found?.controller.abort(new LeaseLost(found.task));
    return found !== undefined;
  }

  return {
    watch(task) {
      const key = keyOf(task);
      const own = { task, controller: new AbortController() };
      watched.set(key, own);
      const end = (): void => {
        if (watched.get(key) === own) watched.delete(key);
      };
      return { signal: own.controller.signal, end };
    },
    onRemoved(name) {
      const key = keyOf(name);
      // What the main lane carries out is quick, and most of what is removed there is not due yet.
      if (!abort(key) && table !== 'tasks') shared?.announce(topic + key);
    },
    onAnnounced(announced) {
      if (announced.startsWith(topic)) abort(announced.slice(topic.length));
    },
  };
}
