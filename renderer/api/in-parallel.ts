/**
 * Carries out `work` for each item, in their order, at most `concurrent` at a time. After an abort no further item is
 * begun; those in progress are awaited. @throws the first error of `work`
 */
export async function inParallel<Item>(
  items: Iterable<Item>,
  concurrent: number,
  work: (item: Item) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  const remaining = items[Symbol.iterator]();
  const worker = async (): Promise<void> => {
    for (let next = remaining.next(); next.done !== true; next = remaining.next()) {
      // oxlint-disable-next-line no-await-in-loop -- a worker processes one item at a time
      await work(next.value);
      if (signal.aborted) return;
    }
  };
  if (!signal.aborted) await Promise.all(Array.from({ length: concurrent }, worker));
}
