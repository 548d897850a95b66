// What the model of a run writes while it answers, for those who watch the run. It is kept in memory alone, and gone when
// the run ends: what the run gives is recorded by then.
//
// 1. A text that starts over, in the next turn or another attempt, is told as a piece at 0.
// 2. Each follower gets at most four pieces a second, of whatever came since; one that is slow holds up nobody.
import type { Clock } from '../kernel/clock.ts';
import { startDeadline, untilAborted } from '../kernel/deadline.ts';
import type { GrowingText } from '../kinds/models.ts';

/** A piece of a text: what stands from a place on, instead of whatever stood there. */
export interface TextPiece {
  /** In UTF-16 code units. Beyond the end of what was told before, something was left out. */
  from: number;
  text: string;
}

export interface LiveText extends GrowingText {
  /** What was written so far, as far as it is kept, and what comes, until the run ends or the signal is aborted. */
  follow: (signal: AbortSignal) => AsyncGenerator<TextPiece>;
  end: () => void;
}

const EVERY_MS = 250;
/** Code units that are kept, at least. */
const KEPT = 65_536;

export function createLiveText(clock: Clock): LiveText {
  let times = 0;
  let kept = '';
  /** How much was written before what is kept. */
  let dropped = 0;
  let isEnded = false;
  const waiting = new Set<() => void>();

  function tell(): void {
    for (const wake of waiting) wake();
    waiting.clear();
  }

  function news(signal: AbortSignal): Promise<void> {
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
    begin() {
      times += 1;
      kept = '';
      dropped = 0;
      tell();
    },
    add(text) {
      if (text === '') return;
      kept += text;
      if (kept.length > 2 * KEPT) {
        dropped += kept.length - KEPT;
        kept = kept.slice(-KEPT);
      }
      tell();
    },
    end() {
      isEnded = true;
      tell();
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
          // oxlint-disable-next-line no-await-in-loop -- what comes meanwhile is one piece
          if (!isEnded) await rest(signal);
        } else if (isEnded) return;
        // oxlint-disable-next-line no-await-in-loop -- each piece follows the one before
        else await news(signal);
      }
    },
  };
}
