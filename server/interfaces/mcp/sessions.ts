// Before revision 2026-07-28, clients send their name once per session, and cancel a request with a separate message. No
// session is stored: the session id, which the client sends with each request, contains the client's name.
import { randomUUID } from 'node:crypto';
import type { Owner } from './kept-values.ts';

const MOST_NAME_BYTES = 120;

export interface Sessions {
  /** A session id for a client that initializes. */
  begin(clientName: string): string;
  /** Registers how to cancel a caller's request; returns a function to call once the request is complete. */
  track(request: SessionRequest, callOff: () => void): () => void;
  /** Cancels an open request of the session, if it is the same caller's. */
  cancel(request: SessionRequest): void;
}

/** A request of a session. Anyone may send the id of a session, so a request is also identified by who made it. */
export interface SessionRequest extends Owner {
  session: string;
  requestId: string | number;
}

/** The name of the client in a session id; undefined if there is none. */
export function clientNameOf(session: string | undefined): string | undefined {
  const [, name] = /^([\w-]+)\.[0-9a-f-]{36}$/.exec(session ?? '') ?? [];
  return name === undefined ? undefined : Buffer.from(name, 'base64url').toString('utf8');
}

export function createSessions(): Sessions {
  const going = new Map<string, () => void>();
  const keyOf = ({ org, by, session, requestId }: SessionRequest): string =>
    JSON.stringify([org, by, session, requestId]);
  return {
    begin(clientName) {
      const name = Buffer.from(clientName).subarray(0, MOST_NAME_BYTES).toString('base64url');
      return `${name === '' ? '_' : name}.${randomUUID()}`;
    },
    track(request, callOff) {
      const key = keyOf(request);
      going.set(key, callOff);
      return () => {
        if (going.get(key) === callOff) going.delete(key);
      };
    },
    cancel: (request) => going.get(keyOf(request))?.(),
  };
}
