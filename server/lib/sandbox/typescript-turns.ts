// One TypeScript process that checks share, one at a time. It starts with the first check, and ends when it is late or idle.
import { createLock } from './lock.ts';
import { startTypeScript, type TypeScriptProcess } from './typescript-process.ts';

/** A busy machine takes long to load TypeScript, which is no fault of the program. */
const LOAD_MS = 15_000;
const DEADLINE_MS = 2000;
/** Warnings are worth no longer wait. */
const WAIT_MS = 2000;
/** After so long without a check the process, which holds some 35 MiB, is ended. */
const IDLE_MS = 60_000;

/** How long TypeScript may load, a check may then wait for others and take, and the process is kept without a check. */
export interface TurnsOptions {
  loadMs?: number;
  waitMs?: number;
  deadlineMs?: number;
  idleMs?: number;
}

export class TypeScriptTurns {
  readonly #files: Map<string, string>;
  readonly #options: Required<TurnsOptions>;
  readonly #turns = createLock();
  #process: TypeScriptProcess | undefined;
  /** Processes that were killed and are about to exit. */
  readonly #endings = new Set<Promise<void>>();
  #idle: NodeJS.Timeout | undefined;
  #current: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  /** @param files what TypeScript reads, by path; a check may replace them in its turn */
  constructor(files: Map<string, string>, options: TurnsOptions) {
    this.#files = files;
    this.#options = { loadMs: LOAD_MS, waitMs: WAIT_MS, deadlineMs: DEADLINE_MS, idleMs: IDLE_MS, ...options };
  }

  /** Runs a check in its turn. @returns undefined if it was given up, or if TypeScript does not load */
  async take<T>(check: (typescript: TypeScriptProcess) => Promise<T>): Promise<T | undefined> {
    // Before the turn: a check that waits for others does not wait for TypeScript as well.
    if ((await this.#loaded()) === undefined) return undefined;
    const end = await this.#turns.acquire(this.#options.waitMs);
    if (end === undefined) return undefined;
    clearTimeout(this.#idle);
    const checking = this.#checkInTime(check);
    this.#current = checking;
    try {
      return await checking;
    } finally {
      this.#endWhenIdle();
      end();
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#turns.close();
    clearTimeout(this.#idle);
    if (this.#process !== undefined) this.#end(this.#process);
    await this.#current;
    await Promise.all(this.#endings);
  }

  /** TypeScript, once it has loaded; undefined if it does not load, or not in time, or on closing. */
  async #loaded(): Promise<TypeScriptProcess | undefined> {
    if (this.#isClosed) return undefined;
    try {
      const starting = (this.#process ??= startTypeScript(this.#files));
      await inTime(starting.loaded, this.#options.loadMs).catch(() => this.#end(starting));
      return this.#process === starting ? starting : undefined;
    } catch {
      // The package of this platform is missing.
      return undefined;
    }
  }

  async #checkInTime<T>(check: (typescript: TypeScriptProcess) => Promise<T>): Promise<T | undefined> {
    // The check before this one may have ended the process.
    const typescript = await this.#loaded();
    if (typescript === undefined) return undefined;
    try {
      return await inTime(check(typescript), this.#options.deadlineMs);
    } catch {
      this.#end(typescript);
      return undefined;
    }
  }

  /** The next check starts another process. */
  #end(typescript: TypeScriptProcess): void {
    if (this.#process === typescript) this.#process = undefined;
    const ending = typescript.end().then(() => void this.#endings.delete(ending));
    this.#endings.add(ending);
  }

  /** Ends the process after a while, unless another check begins before. */
  #endWhenIdle(): void {
    this.#idle = setTimeout(() => {
      if (this.#process !== undefined) this.#end(this.#process);
    }, this.#options.idleMs).unref();
  }
}

/** @throws Error after so many milliseconds */
async function inTime<T>(work: Promise<T>, milliseconds: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('The type checker is late.')), milliseconds);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
