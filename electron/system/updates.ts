// New versions, where the packaged app was told of a place to look for them.

/** What is used of electron-updater. */
export interface Updater {
  autoDownload: boolean;
  autoInstallOnAppQuit: boolean;
  on(event: 'update-downloaded', listener: (info: { version: string }) => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
  checkForUpdates(): Promise<unknown>;
  quitAndInstall(): void;
}

export interface UpdatesOptions {
  /** Undefined: nobody said where. */
  updater: Updater | undefined;
  after: (milliseconds: number, work: () => void) => () => void;
  log: (sentence: string) => void;
  /** Asks the person; answers the index of the button. */
  ask: (question: { message: string; detail: string; buttons: string[] }) => Promise<number>;
  /** Ends the server, then does `work`. */
  afterServer: (work: () => void) => Promise<void>;
}

const FIRST_MS = 30_000;
const EVERY_MS = 6 * 60 * 60_000;

/** Looks from time to time, fetches what is new, and puts it in place when the person says so or the app ends anyway. */
export function followUpdates({ updater, after, log, ask, afterServer }: UpdatesOptions): void {
  if (updater === undefined) return;
  const offer = async (question: Parameters<typeof ask>[0]): Promise<void> => {
    if ((await ask(question)) === 0) await afterServer(() => updater.quitAndInstall());
  };
  updater.autoDownload = true;
  updater.autoInstallOnAppQuit = true;
  updater.on('error', (error) => log(`No update could be had: ${error.message}`));
  updater.on('update-downloaded', ({ version }) => {
    log(`Version ${version} was fetched.`);
    const question = {
      message: `Cuebook ${version} is ready`,
      detail: 'It is put in place when Cuebook starts again. Runs that wait go on then.',
      buttons: ['Start again now', 'Later'],
    };
    void offer(question);
  });
  const look = (): void => {
    // A failure is told by the event.
    updater.checkForUpdates().catch(() => {});
    after(EVERY_MS, look);
  };
  after(FIRST_MS, look);
}
