// The server's life as the app sees it.
//
// 1. There is one server a data directory: a server process that finds another one there says so, is ended, and the app
//    goes by the other one for as long as it answers.
// 2. A server that ends without being told to is started again after a wait that grows; after too many in a row, or one
//    that was started wrongly, the app gives up and says why, until a person asks for another try.
// 3. Nothing is started once the app stops.
import { CallRefused, type Calls, createCalls } from '../../shared/calls-over-port.ts';
import type { AppHandlers, ServerHandlers } from '../../shared/desktop.ts';

export type ServerState =
  | { is: 'starting' }
  | { is: 'up'; address: string; isOwn: boolean }
  | { is: 'waiting'; milliseconds: number; detail: string }
  | { is: 'gave_up'; detail: string }
  | { is: 'stopped' };

/** A process that serves, with a message port. */
export interface ServerProcess {
  post(message: unknown): void;
  onMessage(listener: (message: unknown) => void): void;
  onExit(listener: (code: number | null) => void): void;
  /** Ends it without asking. */
  kill(): void;
  /** The last line that it wrote of what went wrong. */
  lastWords(): string;
}

export interface ServerLifetimeOptions {
  start: () => ServerProcess;
  wrapper: Pick<AppHandlers, 'wrap' | 'unwrap'>;
  isAlive: (address: string) => Promise<boolean>;
  /** Does `work` after so many milliseconds; answers what takes that back. */
  after: (milliseconds: number, work: () => void) => () => void;
  /** Milliseconds. */
  now: () => number;
  onState: (state: ServerState) => void;
}

export interface ServerLifetime {
  state(): ServerState;
  /** Starts at once what waits or was given up. */
  start(): void;
  /** @throws CallRefused with a sentence where the server is not up, or not the app's own */
  ask: Calls<ServerHandlers>['ask'];
  /** Settles when the server has ended. One that is not the app's own lives on. */
  stop(): Promise<void>;
}

const WAITS_MS = [1_000, 2_000, 4_000, 8_000, 16_000, 30_000];
/** One that lived so long did not fail at its start. */
const LIVED_MS = 60_000;
const LOOKS_EVERY_MS = 5_000;
const MISSED_LOOKS = 2;
const PATIENCE_MS = 15_000;
/** How a server ends that was started wrongly: the same start would end the same way. */
const MISUSED = 2;

export function createServerLifetime(options: ServerLifetimeOptions): ServerLifetime {
  const { after, now, onState } = options;
  let state: ServerState = { is: 'stopped' };
  let failures = 0;
  let isStopping = false;
  let stopped: Promise<void> | undefined;
  let takeBack: () => void = () => {};
  let own: { calls: Calls<ServerHandlers>; end: () => void; ended: Promise<void> } | undefined;

  function enter(next: ServerState): void {
    state = next;
    onState(next);
  }

  function start(): void {
    if (isStopping || own !== undefined) return;
    takeBack();
    enter({ is: 'starting' });
    const startedAt = now();
    const process = options.start();
    let other: string | undefined;
    const isUp: AppHandlers['isUp'] = ({ address, isOwn }) => {
      if (isOwn) return enter({ is: 'up', address, isOwn });
      other = address;
      end();
    };
    const handlers: AppHandlers = { ...options.wrapper, isUp };
    const calls = createCalls<ServerHandlers>(
      { post: (message) => process.post(message), listen: (listener) => process.onMessage(listener) },
      handlers,
    );
    let keepPatience: (() => void) | undefined;
    /** Told once: a server that is told twice ends at once. */
    const end = (): void => {
      if (keepPatience !== undefined) return;
      calls.tell('stop', null);
      keepPatience = after(PATIENCE_MS, () => process.kill());
    };
    const ended = new Promise<void>((resolve) => {
      process.onExit((code) => {
        keepPatience?.();
        calls.end();
        own = undefined;
        resolve();
        if (isStopping) enter({ is: 'stopped' });
        else if (other !== undefined) goBy(other);
        else startAgain(code, now() - startedAt, process.lastWords());
      });
    });
    own = { calls, end, ended };
  }

  function goBy(address: string): void {
    failures = 0;
    enter({ is: 'up', address, isOwn: false });
    let missed = 0;
    const look = async (): Promise<void> => {
      missed = (await options.isAlive(address)) ? 0 : missed + 1;
      if (isStopping || state.is !== 'up' || state.isOwn) return;
      if (missed >= MISSED_LOOKS) start();
      else next();
    };
    const next = (): void => {
      takeBack = after(LOOKS_EVERY_MS, () => void look());
    };
    next();
  }

  function startAgain(code: number | null, livedFor: number, lastWords: string): void {
    failures = livedFor >= LIVED_MS ? 1 : failures + 1;
    const ending = code === null ? 'was ended' : `ended with ${code}`;
    const detail = lastWords === '' ? `The server ${ending}.` : lastWords;
    const milliseconds = code === MISUSED ? undefined : WAITS_MS[failures - 1];
    if (milliseconds === undefined) return enter({ is: 'gave_up', detail });
    enter({ is: 'waiting', milliseconds, detail });
    takeBack = after(milliseconds, start);
  }

  async function stop(): Promise<void> {
    isStopping = true;
    takeBack();
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
    ask: (name, given) => own?.calls.ask(name, given) ?? Promise.reject(new CallRefused(whyNotAsked(state))),
    stop() {
      stopped ??= stop();
      return stopped;
    },
  };
}

function whyNotAsked(state: ServerState): string {
  if (state.is !== 'up') return 'The server is not up; try again when it is.';
  return 'Another program started the server: end it there, and the app starts one of its own.';
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
