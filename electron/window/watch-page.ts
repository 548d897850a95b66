// What happens when the page dies or hangs.
import type { OneWindow } from './studio-window.ts';

export interface PageWatchOptions {
  now: () => number;
  log: (sentence: string) => void;
  /** Asks the person; answers the index of the button. */
  ask: (question: { message: string; detail: string; buttons: string[] }) => Promise<number>;
}

const MOST_RELOADS = 3;
const WITHIN_MS = 60_000;

/** A page that died is loaded again, some times; one that hangs is loaded again where the person says so. */
export function watchPage(window: OneWindow, { now, log, ask }: PageWatchOptions): void {
  let reloads: number[] = [];
  let isAsking = false;

  async function askToReload(message: string, detail: string): Promise<void> {
    if (isAsking) return;
    isAsking = true;
    const button = await ask({ message, detail, buttons: ['Load again', 'Wait'] }).finally(() => {
      isAsking = false;
    });
    if (button === 0 && !window.isDestroyed()) window.webContents.reload();
  }

  window.webContents.on('render-process-gone', (_event, { reason }) => {
    if (reason === 'clean-exit') return;
    log(`The page of the studio is gone: ${reason}.`);
    reloads = [...reloads.filter((at) => now() - at < WITHIN_MS), now()];
    if (reloads.length <= MOST_RELOADS) return window.webContents.reload();
    void askToReload('The studio ended several times', 'Nothing in the playbooks is lost; the server goes on.');
  });
  window.on('unresponsive', () => {
    log('The page of the studio does not answer.');
    void askToReload('The studio does not answer', 'Drafts are kept. Loading it again does not touch what runs.');
  });
}
