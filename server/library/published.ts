// The types of the package `cuebook`. They stand alone, so that a program that uses the package reads these types and not
// those of the whole server; index.ts is checked against them.
import type { CuebookClient } from './client.ts';

export interface CuebookOptions {
  /**
   * Settings by the names of their variables, for example `DATA_DIR`; pass `process.env` to read the environment. `PORT` is a free
   * one if it is absent. docs/settings.md lists all of them.
   */
  settings?: Readonly<Record<string, string | undefined>>;
  /** The key that the client presents, if `API_KEYS` or `IDENTITY_ISSUER` publish the server. */
  key?: string | (() => string | Promise<string>);
  /** The org of the client's calls that name none; `local` when absent. */
  org?: string;
  /**
   * Called if a commit failed and it is unknown whether it happened: close the program, and start it again. When absent, the error
   * is thrown where nothing catches it.
   */
  onUnknownCommit?: (error: Error) => void;
}

export interface Cuebook {
  /** Where it listens, for example `http://127.0.0.1:4747`. The studio is there too. */
  address: string;
  /** Calls its operations. */
  client: CuebookClient;
  /** Refuses new runs, gives those in progress time to end, and closes the database. */
  close(): Promise<void>;
}

/**
 * Starts Cuebook in this process.
 * @throws SettingsError for an invalid setting, UnusableStoreError if another process uses the data directory
 */
export declare function createCuebook(options?: CuebookOptions): Promise<Cuebook>;

/** An invalid setting; its message names the setting and what it takes. */
export declare const SettingsError: abstract new (...args: never) => Error;

/** A database that cannot be opened; its message says why and what to do. */
export declare const UnusableStoreError: abstract new (...args: never) => Error;
