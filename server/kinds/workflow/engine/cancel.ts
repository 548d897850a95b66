// Stops what goes on under a frame.
import { assertNever } from '../../../../shared/assert-never.ts';
import type { CancelKind } from '../../durable.ts';
import { caughtKey, type Frame, resultKey, ROOT } from './frames.ts';
import type { Asking } from './requests.ts';
import { closeFrame, note, stopTimer, takeFrame, withdraw, type Work, writePart } from './work.ts';

/** Stops all that runs or waits under the frame, and what the frame itself waits for, once. The frame stays. */
export function* cancelUnder(work: Work, frame: Frame, kind: CancelKind): Asking<void> {
  if ('child' in frame && frame.child !== 0) yield* cancelFrame(work, frame.child, kind);
  switch (frame.kind) {
    case 'root':
    case 'do':
    case 'function':
    case 'for':
    case 'branch':
      return;
    case 'extension':
      return writePart(work, resultKey(frame.id, 0), undefined);
    case 'try':
      stopTimer(work, frame.timer);
      frame.timer = 0;
      return writePart(work, caughtKey(frame.id), undefined);
    case 'fork':
      return yield* cancelBranches(work, frame, kind);
    case 'wait':
      stopTimer(work, frame.timer);
      frame.timer = 0;
      return;
    case 'call':
      if (frame.runId !== '') stopRun(work, frame.runId, kind);
      frame.runId = '';
      return;
    case 'perform':
      if (frame.command === 0) return;
      if (!withdraw(work, (command) => command.do === 'perform' && command.number === frame.command)) {
        work.commands.push({ do: 'stop_performing', number: frame.command });
      }
      frame.command = 0;
      return;
    case 'listen':
      return stopListening(work, frame.id, frame.taken);
    default:
      return assertNever(frame);
  }
}

/** Stops a frame with all under it. A step that was cut off is shown as passed over. */
function* cancelFrame(work: Work, id: number, kind: CancelKind): Asking<void> {
  const frame = yield* takeFrame(work, id);
  if (frame === undefined) return;
  yield* cancelUnder(work, frame, kind);
  if (frame.kind !== 'extension' && frame.kind !== 'branch') note(work, frame, 'skipped', { because: 'stopped' });
  yield* closeFrame(work, frame);
}

/** Stops every branch of a fork and lets its outputs go. */
export function* cancelBranches(work: Work, fork: Frame & { kind: 'fork' }, kind: CancelKind): Asking<void> {
  for (let branch = 0; branch < fork.branches; branch += 1) {
    yield* cancelFrame(work, fork.first + branch, kind);
    writePart(work, resultKey(fork.id, branch), undefined);
  }
}

export function stopListening(work: Work, listener: number, events: number): void {
  if (!work.root.listens.includes(listener)) return;
  work.root.listens = work.root.listens.filter((other) => other !== listener);
  for (let place = 0; place < events; place += 1) writePart(work, resultKey(listener, place), undefined);
  if (!withdraw(work, (command) => command.do === 'listen' && command.listener === listener)) {
    work.commands.push({ do: 'stop_listening', listener });
  }
}

function stopRun(work: Work, runId: string, kind: CancelKind): void {
  if (withdraw(work, (command) => command.do === 'start_run' && command.runId === runId)) return;
  const detail =
    kind === 'deadline'
      ? 'The step of the workflow that waited for this run ran out of time.'
      : 'The workflow that waited for this run went on or ended without it.';
  work.commands.push({ do: 'cancel_run', runId, kind, detail });
}

/** Stops everything that the run still does. */
export function* cancelAll(work: Work, kind: CancelKind): Asking<void> {
  const root = yield* takeFrame(work, ROOT);
  if (root !== undefined) yield* cancelUnder(work, root, kind);
  stopTimer(work, work.root.timeout);
  stopTimer(work, work.root.overrun);
  work.actions.length = 0;
}
