import type { ForTask } from '../../document/tasks/for.ts';
import type { TaskEngine, Work } from '../model.ts';
import type { Json } from '../../../../../shared/json.ts';
import { Fault, fault } from '../faults.ts';
import type { Cold, FrameOf, Sequence } from '../frames.ts';
import type { Asking } from '../requests.ts';
import { continueWith } from '../next-step.ts';
import { failFrame, finishFrame } from '../steps.ts';
import { boundTime, timeLimit } from '../time.ts';
import { evaluate, fill, holds } from '../values.ts';
import { coldOf, note, openFrame, stepOf } from '../work.ts';

const MOST_ITERATIONS = 10_000;

export type ForFrame = FrameOf<'for'> & Sequence & { turn: number };

interface ForCold extends Cold {
  items: Json[];
}

/** Runs the steps once for each item; what one turn gives is what the next one gets. */
export const FOR_ENGINE: TaskEngine<ForTask, ForFrame> = {
  *begin(work, visit, task) {
    const { reference } = visit.step;
    const items =
      typeof task.for.in === 'string'
        ? yield* evaluate(work, visit, task.for.in, visit.input)
        : yield* fill(work, visit, task.for.in, visit.input);
    if (!Array.isArray(items)) throw fault('expression', 400, `The value that ${reference} loops over is not a list.`);
    if (items.length > MOST_ITERATIONS) {
      throw fault(
        'configuration',
        400,
        `${reference} loops over ${items.length} items, and the maximum is ${MOST_ITERATIONS}.`,
      );
    }
    const limit = yield* timeLimit(work, visit);
    const cold: ForCold = { raw: visit.raw, input: visit.input, items };
    const frame = yield* openFrame<ForFrame>(work, visit, { kind: 'for', child: 0, turn: 0 }, cold);
    boundTime(work, frame, limit);
    note(work, frame, 'started');
    yield* nextIteration(work, frame, visit.input);
  },
  frames: {
    for: {
      *over(work, frame, { output }) {
        frame.turn += 1;
        yield* nextIteration(work, frame, output);
      },
      iteration: ({ turn }) => turn,
      *variables(work, frame) {
        const { each = 'item', at = 'index' } = (stepOf(work, frame).task as ForTask).for;
        const { items } = (yield* coldOf(work, frame.id)) as ForCold;
        return { [each]: items[frame.turn] ?? null, [at]: frame.turn };
      },
    },
  },
};

/** Begins the turn that the frame stands at, or ends the loop with its current data. */
function* nextIteration(work: Work, frame: ForFrame, data: Json): Asking<void> {
  const { while: condition } = stepOf(work, frame).task as ForTask;
  const { items, input } = (yield* coldOf(work, frame.id)) as ForCold;
  if (frame.turn >= items.length) return yield* finishFrame(work, frame, data);
  try {
    const place = { parent: frame.id, step: stepOf(work, frame), input, startedAt: frame.startedAt };
    if (condition !== undefined && !(yield* holds(work, place, condition, data))) {
      return yield* finishFrame(work, frame, data);
    }
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return yield* failFrame(work, frame, error);
  }
  continueWith(work, frame, 'body', 0, data);
}
