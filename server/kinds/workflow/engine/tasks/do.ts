import type { Asking } from '../requests.ts';
import { goOn, type Visit } from '../steps.ts';
import { boundTime, timeLimit } from '../time.ts';
import { note, openFrame, type Work } from '../work.ts';

/** Runs the steps of a list, one after the other. */
export function* beginDo(work: Work, visit: Visit): Asking<void> {
  const limit = yield* timeLimit(work, visit);
  const frame = yield* openFrame(work, visit, { kind: 'do', child: 0 }, { raw: visit.raw, input: visit.input });
  boundTime(work, frame, limit);
  note(work, frame, 'started');
  goOn(work, frame, 'body', 0, visit.input);
}
