import type { WaitTask } from '../../document/tasks/wait.ts';
import type { TaskEngine } from '../model.ts';
import { isoTime } from '../../../../lib/clock.ts';
import type { FrameOf } from '../frames.ts';
import { finishFrame, visitOf } from '../steps.ts';
import { boundTime, endOf, timeLimit } from '../time.ts';
import { note, openFrame, startTimer, stopTimer } from '../work.ts';

export type WaitFrame = FrameOf<'wait'> & { timer: number };

/** Waits for a time; the step's input is its output. */
export const WAIT_ENGINE: TaskEngine<WaitTask, WaitFrame> = {
  *begin(work, visit, task) {
    const until = yield* endOf(work, visit, task.wait, visit.input);
    const limit = yield* timeLimit(work, visit);
    const given = { raw: visit.raw, input: visit.input };
    const frame = yield* openFrame<WaitFrame>(work, visit, { kind: 'wait', timer: 0 }, given);
    frame.timer = startTimer(work, until, { frame: frame.id, for: 'wait' });
    boundTime(work, frame, limit);
    note(work, frame, 'waiting', { waitsFor: `the time ${isoTime(until)}` });
  },
  frames: {
    wait: {
      isLeaf: true,
      awaits: () => 'timer',
      *apply(work, frame, { data }) {
        if (data['for'] !== 'wait' || frame.timer !== Number(data['number'])) return false;
        yield* finishFrame(work, frame, (yield* visitOf(work, frame)).input);
        return true;
      },
      stop(work, frame) {
        stopTimer(work, frame.timer);
        frame.timer = 0;
      },
    },
  },
};
