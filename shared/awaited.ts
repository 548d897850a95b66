/** What a run in progress may be waiting for, in the order in which it is listed. An addition to the contract. */
export const AWAITED = ['answer', 'upload', 'timer', 'event', 'run'] as const;

export type Awaited = (typeof AWAITED)[number];
