// The lifetime of the server process.
//
// 1. A data directory has one server. A server process that finds another server there reports it and is stopped; the app
//    uses the other server for as long as that responds.
// 2. A server that stops unexpectedly is restarted after a delay that grows. After too many failures in a row, or an exit
//    because of wrong settings, the app gives up and says why, until the person tries again.
// 3. No process is started while the app is quitting.
import { createRpc, type RpcClient, RpcError } from '../../shared/rpc-over-port.ts';
import type { AppHandlers, ServerHandlers } from '../../shared/desktop.ts';

export type ServerState =
  | { is: 'starting' }
  | { is: 'up'; address: string; isOwn: boolean }
  | { is: 'waiting'; milliseconds: number; detail: string }
  | { is: 'gave_up'; detail: string }
  | { is: 'stopped' };

/** A server process with a message port. */
export interface ServerProcess {
  post(message: unknown): void;
  onMessage(listener: (message: unknown) => void): void;
  onExit(listener: (code: number | null) => void): void;
  /** Kills the process. */
  kill(): void;
  /** The last line that it wrote to standard error; empty if there is none for people. */
  lastError(): string;
}

export interface ServerLifetimeOptions {
  start: () => ServerProcess;
  wrapper: Pick<AppHandlers, 'wrap' | 'unwrap'>;
  isAlive: (address: string) => Promise<boolean>;
  /** Runs `work` after a number of milliseconds. @returns a function that cancels it */
  after: (milliseconds: number, work: () => void) => () => void;
  /** Milliseconds. */
  now: () => number;
  onState: (state: ServerState) => void;
}

export interface ServerLifetime {
  state(): ServerState;
  /** Starts the server immediately if it is waiting for a restart or was given up. */
  start(): void;
  /** @throws RpcError with a message if the server is not running, or was not started by the app */
  call: RpcClient<ServerHandlers>['call'];
  /** The machine has woken up: the server that the app started looks at the time at once. */
  machineResumed(): void;
  /** Resolves when the server has stopped. A server that the app did not start keeps running. */
  stop(): Promise<void>;
}

const RESTART_DELAYS_MS = [1_000, 2_000, 4_000, 8_000, 16_000, 30_000];
/** A server that ran for so long started successfully. */
const STABLE_AFTER_MS = 60_000;
const HEALTH_CHECK_EVERY_MS = 5_000;
const MAX_FAILED_CHECKS = 2;
const STOP_TIMEOUT_MS = 15_000;
/** The exit code for wrong settings: a restart would fail the same way. */
const USAGE_ERROR = 2;

export function createServerLifetime(options: ServerLifetimeOptions): ServerLifetime {
  const { after, now, onState } = options;
  let state: ServerState = { is: 'stopped' };
  let failures = 0;
  let isStopping = false;
  let stopped: Promise<void> | undefined;
  let cancelTimer: () => void = () => {};
  let own: OwnServer | undefined;

  function enter(next: ServerState): void {
    state = next;
    onState(next);
  }

  function start(): void {
    if (isStopping || own !== undefined) return;
    cancelTimer();
    enter({ is: 'starting' });
    const startedAt = now();
    let other: string | undefined;
    const isUp: AppHandlers['isUp'] = ({ address, isOwn }) => {
      if (isOwn) return enter({ is: 'up', address, isOwn });
      other = address;
      own?.end();
    };
    own = launch(options, isUp, (code, lastError) => {
      own = undefined;
      if (isStopping) enter({ is: 'stopped' });
      else if (other !== undefined) useOther(other);
      else startAgain(code, now() - startedAt, lastError);
    });
  }

  function useOther(address: string): void {
    failures = 0;
    enter({ is: 'up', address, isOwn: false });
    let missed = 0;
    const look = async (): Promise<void> => {
      missed = (await options.isAlive(address)) ? 0 : missed + 1;
      if (isStopping || state.is !== 'up' || state.isOwn) return;
      if (missed >= MAX_FAILED_CHECKS) start();
      else next();
    };
    const next = (): void => {
      cancelTimer = after(HEALTH_CHECK_EVERY_MS, () => void look());
    };
    next();
  }

  function startAgain(code: number | null, uptime: number, lastError: string): void {
    failures = uptime >= STABLE_AFTER_MS ? 1 : failures + 1;
    const exit = code === null ? 'was killed' : `exited with code ${code}`;
    const detail = lastError === '' ? `The server ${exit}.` : lastError;
    const milliseconds = code === USAGE_ERROR ? undefined : RESTART_DELAYS_MS[failures - 1];
    if (milliseconds === undefined) return enter({ is: 'gave_up', detail });
    enter({ is: 'waiting', milliseconds, detail });
    cancelTimer = after(milliseconds, start);
  }

  async function stop(): Promise<void> {
    isStopping = true;
    cancelTimer();
    if (own === undefined) return enter({ is: 'stopped' });
    own.end();
    await own.ended;
  }

  return {
    state: () => state,
    start() {
      if (state.is === 'up') return;
      failures = 0;
      start();
    },
    call: (name, argument) => own?.rpc.call(name, argument) ?? Promise.reject(new RpcError(unavailableReason(state))),
    machineResumed: () => own?.rpc.notify('machineResumed', null),
    stop() {
      stopped ??= stop();
      return stopped;
    },
  };
}

interface OwnServer {
  rpc: RpcClient<ServerHandlers>;
  end: () => void;
  ended: Promise<void>;
}

/** Starts a server process, and calls `onExit` when it has ended. */
function launch(
  { start, wrapper, after }: ServerLifetimeOptions,
  isUp: AppHandlers['isUp'],
  onExit: (code: number | null, lastError: string) => void,
): OwnServer {
  const process = start();
  const rpc = createRpc<ServerHandlers>(
    { post: (message) => process.post(message), listen: (listener) => process.onMessage(listener) },
    { ...wrapper, isUp } satisfies AppHandlers,
  );
  let cancelKill: (() => void) | undefined;
  const ended = new Promise<void>((resolve) => {
    process.onExit((code) => {
      cancelKill?.();
      rpc.close();
      onExit(code, process.lastError());
      resolve();
    });
  });
  return {
    rpc,
    ended,
    /** Sends `stop` only once: on a second `stop` the server exits immediately. */
    end() {
      if (cancelKill !== undefined) return;
      rpc.notify('stop', null);
      cancelKill = after(STOP_TIMEOUT_MS, () => process.kill());
    },
  };
}

function unavailableReason(state: ServerState): string {
  if (state.is !== 'up') return 'The server is not running. Try again when it is.';
  return 'Another program started the server. Stop it there; the app then starts its own server.';
}

const HEALTH_TIMEOUT_MS = 2_000;

/** True if a server responds at an address. */
export async function isAlive(address: string): Promise<boolean> {
  try {
    const { status } = await fetch(`${address}/health`, { signal: AbortSignal.timeout(HEALTH_TIMEOUT_MS) });
    return status === 200;
  } catch {
    return false;
  }
}
