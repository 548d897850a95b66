export { createFold, type Fold } from './fold.ts';
export { createRecallKind, type MetView, type Views } from './recall.ts';
export { type Filtered, isKept } from './reads.ts';
