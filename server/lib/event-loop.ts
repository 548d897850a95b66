/** Lets other waiting work run first. */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

const TURN_MS = 10;

const waiting: (() => void)[] = [];

/** Waiting work is resumed one at a time. */
function resumeNext(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(resumeNext);
}

/** For work in many small parts: between two parts, yields to the event loop once 10 ms have passed. */
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
