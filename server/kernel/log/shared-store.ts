// What a store gives that several processes write to, and who a process is among them.
//
// 1. A process writes as a holder. Its lease lasts 15 seconds by the database's clock and is renewed every 5 seconds. Every
//    commit checks it: once it has expired, nothing is written in the holder's name any more.
// 2. A process whose lease expired drops what it was doing and becomes another holder. Any process may take over what the
//    old one held: its attempts, its claimed tasks, its views.
// 3. A notification says that it is worth looking, or brings a piece of a text that is not recorded. Any may be lost.
import type { PlaybookKey } from './event.ts';

/** A process, as long as its lease lasts. */
export interface Holder {
  /** Never given again. */
  readonly id: string;
  /** Aborted once its lease is lost: what was begun under it records nothing more. */
  readonly lost: AbortSignal;
}

export interface SharedStore {
  holder(): Holder;
  /** Whether a holder is this process, or was until it lost that lease. */
  isOwn(holder: string): boolean;
  /**
   * When a holder's lease ends by the database's clock, in milliseconds since 1970; undefined once it has expired, and for
   * a holder that is not known: what that one holds may be taken over as well.
   */
  leaseEnd(holder: string): Promise<number | undefined>;
  /** Notifies the other processes of a topic, soon after: one of at most 7,500 bytes as JSON. */
  announce(topic: string): void;
  /** Calls `tell` when another process has announced a topic. */
  onAnnounced(tell: (topic: string) => void): void;
  /** Calls `tell` when another process has committed in a playbook. */
  onCommittedElsewhere(tell: (playbookKey: PlaybookKey) => void): void;
  /**
   * Calls `takeOver` with holders whose lease has expired: every few seconds, for a minute and until that has succeeded.
   * Other processes do the same at the same time.
   */
  onExpired(takeOver: (holders: readonly string[]) => Promise<void>): void;
  /** Looks for holders whose lease has expired now. */
  lookForExpired(): Promise<void>;
}

/** As whom a process writes to a store. @param id its name where no other process writes there */
export function holderOf({ shared }: { shared?: SharedStore | undefined }, id: string): () => Holder {
  if (shared !== undefined) return () => shared.holder();
  const only: Holder = { id, lost: new AbortController().signal };
  return () => only;
}

/**
 * Ends the SELECT of rows that several processes may want to take: PostgreSQL locks them and skips those that another
 * process has locked. On SQLite, where one process writes, it is a comment.
 */
export const SKIP_LOCKED = '/* FOR UPDATE SKIP LOCKED */';
