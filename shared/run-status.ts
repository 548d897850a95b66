import type { ReservedEventType } from './schemas/events/reserved-types.ts';

/** The statuses of a run: in progress, or how it ended. */
export const RUN_STATUSES = ['started', 'succeeded', 'rejected', 'failed'] as const;

export type RunStatus = (typeof RUN_STATUSES)[number];

/** What a run in progress may be waiting for, in the order in which it is listed. An addition to the contract. */
export const AWAITED = ['answer', 'upload', 'timer', 'event', 'run'] as const;

export type Awaited = (typeof AWAITED)[number];

/** The events that end a run, and the status of the run after each. */
export const RUN_ENDINGS = {
  run_succeeded: 'succeeded',
  run_rejected: 'rejected',
  run_failed: 'failed',
} as const satisfies Partial<Record<ReservedEventType, RunStatus>>;

export type RunEnding = keyof typeof RUN_ENDINGS;

export function isRunEnding(type: string): type is RunEnding {
  return Object.hasOwn(RUN_ENDINGS, type);
}
