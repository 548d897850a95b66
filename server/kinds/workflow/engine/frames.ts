// The state of a run: one frame for each step that waits or runs others, kept as parts of their own.
//
// 1. A frame has a hot part, rewritten as its steps move, and a cold part, written once. So a move writes little,
//    whatever the step was given. A frame under which nothing runs is written once and has one part.
// 2. A frame knows its parent; a parent knows the frame that runs under it, a fork one branch frame a branch.
// 3. Numbers of frames and commands rise and never come again: who waits under a number cannot be mistaken.
import type { Json, JsonObject } from '../../../../shared/json.ts';
import { type Awaited, AWAITED } from '../../../../shared/run-status.ts';

export const ROOT = 0;

export interface FrameOf<Kind extends string> {
  kind: Kind;
  id: number;
  parent: number;
  /** The step in the plan. */
  step: number;
  startedAt: number;
  /** Number of the timer that bounds the step; 0 when none does. */
  timeout: number;
  /** The iterations of the loops that it stands in, outermost first, from 0; absent outside of every loop. */
  iterations?: readonly number[];
  /** What the frame was given, where it has no cold part. */
  given?: Cold;
  /** About how many bytes what it was given has as JSON. */
  bytes: number;
  /** How the call of its step proves who it is, as expressions see it after the call. */
  authorization?: JsonObject | null;
}

/** What runs a list of steps, one after the other. */
export interface Sequence {
  /** The frame of the step that waits or runs others; 0 while none does. */
  child: number;
}

export type RootFrame = FrameOf<'root'> &
  Sequence & {
    frames: number;
    commands: number;
    /** Frames that are held now, and the bytes of what they were given. */
    held: number;
    heldBytes: number;
    /** Steps moved since the run last waited for something else than its turn. */
    unwaited: number;
    /** Frames that listen, in the order in which they began. */
    listens: number[];
    /** How many frames wait for each; absent in states of before it was kept. */
    awaited?: Partial<Record<Awaited, number>>;
    /** The timer of the longest time that a run may last. */
    overrun: number;
    /** A `resumed` input is on its way, for what `pending` holds. */
    isResuming: boolean;
  };

/** A frame of any kind. Its type and its rules stand with the type of task that opens it. */
export type Frame = FrameOf<string> & Partial<Sequence>;

/** What a frame was given. */
export interface Cold extends JsonObject {
  raw: Json;
  input: Json;
}

export const hotKey = (frame: number): string => `f${frame}`;
export const coldKey = (frame: number): string => `c${frame}`;
/** An output of a branch, or the nth event of a listen. */
export const resultKey = (frame: number, index: number): string => `r${frame}.${index}`;
export const CONTEXT_KEY = 'context';
export const PENDING_KEY = 'pending';

// What a run waits for, counted while its frames open and close, so that listing runs does not read their frames.

/** @param change 1 once a frame waits, -1 once it no longer does */
export function countAwaited(root: RootFrame, awaited: Awaited | undefined, change: 1 | -1): void {
  if (awaited === undefined) return;
  const before = root.awaited ?? {};
  root.awaited = { ...before, [awaited]: Math.max(0, (before[awaited] ?? 0) + change) };
}

/** @param root the root frame as it is stored; undefined before the run's first decision */
export function awaitedIn(root: Json | undefined): Awaited[] {
  const { awaited = {} } = (root ?? {}) as Partial<RootFrame>;
  return AWAITED.filter((one) => (awaited[one] ?? 0) > 0);
}
