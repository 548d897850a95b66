// What a run waits for, counted while its frames open and close, so that listing runs does not read their frames.
import type { Json } from '../../../../shared/json.ts';
import { AWAITED, type Awaited } from '../../../../shared/awaited.ts';
import type { CallFrame, Frame, RootFrame, TryFrame } from './frames.ts';

type Waiting = { kind: Frame['kind'] } & Partial<Pick<CallFrame, 'awaits'> & { phase: string }>;

/** Nothing where the frame runs steps, or where a call out of the service is under way: then the run is working. */
function awaitedBy({ kind, phase, awaits }: Waiting): Awaited | undefined {
  if (kind === 'call') return awaits ?? 'run';
  if (kind === 'wait' || (kind === 'try' && phase === 'wait')) return 'timer';
  return kind === 'listen' ? 'event' : undefined;
}

/** @param change 1 once the frame waits, -1 once it no longer does */
export function countAwaited(root: RootFrame, frame: Waiting, change: 1 | -1): void {
  const awaited = awaitedBy(frame);
  if (awaited === undefined) return;
  const before = root.awaited ?? {};
  root.awaited = { ...before, [awaited]: Math.max(0, (before[awaited] ?? 0) + change) };
}

export function setPhase(root: RootFrame, frame: TryFrame, phase: TryFrame['phase']): void {
  countAwaited(root, frame, -1);
  frame.phase = phase;
  countAwaited(root, frame, 1);
}

/** @param root the root frame as it is stored; undefined before the run's first decision */
export function awaitedIn(root: Json | undefined): Awaited[] {
  const { awaited = {} } = (root ?? {}) as Partial<RootFrame>;
  return AWAITED.filter((one) => (awaited[one] ?? 0) > 0);
}
