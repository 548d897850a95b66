// What a case of the hostile program is, and what it sends with.

/** The service as a hostile caller sees it. */
export interface Target {
  /** The server's origin. */
  address: string;
  /** The path of the playbook that everything happens in. */
  at: string;
  /** Aborted when the case's time is over. */
  signal: AbortSignal;
  /** A name that no definition has had. */
  newName: () => string;
  /** Sends a body as it is where it is a text or bytes; answers the status, 0 where there was no answer. */
  send: (method: string, path: string, body?: unknown, headers?: Record<string, string>) => Promise<Sent>;
}

export interface Sent {
  status: number;
  body: string;
}

export interface HostileCase {
  /** A few words that are unique, for example `YAML: 65,000 opening brackets`. */
  name: string;
  /** How long its answers are waited for at least, in milliseconds: it makes what later cases read. */
  leastMs?: number;
  /** Also part of the short form. */
  isShort?: boolean;
  run: (target: Target) => Promise<unknown>;
}
