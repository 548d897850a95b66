import type { Duration } from '../../../../lib/duration.ts';
import type { Task } from '../dsl.ts';
import { DURATION } from '../schema/values.ts';
import { shown } from '../words.ts';
import type { TaskDescriptor } from './descriptor.ts';

export interface WaitTask extends Task {
  wait: Duration;
}

export const WAIT: TaskDescriptor<WaitTask> = {
  form: (task) => task({ wait: DURATION }),
  words: ({ wait }) => `waits ${durationWords(wait)}`,
  data: (_placed, { input }) => input,
  durations: ({ task, pointer }) => [{ duration: task.wait, pointer: `${pointer}/wait` }],
};

function durationWords(duration: Duration): string {
  if (typeof duration === 'string') return shown(duration);
  return Object.entries(duration)
    .map(([unit, count]) => `${count} ${count === 1 ? unit.replace(/s$/, '') : unit}`)
    .join(' ');
}
