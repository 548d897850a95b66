import type { ReservedEventType } from './schemas/events/reserved-types.ts';
import type { Run } from './schemas/run.ts';

/** The events that end a run, and how it stands after each. */
export const RUN_ENDINGS = {
  run_succeeded: 'succeeded',
  run_rejected: 'rejected',
  run_failed: 'failed',
} as const satisfies Partial<Record<ReservedEventType, Run['status']>>;

export type RunEnding = keyof typeof RUN_ENDINGS;

export function isRunEnding(type: string): type is RunEnding {
  return Object.hasOwn(RUN_ENDINGS, type);
}
