// Results that take long: calls at once share one, and some are kept.

export interface Shared<Result extends object> {
  /**
   * The result of a key. If the caller whose work is shared leaves, or its work fails, the next one does it.
   * @throws what the own work throws
   */
  get(key: string, work: () => Promise<Result>): Promise<Result>;
}

/** @param kept where results are kept, which may forget them */
export function createShared<Result extends object>(kept: {
  get: (key: string) => Result | undefined;
  set: (key: string, result: Result) => void;
}): Shared<Result> {
  const running = new Map<string, Promise<Result>>();
  return {
    async get(key, work) {
      for (;;) {
        const known = kept.get(key);
        if (known !== undefined) return known;
        const other = running.get(key);
        if (other === undefined) break;
        const result = await other.catch(() => undefined);
        if (result !== undefined) return result;
      }
      const own = work();
      running.set(key, own);
      try {
        const result = await own;
        kept.set(key, result);
        return result;
      } finally {
        running.delete(key);
      }
    },
  };
}
