// Stops everything that runs under a frame.
import type { Work } from './model.ts';
import type { CancelKind } from '../../durable.ts';
import { type Frame, ROOT } from './frames.ts';
import type { Asking } from './requests.ts';
import { closeFrame, note, rulesOf, stopTimer, takeFrame } from './work.ts';

/** Stops all that runs or waits under the frame, and what the frame itself waits for, once. The frame stays. */
export function* cancelUnder(work: Work, frame: Frame, kind: CancelKind): Asking<void> {
  if (frame.child !== undefined && frame.child !== 0) yield* cancelFrame(work, frame.child, kind);
  const rules = rulesOf(work, frame);
  for (const branch of rules.branchFrames?.(frame) ?? []) yield* cancelFrame(work, branch, kind);
  rules.stop?.(work, frame, kind);
}

/** Stops a frame with all under it. A step that was cut off is shown as passed over. */
function* cancelFrame(work: Work, id: number, kind: CancelKind): Asking<void> {
  const frame = yield* takeFrame(work, id);
  if (frame === undefined) return;
  yield* cancelUnder(work, frame, kind);
  if (rulesOf(work, frame).isInner !== true) note(work, frame, 'skipped', { because: 'stopped' });
  yield* closeFrame(work, frame);
}

/** Stops everything that the run still does. */
export function* cancelAll(work: Work, kind: CancelKind): Asking<void> {
  const root = yield* takeFrame(work, ROOT);
  if (root !== undefined) yield* cancelUnder(work, root, kind);
  stopTimer(work, work.root.timeout);
  stopTimer(work, work.root.overrun);
  work.actions.length = 0;
}
