/** Values that are pushed by one side and read by another, in order. */
export interface Queue<Value> extends AsyncIterable<Value> {
  push: (value: Value) => void;
  /** The reader ends after the values that were pushed. */
  end: () => void;
}

export function createQueue<Value>(): Queue<Value> {
  const values: Value[] = [];
  let isEnded = false;
  let wake = (): void => {};
  return {
    push(value) {
      values.push(value);
      wake();
    },
    end() {
      isEnded = true;
      wake();
    },
    async *[Symbol.asyncIterator]() {
      for (;;) {
        yield* values.splice(0);
        if (values.length > 0) continue;
        if (isEnded) return;
        // oxlint-disable-next-line no-await-in-loop -- until there is a value
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
  };
}
