// Turns at something that only one may use at a time, in the order in which they were asked for.

export interface Lock {
  /**
   * Settles when it is one's turn, with what ends it; with undefined when the wait was too long, or on closing.
   * @param waitMs milliseconds that one waits at most
   */
  acquire(waitMs: number): Promise<(() => void) | undefined>;
  /** From now on nobody has a turn, nor do those who wait. */
  close(): void;
}

interface Waiting {
  begin: () => void;
  giveUp: () => void;
}

export function createLock(): Lock {
  const waiting = new Set<Waiting>();
  let isTaken = false;
  let isClosed = false;

  function end(): void {
    const [next] = waiting;
    isTaken = next !== undefined;
    next?.begin();
  }

  return {
    async acquire(waitMs) {
      if (isClosed) return undefined;
      if (!isTaken) {
        isTaken = true;
        return end;
      }
      return new Promise((resolve) => {
        const leave = (turn: (() => void) | undefined): void => {
          clearTimeout(timer);
          waiting.delete(mine);
          resolve(turn);
        };
        const mine: Waiting = { begin: () => leave(end), giveUp: () => leave(undefined) };
        const timer = setTimeout(mine.giveUp, waitMs);
        waiting.add(mine);
      });
    },
    close() {
      isClosed = true;
      for (const { giveUp } of waiting) giveUp();
    },
  };
}
