import { type Duration, parseDuration, periodWords } from '../../../../lib/duration.ts';
import type { Task } from '../dsl.ts';
import { DURATION } from '../schema/values.ts';
import { shown } from '../words.ts';
import type { TaskDescriptor } from './descriptor.ts';

export interface WaitTask extends Task {
  wait: Duration;
}

export const WAIT: TaskDescriptor<WaitTask> = {
  form: (task) => task({ wait: DURATION }),
  editing: {
    insert: { about: 'Wait for a time', name: 'pause', task: { wait: 'PT5S' } },
    fields: [{ label: 'Wait', pointer: '/wait', kind: 'text', isRequired: true, placeholder: 'PT5S' }],
  },
  words: ({ wait }) => `waits ${durationWords(wait)}`,
  data: (_placed, { input }) => input,
  durations: ({ task, pointer }) => [{ duration: task.wait, pointer: `${pointer}/wait` }],
};

function durationWords(duration: Duration): string {
  const parsed = parseDuration(duration);
  return parsed === undefined ? shown(duration) : periodWords(parsed);
}
