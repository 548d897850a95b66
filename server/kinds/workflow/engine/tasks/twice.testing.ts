// The second file of `twice`: a frame of its own counts the rounds.
import type { TaskEngine } from '../model.ts';
import type { TwiceTask } from '../../document/tasks/twice.testing.ts';
import type { FrameOf, Sequence } from '../frames.ts';
import { continueWith } from '../next-step.ts';
import { finishFrame } from '../steps.ts';
import { transform } from '../values.ts';
import { note, openFrame } from '../work.ts';

type TwiceFrame = FrameOf<'twice'> & Sequence & { round: number };

export const TWICE_ENGINE: TaskEngine<TwiceTask, TwiceFrame> = {
  *begin(work, visit, { twice }) {
    const first = yield* transform(work, visit, twice.from, visit.input);
    const given = { raw: visit.raw, input: visit.input };
    const frame = yield* openFrame<TwiceFrame>(work, visit, { kind: 'twice', child: 0, round: 1 }, given);
    note(work, frame, 'started');
    continueWith(work, frame, 'body', 0, first);
  },
  frames: {
    twice: {
      *over(work, frame, { output }) {
        if (frame.round === 2) return yield* finishFrame(work, frame, output);
        frame.round = 2;
        continueWith(work, frame, 'body', 0, output);
      },
      iteration: ({ round }) => round - 1,
      // oxlint-disable-next-line require-yield -- a frame's variables may have to be read; these stand in it
      *variables(_work, { round }) {
        return { round };
      },
    },
  },
};
