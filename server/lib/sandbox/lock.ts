// A lock that is granted in the order of the requests.

export interface Lock {
  /**
   * Resolves with the function that releases the lock; with undefined if the wait was too long, or on closing.
   * @param waitMs the longest wait, in milliseconds
   */
  acquire(waitMs: number): Promise<(() => void) | undefined>;
  /** Waiting and later requests resolve with undefined. */
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
