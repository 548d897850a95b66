// What a run waits for, counted while its frames open and close, so that listing runs does not read their frames.
import { AWAITED, type Awaited } from '../../../../shared/run-status.ts';
import type { Json } from '../../../../shared/json.ts';
import type { RootFrame } from './frames.ts';

/** @param change 1 once a frame waits, -1 once it no longer does */
export function countAwaited(root: RootFrame, awaited: Awaited | undefined, change: 1 | -1): void {
  if (awaited === undefined) return;
  const before = root.awaited ?? {};
  root.awaited = { ...before, [awaited]: Math.max(0, (before[awaited] ?? 0) + change) };
}

/** @param root the root frame as it is stored; undefined before the run's first decision */
export function awaitedIn(root: Json | undefined): Awaited[] {
  const { awaited = {} } = (root ?? {}) as Partial<RootFrame>;
  return AWAITED.filter((one) => (awaited[one] ?? 0) > 0);
}
