// How many models may be tried or scored at once.

export interface Slots {
  /** Undefined when every slot is taken. */
  tryTake(): Slot | undefined;
  /** Waits for a slot, in order. @throws the signal's reason */
  take(signal?: AbortSignal): Promise<Slot>;
}

/** Frees the slot; the second call does nothing. */
export type Slot = () => void;

export function createSlots(size: number): Slots {
  let free = size;
  const waiting = new Set<(slot: Slot) => void>();

  function slot(): Slot {
    let isTaken = true;
    return () => {
      if (!isTaken) return;
      isTaken = false;
      const [next] = waiting;
      if (next === undefined) free += 1;
      else {
        waiting.delete(next);
        next(slot());
      }
    };
  }

  function tryTake(): Slot | undefined {
    if (free === 0) return undefined;
    free -= 1;
    return slot();
  }

  return {
    tryTake,
    async take(signal) {
      signal?.throwIfAborted();
      const taken = tryTake();
      if (taken !== undefined) return taken;
      const { promise, resolve, reject } = Promise.withResolvers<Slot>();
      const abort = (): void => {
        waiting.delete(resolve);
        reject(signal?.reason as Error);
      };
      waiting.add(resolve);
      signal?.addEventListener('abort', abort, { once: true });
      try {
        return await promise;
      } finally {
        signal?.removeEventListener('abort', abort);
      }
    },
  };
}
