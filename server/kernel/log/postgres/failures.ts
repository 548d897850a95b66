// What a failed statement means: SQLSTATE, PostgreSQL's appendix A.
import pg from 'pg';
import { type Refused, unavailable } from '../../../lib/rejection.ts';
import { LEASE_EXPIRED } from './holders-sql.ts';

/** Seconds after which a caller may try again. */
const RETRY_AFTER = 1;

const UNIQUE_VIOLATION = '23505';
/** A serialization failure and a deadlock: the same transaction may succeed at once. */
const REPEATABLE = new Set(['40001', '40P01']);
/** A lock that was not released in time, and a statement that took too long. */
const BLOCKED = new Set(['55P03', '57014']);
/** The server stops, crashed or starts; a transaction was idle for too long; a session was ended. */
const ENDED = new Set(['57P01', '57P02', '57P03', '57P05', '25P03', '25P04']);

function stateOf(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined;
}

export function isUniqueViolation(error: unknown): error is Error {
  return stateOf(error) === UNIQUE_VIOLATION;
}

/** Whether a transaction was not committed because the lease of its holder had expired (`commitWhileHeld`). */
export function isLeaseExpired(error: unknown): boolean {
  return stateOf(error) === LEASE_EXPIRED;
}

/** The connection could not be made, or broke. Its message is the driver's. */
class ConnectionLost extends Error {}

/** Waits for what the driver was asked; what fails without an answer of the server is a lost connection. */
export async function answered<T>(asked: Promise<T>): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof pg.DatabaseError) throw error;
    // An error of all the addresses of a host has no message of its own.
    const [first = error] = error instanceof AggregateError ? (error.errors as unknown[]) : [];
    throw new ConnectionLost(first instanceof Error ? first.message : String(first), { cause: error });
  }
}

/** Whether the connection is gone, and with it the transaction. */
export function isLost(error: unknown): boolean {
  const state = stateOf(error);
  return error instanceof ConnectionLost || state?.startsWith('08') === true || ENDED.has(state ?? '');
}

/** Whether the transaction was undone for a reason that lies in what ran beside it. */
export function isRepeatable(error: unknown): boolean {
  return isLost(error) || REPEATABLE.has(stateOf(error) ?? '');
}

/** Whether a server that starts or restarts may still accept the connection. */
export function mayComeBack(error: unknown): boolean {
  return isLost(error) || stateOf(error) === '53300';
}

export function unreachable(): Refused {
  return unavailable('The database cannot be reached, so nothing was changed. Try again.', { retryAfter: RETRY_AFTER });
}

/**
 * The refusal that stands for a failure of the database, for whatever was asked of it; undefined where the failure lies
 * in the statement.
 */
export function refusalOf(error: unknown): Refused | undefined {
  const state = stateOf(error);
  if (isLost(error)) return unreachable();
  if (BLOCKED.has(state ?? '') || REPEATABLE.has(state ?? '')) {
    return unavailable('The database is busy, so nothing was changed. Try again.', { retryAfter: RETRY_AFTER });
  }
  // Out of disk space, memory or connections; a standby or a read-only database; an input/output error.
  if (state === '53100') return unavailable("The database's disk is full, so nothing was changed. Free some space.");
  if (state?.startsWith('53') === true || state === '25006' || state?.startsWith('58') === true) {
    return unavailable(`The database cannot be written (${state}), so nothing was changed.`, {
      retryAfter: RETRY_AFTER,
    });
  }
  // The user may not log in any more, or the database is gone.
  if (state?.startsWith('28') === true || state === '3D000' || state === '57P04') {
    return unavailable(`The database refuses connections (${state}), so nothing was changed.`, {
      retryAfter: RETRY_AFTER,
    });
  }
  return undefined;
}
