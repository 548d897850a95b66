// Folds events into a view's state, and finds the one that cannot be folded.
//
// 1. The state does not depend on where batches begin: a batch that fails is divided until the event at fault stands
//    first, in a sandbox of its own.
// 2. An event is found at fault for what it does itself, never for what happened beside it: one at which the worker was
//    ended is tried again alone before its view is stalled. Those before it are folded first, and others have their turn.
import type { Folded, FoldEnded, NotFolded, Sandbox } from '../../lib/sandbox/index.ts';
import { LIMITS } from '../../../shared/limits.ts';
import { unavailable } from '../../lib/rejection.ts';
import type { Owner } from '../../lib/worker-pool/index.ts';

/** The result of folding: so many events are in the state, and the next one stalls the view where `stalled` says why. */
export interface Progress {
  count: number;
  /** The state as JSON text; undefined where no event was folded. */
  state: string | undefined;
  stalled?: string;
}

/** How often an event is tried alone at which the worker was ended: a second each. */
const MOST_ENDED = 2;

export interface Folding {
  source: string;
  /** The state as JSON text; empty: the program's `initial`. */
  state: string;
  /** The events as JSON texts. */
  events: readonly string[];
  /** Whose turn it takes. */
  owner: Owner;
  signal: AbortSignal;
}

/** @throws Refused `unavailable` */
export type Fold = (folding: Folding) => Promise<Progress>;

export function createFold(sandbox: Pick<Sandbox, 'fold'>): Fold {
  return (folding) => foldEvents(sandbox, folding);
}

/**
 * Folds the events, all at once where that succeeds; else those before the one that fails, or the first half of them.
 * At least one is folded, or the first one stalls the view.
 * @throws Refused `unavailable` when no worker became free, or the signal was aborted
 */
export async function foldEvents(sandbox: Pick<Sandbox, 'fold'>, folding: Folding): Promise<Progress> {
  const { events } = folding;
  const whole = await foldOnce(sandbox, folding);
  if (whole.kind === 'folded') return whole;
  if (whole.kind === 'ended' && whole.index === 0) {
    const first = await foldAlone(sandbox, { ...folding, events: events.slice(0, 1) });
    return first.kind === 'folded' ? first : { count: 0, state: undefined, stalled: first.detail };
  }
  if (whole.kind === 'not_folded' && events.length === 1) return { count: 0, state: undefined, stalled: whole.detail };
  // The event that failed may pass alone: what stood before it in the batch may have made it fail.
  const before = whole.index ?? Math.floor(events.length / 2);
  return foldEvents(sandbox, { ...folding, events: events.slice(0, Math.max(1, before)) });
}

/** Folds one event, and again where the worker was ended: what else the machine did may have been the reason. */
async function foldAlone(sandbox: Pick<Sandbox, 'fold'>, folding: Folding): Promise<Folded | NotFolded> {
  for (let ended = 1; ; ended += 1) {
    const one = await foldOnce(sandbox, folding);
    if (one.kind !== 'ended') return one;
    if (ended === MOST_ENDED) return { kind: 'not_folded', index: 0, detail: ENDED[one.how] };
  }
}

const ENDED: Readonly<Record<FoldEnded['how'], string>> = {
  late: '`evolve` was stopped after a second inside one built-in function; reduce the work for each event.',
  lost: '`evolve` crashed its worker, most likely by using too much memory; reduce the work for each event.',
};

async function foldOnce(
  sandbox: Pick<Sandbox, 'fold'>,
  { source, state, events, owner, signal }: Folding,
): Promise<Folded | NotFolded | FoldEnded> {
  const answer = await sandbox.fold({ source, state, events, stateBytes: LIMITS.recallStateBytes }, { owner, signal });
  if (answer === 'dropped') throw unavailable('The view was not updated: the service is stopping.');
  if (answer === 'busy') {
    throw unavailable('All workers are busy; try again in a moment.', { retryAfter: 5 });
  }
  return answer;
}
