/** Lets other waiting work run first. */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

const TURN_MS = 10;

const waiting: (() => void)[] = [];
/** When the first part of work in many parts began in this turn of the event loop; undefined: none did. */
let turnBegan: number | undefined;

function beginTurn(): number {
  setImmediate(() => (turnBegan = undefined));
  turnBegan = performance.now();
  return turnBegan;
}

/** Waiting work is resumed one at a time. */
function resumeNext(): void {
  beginTurn();
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(resumeNext);
}

/**
 * For work in many small parts: between two parts, yields to the event loop once 10 ms have passed, of this work or of all
 * such work in one turn of the event loop.
 */
export function createYielder(): () => Promise<void> | undefined {
  let since = performance.now();
  return () => {
    const now = performance.now();
    if (now - Math.min(since, turnBegan ?? beginTurn()) < TURN_MS) return undefined;
    return new Promise((resolve) => {
      waiting.push(() => {
        since = performance.now();
        resolve();
      });
      if (waiting.length === 1) setImmediate(resumeNext);
    });
  };
}
