export type { Progress } from './fold.ts';
export { createRecallKind, type MetView, type RecallKind, type Views } from './recall.ts';
export { type Filtered, isKept } from './reads.ts';
