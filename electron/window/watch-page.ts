// Handles a page that crashes or hangs.
import type { AppWindow } from './studio-window.ts';

export interface PageWatchOptions {
  now: () => number;
  log: (sentence: string) => void;
  /** Shows a dialog. @returns the index of the chosen button */
  ask: (question: { message: string; detail: string; buttons: string[] }) => Promise<number>;
}

const MAX_RELOADS = 3;
const WITHIN_MS = 60_000;

/** Reloads a page that crashed, up to a limit. Asks the person before it reloads a page that hangs. */
export function watchPage(window: AppWindow, { now, log, ask }: PageWatchOptions): void {
  let reloads: number[] = [];
  let isAsking = false;

  async function askToReload(message: string, detail: string): Promise<void> {
    if (isAsking) return;
    isAsking = true;
    const button = await ask({ message, detail, buttons: ['Reload', 'Wait'] }).finally(() => {
      isAsking = false;
    });
    if (button === 0 && !window.isDestroyed()) window.webContents.reload();
  }

  window.webContents.on('render-process-gone', (_event, { reason }) => {
    if (reason === 'clean-exit') return;
    log(`The studio's page crashed: ${reason}.`);
    reloads = [...reloads.filter((at) => now() - at < WITHIN_MS), now()];
    if (reloads.length <= MAX_RELOADS) return window.webContents.reload();
    void askToReload(
      'The studio crashed several times',
      'The server is still running, and no data in playbooks is lost.',
    );
  });
  window.on('unresponsive', () => {
    log("The studio's page is not responding.");
    void askToReload('The studio is not responding', 'Reloading keeps your drafts and does not affect runs.');
  });
}
