// An extension runs steps before and after the step that it extends. What they give does not reach the step: a log
// line must not change the data. Only `exit` before it takes the step's place.
import type { Task } from '../../document/dsl.ts';
import type { ListEnd, TaskEngine, Work } from '../model.ts';
import type { Json, JsonObject } from '../../../../../shared/json.ts';
import { type FrameOf, resultKey, type Sequence } from '../frames.ts';
import type { Asking } from '../requests.ts';
import { continueWith } from '../next-step.ts';
import { leave } from '../steps.ts';
import { holds } from '../values.ts';
import { closeFrame, coldOf, openFrame, readPart, stepOf, writePart } from '../work.ts';

export type ExtensionFrame = FrameOf<'extension'> & Sequence & { phase: 'before' | 'extended' | 'after' };

/** Not a type of task: the engine puts such a step around each step that an extension is for. */
export const EXTENSION_ENGINE: TaskEngine<Task, ExtensionFrame> = {
  *begin(work, visit) {
    const { extension } = visit.step;
    const applies = extension?.when === undefined || (yield* holds(work, visit, extension.when, visit.raw));
    const given = { raw: visit.raw, input: visit.raw, applies };
    const phase = applies ? 'before' : 'extended';
    const frame = yield* openFrame<ExtensionFrame>(work, visit, { kind: 'extension', child: 0, phase }, given);
    continueWith(work, frame, applies ? 'before' : 'body', 0, visit.raw);
  },
  frames: {
    extension: {
      isInner: true,
      list: ({ phase }) => (phase === 'extended' ? 'body' : phase),
      *stepDone(work, frame, { output, then }) {
        if (frame.phase !== 'extended') return false;
        yield* extensionStepDone(work, frame, output, then);
        return true;
      },
      over: extensionStepsOver,
      stop(work, frame) {
        writePart(work, resultKey(frame.id, 0), undefined);
      },
    },
  },
};

/** The extended step is done. It names the next step itself, once the steps after it are done. */
function* extensionStepDone(work: Work, frame: ExtensionFrame, output: Json, then: string): Asking<void> {
  const { applies } = yield* coldOf(work, frame.id);
  if (applies !== true) return yield* endExtension(work, frame, output, then);
  frame.phase = 'after';
  writePart(work, resultKey(frame.id, 0), { output, then });
  continueWith(work, frame, 'after', 0, output);
}

function* extensionStepsOver(work: Work, frame: ExtensionFrame, { list, output, hasExited }: ListEnd): Asking<void> {
  if (list === 'before' && hasExited) return yield* endExtension(work, frame, output, 'continue');
  if (list === 'before') {
    frame.phase = 'extended';
    return continueWith(work, frame, 'body', 0, (yield* coldOf(work, frame.id)).raw);
  }
  const kept = (yield* readPart(work, resultKey(frame.id, 0))) as JsonObject;
  yield* endExtension(work, frame, kept['output'] ?? null, String(kept['then']));
}

function* endExtension(work: Work, frame: ExtensionFrame, output: Json, then: string): Asking<void> {
  writePart(work, resultKey(frame.id, 0), undefined);
  yield* closeFrame(work, frame);
  leave(work, frame.parent, stepOf(work, frame), output, then);
}
