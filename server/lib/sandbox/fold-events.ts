// Folds a batch of events into a view; the worker's part of it.
//
// 1. The program is evaluated once a batch. Each event has the whole of the work that a program may do.
// 2. An event that passes in a batch passes alone: in a batch it has a little less work, since the count that it begins
//    in may be half used.
// 3. What comes out of a batch comes out of each division of it: the state leaves as text, checked to come back as it is.
import type { QuickJSHandle } from 'quickjs-emscripten-core';
import type { Instance } from './instance.ts';
import type { Folded, FoldJob, NotFolded } from './job.ts';
import { callText, errorDetail, evaluateView, SpoiltInstance, TOO_MUCH_WORK } from './run-program.ts';

/** Counts of work that a batch keeps back. */
const KEPT_BACK = 2;

/** How often a worker at work gives a sign of life: each costs a message. */
const SIGN_EVERY_MS = 200;

/**
 * @param program the job's source without types, with its constants
 * @param giveSign says that the worker is not stuck, and how long it may be silent from now on
 */
export function foldEvents(
  instance: Instance,
  program: string,
  job: FoldJob,
  giveSign: (silentMs: number) => void,
): Folded | NotFolded {
  const { watched } = job;
  let lastSign = 0;
  if (watched !== undefined) {
    instance.onTick(() => {
      const now = performance.now();
      if (now - lastSign < SIGN_EVERY_MS) return;
      lastSign = now;
      giveSign(watched.silentMs);
    });
  }
  try {
    return fold(instance, program, job);
  } catch (error) {
    if (instance.isExhausted()) return { kind: 'not_folded', index: undefined, detail: TOO_MUCH_WORK };
    throw new SpoiltInstance('The sandbox failed.', { cause: error });
  } finally {
    instance.onTick(undefined);
  }
}

function fold(instance: Instance, program: string, job: FoldJob): Folded | NotFolded {
  const { context, prelude } = instance;
  const begun = performance.now();
  const module = evaluateView(instance, program);
  const fail = (detail: string, index?: number): NotFolded => ({ kind: 'not_folded', index, detail });
  if ('detail' in module) return fail(module.detail);
  callText(context, prelude, 'startFold', [module.exports, context.newString(job.state)]);
  const foldEvent = context.getProp(prelude, 'foldEvent');
  let count = 0;
  for (const event of job.events) {
    if (count > 0 && performance.now() - begun >= job.budgetMs) break;
    if (job.watched !== undefined) Atomics.store(job.watched.index, 0, count);
    instance.renew(job.events.length > 1 ? KEPT_BACK : 0);
    const thrown = stepOver(instance, foldEvent, event);
    if (thrown !== undefined) return fail(thrown, count);
    if (job.isEachLookedAt) {
      const state = stateOf(instance, job);
      if ('detail' in state) return fail(state.detail, count);
    }
    count += 1;
  }
  const state = stateOf(instance, job);
  if ('detail' in state) return fail(state.detail, count === 1 ? 0 : undefined);
  return { kind: 'folded', state: state.text, count };
}

/** Why the event could not be folded, in words; undefined where it was. */
function stepOver(instance: Instance, foldEvent: QuickJSHandle, event: string): string | undefined {
  const { context } = instance;
  const text = context.newString(event);
  const result = context.callFunction(foldEvent, context.undefined, text);
  text.dispose();
  if (result.error !== undefined || instance.isExhausted()) {
    if (instance.isExhausted()) return TOO_MUCH_WORK;
    throw new Error('The sandbox threw an error of its own.');
  }
  const thrown = context.getString(result.value);
  result.value.dispose();
  return thrown === '' ? undefined : errorDetail(thrown);
}

/** The state as JSON text, or what is wrong with it. No code of the program is called. */
function stateOf(instance: Instance, { stateBytes }: FoldJob): { text: string } | { detail: string } {
  const { context, prelude } = instance;
  const written = instance.uncounted(() => callText(context, prelude, 'heldState', [context.newNumber(stateBytes)]));
  const text = written.slice(1);
  if (written[0] === '-') return { detail: `The state ${text}.` };
  if (written[0] !== '+') return { detail: errorDetail(text) };
  const bytes = Buffer.byteLength(text);
  if (bytes <= stateBytes) return { text };
  return { detail: `The state has ${bytes} bytes as JSON, and the maximum is ${stateBytes}.` };
}
