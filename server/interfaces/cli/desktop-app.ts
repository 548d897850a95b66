// The desktop app that started this process, at the other end of the message port that such a process has.
import { type Calls, createCalls } from '../../../shared/calls-over-port.ts';
import type { AppHandlers, ServerHandlers } from '../../../shared/desktop.ts';
import { createSerial } from '../../lib/gate.ts';
import type { KeyHome, KeyWrapper } from '../../kernel/secrets/index.ts';

export interface DesktopApp {
  keyWrapper: KeyWrapper;
  /** Answers the app from now on. */
  serve(keyHome: KeyHome, stop: () => void): void;
  isUp(address: string): void;
  /** Says so, and waits to be ended. */
  otherLives(address: string): Promise<void>;
}

/** What Electron gives a process that its app started. */
interface ParentPort {
  on(event: 'message', listener: (event: { data: unknown }) => void): unknown;
  postMessage(message: unknown): void;
}

/** Undefined where this process was started by something else. */
export function meetDesktopApp(): DesktopApp | undefined {
  const { parentPort } = process as { parentPort?: ParentPort };
  if (parentPort === undefined) return undefined;

  const inTurn = createSerial();
  let keyHome: KeyHome | undefined;
  let stop: () => void = () => process.exit();
  const home = async <T>(work: (known: KeyHome) => T | Promise<T>): Promise<T> => {
    if (keyHome === undefined) throw new Error('The server is not up yet; try again in a moment.');
    const known = keyHome;
    return inTurn('key', async () => work(known));
  };
  const handlers: ServerHandlers = {
    keyPlace: () => home((known) => known.place()),
    keepKeyInSystem: () => home((known) => known.keepInSystem()),
    keepKeyInFile: () => home((known) => known.keepInFile()),
    stop: () => stop(),
  };
  const app: Calls<AppHandlers> = createCalls(
    {
      post: (message) => parentPort.postMessage(message),
      listen: (listener) => void parentPort.on('message', ({ data }) => listener(data)),
    },
    handlers,
  );

  return {
    keyWrapper: { wrap: (text) => app.ask('wrap', text), unwrap: (wrapped) => app.ask('unwrap', wrapped) },
    serve(home, stopServer) {
      keyHome = home;
      stop = stopServer;
    },
    isUp: (address) => app.tell('isUp', { address, isOwn: true }),
    otherLives(address) {
      app.tell('isUp', { address, isOwn: false });
      return new Promise((resolve) => {
        stop = resolve;
        process.once('SIGTERM', resolve);
      });
    },
  };
}
