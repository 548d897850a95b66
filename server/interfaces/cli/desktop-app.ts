// The desktop app that started this process, connected by a message port.
import { createRpc, type RpcClient } from '../../../shared/rpc-over-port.ts';
import type { AppHandlers, ServerHandlers } from '../../../shared/desktop.ts';
import type { WatchingClock } from '../../lib/clock.ts';
import { createSerial } from '../../lib/gate.ts';
import type { KeyHome, KeyWrapper } from '../../kernel/secrets/index.ts';

export interface DesktopApp {
  keyWrapper: KeyWrapper;
  /** Starts to answer requests from the app. */
  serve(keyHome: KeyHome, stop: () => void): void;
  isUp(address: string): void;
  /** Reports that another runtime is running, and waits to be stopped. */
  reportOther(address: string): Promise<void>;
}

/** The message port that Electron gives to a utility process. */
interface ParentPort {
  on(event: 'message', listener: (event: { data: unknown }) => void): unknown;
  postMessage(message: unknown): void;
}

/** Undefined if this process was not started by the desktop app. */
export function connectDesktopApp(clock: Pick<WatchingClock, 'look'>): DesktopApp | undefined {
  const { parentPort } = process as { parentPort?: ParentPort };
  if (parentPort === undefined) return undefined;

  const inTurn = createSerial();
  let keyHome: KeyHome | undefined;
  let stop: () => void = () => process.exit();
  const withKeyHome = async <T>(use: (home: KeyHome) => T | Promise<T>): Promise<T> => {
    if (keyHome === undefined) throw new Error('The server is still starting; try again in a moment.');
    const home = keyHome;
    return inTurn('key', async () => use(home));
  };
  const handlers: ServerHandlers = {
    keyPlace: () => withKeyHome((home) => home.place()),
    keepKeyInSystem: () => withKeyHome((home) => home.keepInSystem()),
    keepKeyInFile: () => withKeyHome((home) => home.keepInFile()),
    machineResumed: () => clock.look(),
    stop: () => stop(),
  };
  const app: RpcClient<AppHandlers> = createRpc(
    {
      post: (message) => parentPort.postMessage(message),
      listen: (listener) => void parentPort.on('message', ({ data }) => listener(data)),
    },
    handlers,
  );

  return {
    keyWrapper: { wrap: (text) => app.call('wrap', text), unwrap: (wrapped) => app.call('unwrap', wrapped) },
    serve(home, stopServer) {
      keyHome = home;
      stop = stopServer;
    },
    isUp: (address) => app.notify('isUp', { address, isOwn: true }),
    reportOther(address) {
      app.notify('isUp', { address, isOwn: false });
      return new Promise((resolve) => {
        stop = resolve;
        process.once('SIGTERM', resolve);
      });
    },
  };
}
