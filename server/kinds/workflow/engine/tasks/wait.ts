import type { Asking } from '../requests.ts';
import type { Visit } from '../steps.ts';
import { boundTime, endOf, timeLimit } from '../time.ts';
import { note, openFrame, startTimer, type Work } from '../work.ts';
import { isoTime } from '../../../../lib/clock.ts';

/** Waits for a time; the step's input is its output. */
export function* beginWait(work: Work, visit: Visit): Asking<void> {
  const { task } = visit.step;
  if (!('wait' in task)) return;
  const until = yield* endOf(work, visit, task.wait, visit.input);
  const limit = yield* timeLimit(work, visit);
  const frame = yield* openFrame(work, visit, { kind: 'wait', timer: 0 }, { raw: visit.raw, input: visit.input });
  if (frame.kind === 'wait') frame.timer = startTimer(work, until, { frame: frame.id, for: 'wait' });
  boundTime(work, frame, limit);
  note(work, frame, 'waiting', { waitsFor: `the time ${isoTime(until)}` });
}
