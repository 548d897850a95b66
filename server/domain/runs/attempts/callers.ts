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
  const joined: { signal: AbortSignal; leave: () => void }[] = [];
  let waiting = 0;
  const join = (signal: AbortSignal): void => {
    waiting += 1;
    const leave = (): void => {
      waiting -= 1;
      if (waiting === 0) gone.abort();
    };
    if (signal.aborted) return leave();
    signal.addEventListener('abort', leave, { once: true });
    joined.push({ signal, leave });
  };
  join(first);
  return {
    signal: gone.signal,
    join,
    done() {
      for (const { signal, leave } of joined) signal.removeEventListener('abort', leave);
    },
  };
}
