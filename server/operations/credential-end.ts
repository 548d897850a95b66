// Ends what stays open longer than a request, when the credential that opened it is no longer valid.
import type { Clock } from '../lib/clock.ts';
import type { Caller } from './operation.ts';

/** Milliseconds between two looks at whether a credential was revoked. */
const LOOK_EVERY_MS = 500;

export interface CredentialEnd {
  /** Aborted when the credential expires, and within a second after it was revoked. */
  signal: AbortSignal;
  /** Stops watching; to be called in every case. */
  callOff: () => void;
}

export function watchCredential({ expiresAt, isRevoked }: Caller, clock: Clock): CredentialEnd {
  const ended = new AbortController();
  let callOff = (): void => {};
  const look = (): void => {
    callOff();
    if ((expiresAt !== undefined && clock.now() >= expiresAt) || isRevoked?.() === true) return ended.abort();
    const callOffs = [
      ...(expiresAt === undefined ? [] : [clock.wakeAt(expiresAt, look)]),
      ...(isRevoked === undefined ? [] : [clock.wakeAfter(LOOK_EVERY_MS, look)]),
    ];
    callOff = () => callOffs.forEach((each) => each());
  };
  look();
  return { signal: ended.signal, callOff: () => callOff() };
}
