// An extension runs steps before and after the step that it extends. What they give does not reach the step: a log
// line must not change the data. Only `exit` before it takes the step's place.
import type { Json, JsonObject } from '../../../../../shared/json.ts';
import { type ExtensionFrame, resultKey } from '../frames.ts';
import type { ListName } from '../work.ts';
import type { Asking } from '../requests.ts';
import { goOn, leave, type Visit } from '../steps.ts';
import { holds } from '../values.ts';
import { closeFrame, coldOf, openFrame, readPart, stepOf, type Work, writePart } from '../work.ts';

export function* beginExtension(work: Work, visit: Visit): Asking<void> {
  const { extension } = visit.step;
  const applies = extension?.when === undefined || (yield* holds(work, visit, extension.when, visit.raw));
  const given = { raw: visit.raw, input: visit.raw, applies };
  const frame = yield* openFrame(
    work,
    visit,
    { kind: 'extension', child: 0, phase: applies ? 'before' : 'extended' },
    given,
  );
  goOn(work, frame, applies ? 'before' : 'body', 0, visit.raw);
}

/** The extended step is done. Where it goes on is said by itself, once the steps after it are done. */
export function* extensionStepDone(work: Work, frame: ExtensionFrame, output: Json, then: string): Asking<void> {
  const { applies } = yield* coldOf(work, frame.id);
  if (applies !== true) return yield* endExtension(work, frame, output, then);
  frame.phase = 'after';
  writePart(work, resultKey(frame.id, 0), { output, then });
  goOn(work, frame, 'after', 0, output);
}

export function* extensionStepsOver(
  work: Work,
  frame: ExtensionFrame,
  list: ListName,
  output: Json,
  hasExited: boolean,
): Asking<void> {
  if (list === 'before' && hasExited) return yield* endExtension(work, frame, output, 'continue');
  if (list === 'before') {
    frame.phase = 'extended';
    return goOn(work, frame, 'body', 0, (yield* coldOf(work, frame.id)).raw);
  }
  const kept = (yield* readPart(work, resultKey(frame.id, 0))) as JsonObject;
  yield* endExtension(work, frame, kept['output'] ?? null, String(kept['then']));
}

function* endExtension(work: Work, frame: ExtensionFrame, output: Json, then: string): Asking<void> {
  writePart(work, resultKey(frame.id, 0), undefined);
  yield* closeFrame(work, frame);
  leave(work, frame.parent, stepOf(work, frame), output, then);
}
