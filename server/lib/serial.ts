/** Carries out works of one key one after the other, those of different keys side by side. */
export type Serially = <T>(key: string, work: () => Promise<T>) => Promise<T>;

export function createSerial(): Serially {
  const last = new Map<string, Promise<unknown>>();
  return async (key, work) => {
    const before = last.get(key);
    const mine = before === undefined ? work() : before.then(work, work);
    last.set(key, mine);
    try {
      return await mine;
    } finally {
      if (last.get(key) === mine) last.delete(key);
    }
  };
}
