/** Lets everything else that waits have its turn. */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

const TURN_MS = 10;

const waiting: (() => void)[] = [];

/** One at a time: work that waits for its turn is not resumed all at once. */
function resumeNext(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(resumeNext);
}

/** For work in many small parts: between two parts, everything else has its turn once the work has lasted 10 ms. */
export function createYielder(): () => Promise<void> | undefined {
  let since = performance.now();
  return () => {
    if (performance.now() - since < TURN_MS) return undefined;
    return new Promise((resolve) => {
      waiting.push(() => {
        since = performance.now();
        resolve();
      });
      if (waiting.length === 1) setImmediate(resumeNext);
    });
  };
}
