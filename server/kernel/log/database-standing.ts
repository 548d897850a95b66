// What is known of a database that runs in a process of its own: whether it answers, and what time it is there.

export interface DatabaseStanding {
  /** Whether it answered when it was asked last, at most a few seconds ago. */
  isReachable(): boolean;
  /**
   * Calls `tell` each time its clock was read: with the time in milliseconds since 1970, and what `performance.now` answered at
   * that moment.
   */
  onClockMeasured(tell: (time: number, elapsed: number) => void): void;
  /** Calls `tell` when it stops answering, and when it answers again. */
  onReachable(tell: (isReachable: boolean) => void): void;
  /** Carries out work that no other process carries out meanwhile. */
  alone<T>(work: () => Promise<T>): Promise<T>;
}

export interface ReportedStanding extends DatabaseStanding {
  answered(time: number, elapsed: number): void;
  failed(): void;
}

/** Reachable until the first failure: it is opened before anything else is done. */
export function createStanding(alone: DatabaseStanding['alone']): ReportedStanding {
  const clockTells: ((time: number, elapsed: number) => void)[] = [];
  const reachableTells: ((isReachable: boolean) => void)[] = [];
  let reachable = true;

  function turn(now: boolean): void {
    if (reachable === now) return;
    reachable = now;
    for (const tell of reachableTells) tell(now);
  }

  return {
    isReachable: () => reachable,
    onClockMeasured: (tell) => void clockTells.push(tell),
    onReachable: (tell) => void reachableTells.push(tell),
    alone,
    answered(time, elapsed) {
      turn(true);
      for (const tell of clockTells) tell(time, elapsed);
    },
    failed: () => turn(false),
  };
}
