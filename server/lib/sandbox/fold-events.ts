// Folds a batch of events into a view; the worker's part of it.
//
// 1. Each batch begins with the evaluated program, and quick events go in together, as one JSON array. Each event has the whole
//    of the work that a program may do: those that do more together go in again, each alone.
// 2. An event that passes in a batch passes alone: in a batch it has a little less work, since the count that it begins
//    in may be half used.
// 3. What comes out of a batch comes out of each division of it: the state leaves as text, checked to come back as it is.
import type { Instance } from './instance.ts';
import type { Folded, FoldJob, NotFolded, TooMuchTogether } from './job.ts';
import { errorDetail, evaluateView, SpoiltInstance, TOO_MUCH_WORK } from './run-program.ts';

/** Counts of work that a batch keeps back. */
const KEPT_BACK = 2;

/** How many events go in together at most, and how long they are as texts unless there is one. */
const MOST_TOGETHER = 64;
const CHARACTERS_TOGETHER = 64_000;
/** Events that took longer go in with fewer others, so that time is looked at between them, in milliseconds. */
const QUICK_MS = 5;

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
): Folded | NotFolded | TooMuchTogether {
  const { watched } = job;
  let lastSign = 0;
  const showLife = (): void => {
    const now = performance.now();
    if (watched === undefined || now - lastSign < SIGN_EVERY_MS) return;
    lastSign = now;
    giveSign(watched.silentMs);
  };
  instance.onTick(showLife);
  try {
    return fold(instance, program, job, showLife);
  } catch (error) {
    if (instance.isExhausted()) return { kind: 'not_folded', index: undefined, detail: TOO_MUCH_WORK };
    throw new SpoiltInstance('The sandbox failed.', { cause: error });
  } finally {
    instance.onTick(undefined);
  }
}

function fold(
  instance: Instance,
  program: string,
  job: FoldJob,
  showLife: () => void,
): Folded | NotFolded | TooMuchTogether {
  const { context } = instance;
  const begun = performance.now();
  const module = evaluateView(instance, program);
  if ('detail' in module) return { kind: 'not_folded', index: undefined, detail: module.detail };
  instance.call('startFold', module.exports, context.newString(job.state));
  let count = 0;
  let most = 1;
  while (count < job.events.length) {
    const now = performance.now();
    if (count > 0 && now - begun >= job.budgetMs) break;
    const together = takeTogether(job.events, count, most);
    if (job.watched !== undefined) {
      Atomics.store(job.watched.inProgress, 0, count);
      Atomics.store(job.watched.inProgress, 1, together.length);
    }
    showLife();
    instance.renew(job.events.length > 1 ? KEPT_BACK : 0);
    const thrown = stepOver(instance, `[${together.join(',')}]`);
    if (thrown !== undefined) {
      if (together.length > 1 && instance.isExhausted()) return { kind: 'too_much_together' };
      return { kind: 'not_folded', index: count + thrown.index, detail: thrown.detail };
    }
    count += together.length;
    const isQuick = performance.now() - now < QUICK_MS;
    most = job.isEachAlone ? 1 : Math.max(1, Math.min(MOST_TOGETHER, isQuick ? most * 2 : most >> 1));
    if (!job.isEachLookedAt || count === job.events.length) continue;
    const looked = stateOf(instance, job);
    if ('detail' in looked) return { kind: 'not_folded', index: count - 1, detail: looked.detail };
  }
  const state = stateOf(instance, job);
  if ('text' in state) return { kind: 'folded', state: state.text, count };
  const isLast = count === 1 || job.isEachLookedAt;
  return { kind: 'not_folded', index: isLast ? count - 1 : undefined, detail: state.detail };
}

/** The next events, at most so many and at most so long that their objects need little memory; at least one. */
function takeTogether(events: readonly string[], from: number, most: number): readonly string[] {
  let characters = 0;
  let end = from;
  while (end < events.length && end - from < most) {
    characters += events[end]?.length ?? 0;
    if (end > from && characters > CHARACTERS_TOGETHER) break;
    end += 1;
  }
  return events.slice(from, end);
}

/** Which of the events could not be folded, from 0, and why, in words; undefined where all were. */
function stepOver(instance: Instance, events: string): { index: number; detail: string } | undefined {
  const { context } = instance;
  const text = context.newString(events);
  let thrown = '';
  try {
    const result = instance.call('foldEvents', text);
    thrown = context.getString(result);
    result.dispose();
  } catch (error) {
    if (!instance.isExhausted()) throw error;
  }
  text.dispose();
  if (instance.isExhausted()) return { index: 0, detail: TOO_MUCH_WORK };
  if (thrown === '') return undefined;
  const words = thrown.indexOf(' ');
  return { index: Number(thrown.slice(0, words)), detail: errorDetail(thrown.slice(words + 1)) };
}

/** The state as JSON text, or what is wrong with it. No code of the program is called. */
function stateOf(instance: Instance, { stateBytes }: FoldJob): { text: string } | { detail: string } {
  const { context } = instance;
  const held = instance.uncounted(() => instance.call('heldState', context.newNumber(stateBytes)));
  const written = context.getString(held);
  const text = written.slice(1);
  if (written[0] === '-') return { detail: `The state ${text}.` };
  if (written[0] !== '+') return { detail: errorDetail(text) };
  const bytes = Buffer.byteLength(text);
  if (bytes <= stateBytes) return { text };
  return { detail: `The state has ${bytes} bytes as JSON, and the maximum is ${stateBytes}.` };
}
