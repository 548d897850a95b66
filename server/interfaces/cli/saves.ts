import { watch } from 'node:fs';
import { onStopRequest } from './stop-request.ts';

/** Yields once for each burst of changes in the folder, until the process is interrupted. */
export async function* savesOf(folder: string): AsyncGenerator<void> {
  let wake = (): void => {};
  let isDirty = false;
  let isClosed = false;
  const watcher = watch(folder, () => {
    isDirty = true;
    wake();
  });
  watcher.once('close', () => {
    isClosed = true;
    wake();
  });
  onStopRequest(() => watcher.close());
  while (!isClosed) {
    if (isDirty) {
      isDirty = false;
      yield;
    } else {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  }
}
