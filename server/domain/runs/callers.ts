// The callers that wait for a run that ends within its request: the one that started it, and those that joined it.
export interface Callers {
  /** Aborted once no caller waits any more. */
  signal: AbortSignal;
  /** Somebody else waits, too. */
  join(signal: AbortSignal): void;
  /** The run has ended. */
  done(): void;
}

export function createCallers(first: AbortSignal): Callers {
  const gone = new AbortController();
  const ended = new AbortController();
  let waiting = 0;
  const leave = (): void => {
    waiting -= 1;
    if (waiting === 0) gone.abort();
  };
  const join = (signal: AbortSignal): void => {
    waiting += 1;
    if (signal.aborted) leave();
    else signal.addEventListener('abort', leave, { once: true, signal: ended.signal });
  };
  join(first);
  return { signal: gone.signal, join, done: () => ended.abort() };
}
