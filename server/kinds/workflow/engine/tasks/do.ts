import type { DoTask } from '../../document/tasks/do.ts';
import type { TaskEngine } from '../model.ts';
import type { FrameOf, Sequence } from '../frames.ts';
import { continueWith } from '../next-step.ts';
import { finishFrame } from '../steps.ts';
import { boundTime, timeLimit } from '../time.ts';
import { note, openFrame } from '../work.ts';

export type DoFrame = FrameOf<'do'> & Sequence;

/** Runs the steps of a list, one after the other. */
export const DO_ENGINE: TaskEngine<DoTask, DoFrame> = {
  *begin(work, visit) {
    const limit = yield* timeLimit(work, visit);
    const given = { raw: visit.raw, input: visit.input };
    const frame = yield* openFrame<DoFrame>(work, visit, { kind: 'do', child: 0 }, given);
    boundTime(work, frame, limit);
    note(work, frame, 'started');
    continueWith(work, frame, 'body', 0, visit.input);
  },
  frames: {
    do: { over: (work, frame, { output }) => finishFrame(work, frame, output) },
  },
};
