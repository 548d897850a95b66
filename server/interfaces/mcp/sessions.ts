// Clients of revisions before 2026-07-28 tell their name once, and call a request off with a message of its own.
// Nothing is kept of a session: its id, which the client sends along, holds the client's name itself.
import { randomUUID } from 'node:crypto';

const MOST_NAME_BYTES = 120;

export interface Sessions {
  /** An id for a client that introduces itself. */
  begin(clientName: string): string;
  /** Whether a request can still be called off, and how; answers what to call once it is answered. */
  track(session: string, requestId: string | number, callOff: () => void): () => void;
  /** Calls off a request of the session that is not answered yet. */
  cancel(session: string, requestId: string | number): void;
}

/** The name of the client in a session's id; undefined where it holds none. */
export function clientNameOf(session: string | undefined): string | undefined {
  const [, name] = /^([\w-]+)\.[0-9a-f-]{36}$/.exec(session ?? '') ?? [];
  return name === undefined ? undefined : Buffer.from(name, 'base64url').toString('utf8');
}

export function createSessions(): Sessions {
  const going = new Map<string, () => void>();
  const keyOf = (session: string, requestId: string | number): string => JSON.stringify([session, requestId]);
  return {
    begin(clientName) {
      const name = Buffer.from(clientName).subarray(0, MOST_NAME_BYTES).toString('base64url');
      return `${name === '' ? '_' : name}.${randomUUID()}`;
    },
    track(session, requestId, callOff) {
      const key = keyOf(session, requestId);
      going.set(key, callOff);
      return () => {
        if (going.get(key) === callOff) going.delete(key);
      };
    },
    cancel: (session, requestId) => going.get(keyOf(session, requestId))?.(),
  };
}
