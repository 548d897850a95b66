// Updates of the packaged app, if it has an update address.

/** The parts of electron-updater that are used. */
export interface Updater {
  autoDownload: boolean;
  autoInstallOnAppQuit: boolean;
  on(event: 'update-downloaded', listener: (info: { version: string }) => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
  checkForUpdates(): Promise<unknown>;
  quitAndInstall(): void;
}

export interface UpdatesOptions {
  /** Undefined if the app has no update address. */
  updater: Updater | undefined;
  after: (milliseconds: number, work: () => void) => () => void;
  log: (sentence: string) => void;
  /** Shows a dialog. @returns the index of the chosen button */
  ask: (question: { message: string; detail: string; buttons: string[] }) => Promise<number>;
  /** Stops the server, then runs `work`. */
  afterServerStopped: (work: () => void) => Promise<void>;
}

const FIRST_CHECK_MS = 30_000;
const CHECK_EVERY_MS = 6 * 60 * 60_000;

/**
 * Checks for updates from time to time and downloads them. An update is installed when the person agrees, or when the
 * app quits.
 */
export function followUpdates({ updater, after, log, ask, afterServerStopped }: UpdatesOptions): void {
  if (updater === undefined) return;
  const offer = async (question: Parameters<typeof ask>[0]): Promise<void> => {
    if ((await ask(question)) === 0) await afterServerStopped(() => updater.quitAndInstall());
  };
  updater.autoDownload = true;
  updater.autoInstallOnAppQuit = true;
  updater.on('error', (error) => log(`The update failed: ${error.message}`));
  updater.on('update-downloaded', ({ version }) => {
    log(`Version ${version} was downloaded.`);
    const question = {
      message: `Cuebook ${version} is ready`,
      detail: 'It is installed when Cuebook restarts. Waiting runs continue after the restart.',
      buttons: ['Restart Now', 'Later'],
    };
    void offer(question);
  });
  const check = (): void => {
    // The error event reports a failure.
    updater.checkForUpdates().catch(() => {});
    after(CHECK_EVERY_MS, check);
  };
  after(FIRST_CHECK_MS, check);
}
