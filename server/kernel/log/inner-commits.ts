// Parts of one long transaction, each as a commit of its own for what works share and remember: what they write before a
// commit is written after each part, so that no part leaves more in memory than a commit would. What is remembered from
// part to part ends with the transaction.
import type { SharedState, WriteTransaction } from './store.ts';

export type CarryOutPart = (part: (tx: WriteTransaction) => Promise<void>) => Promise<void>;

export function createInnerCommits(tx: WriteTransaction): CarryOutPart {
  const kept = new Map<() => object, object>();

  return async (part) => {
    const shared = new Map<() => SharedState, SharedState>();
    const tells: (() => void)[] = [];
    const inner: WriteTransaction = {
      ...tx,
      shared: (make) => madeOnce(shared, make),
      remembered: (make) => madeOnce(kept, make),
      afterCommit: (tell) => tells.push(tell),
    };
    await part(inner);
    for (const state of shared.values()) await state.beforeCommit(inner);
    for (const tell of tells) tell();
  };
}

/** What is known by what makes it. */
export function madeOnce<State extends object>(known: Map<() => object, object>, make: () => State): State {
  const there = known.get(make);
  if (there !== undefined) return there as State;
  const made = make();
  known.set(make, made);
  return made;
}
