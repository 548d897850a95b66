// The text that a run's model is writing, for its followers. It is kept in memory only, until the run ends: by then the
// output is recorded.
//
// 1. When the text starts over, in the next turn or after a retry, followers get a piece at 0.
// 2. Each follower gets at most four pieces a second, each with everything written since the last one. A slow follower
//    delays no other.
import type { Clock } from '../../../lib/clock.ts';
import { startDeadline, untilAborted } from '../../../lib/deadline.ts';
import type { GrowingText } from '../../../kinds/models.ts';
import type { TextPiece } from '../durable/invocation.ts';

export interface LiveText extends GrowingText {
  /** @param at where the text begins that follows; what comes before it was dropped */
  begin: (at?: number) => void;
  /** Yields the text so far, as much of it as is kept, then each addition, until the run ends or `signal` is aborted. */
  follow: (signal: AbortSignal) => AsyncGenerator<TextPiece>;
  end: () => void;
}

const EVERY_MS = 250;
/** At least so many code units are kept. */
const KEPT = 65_536;

export function createLiveText(clock: Clock): LiveText {
  let times = 0;
  let kept = '';
  /** Code units dropped from the beginning. */
  let dropped = 0;
  let isEnded = false;
  const waiting = new Set<() => void>();

  function notify(): void {
    for (const wake of waiting) wake();
    waiting.clear();
  }

  function change(signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    waiting.add(resolve);
    return untilAborted(promise, signal).finally(() => waiting.delete(resolve));
  }

  async function rest(signal: AbortSignal): Promise<void> {
    const pause = startDeadline(clock, EVERY_MS, signal);
    await untilAborted(new Promise(() => {}), pause.signal);
    pause.callOff();
  }

  return {
    begin(at = 0) {
      times += 1;
      kept = '';
      dropped = at;
      notify();
    },
    add(text) {
      if (text === '') return;
      kept += text;
      if (kept.length > 2 * KEPT) {
        dropped += kept.length - KEPT;
        kept = kept.slice(-KEPT);
      }
      notify();
    },
    end() {
      isEnded = true;
      notify();
    },
    async *follow(signal) {
      let seen = { times: 0, end: 0 };
      while (!signal.aborted) {
        const end = dropped + kept.length;
        const isAgain = seen.times !== times && seen.end > 0;
        const from = Math.max(seen.times === times ? seen.end : 0, dropped);
        if (isAgain || end > from) {
          const piece = { from, text: kept.slice(from - dropped) };
          seen = { times, end };
          yield piece;
          // oxlint-disable-next-line no-await-in-loop -- additions meanwhile make one piece
          if (!isEnded) await rest(signal);
        } else if (isEnded) return;
        // oxlint-disable-next-line no-await-in-loop -- each piece follows the one before
        else await change(signal);
      }
    },
  };
}
