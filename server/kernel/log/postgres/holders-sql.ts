// The leases of the processes that share a schema, by the database's clock.
import type { SqlValue } from '../store.ts';

/** How long a lease lasts, and how often it is renewed, in milliseconds: two renewals may fail. */
const LEASE = 15_000;
export const RENEWED_EVERY = LEASE / 3;
/** Milliseconds for which an expired holder is remembered: no transaction that it began lasts that long. */
const REMEMBERED = 60_000;

export const holdersTable = `
  CREATE TABLE IF NOT EXISTS holders (
    holder TEXT COLLATE "C" PRIMARY KEY,
    expires_at TIMESTAMPTZ NOT NULL
  );`;

const END = `clock_timestamp() + interval '${LEASE} milliseconds'`;

/** A statement and its values. */
export type Statement = readonly [text: string, values?: readonly SqlValue[]];

export const registerHolder = (holder: string): Statement => [
  `INSERT INTO holders (holder, expires_at) VALUES ($1, ${END})`,
  [holder],
];

/** Changes no row where the lease has expired. */
export const renewHolder = (holder: string): Statement => [
  `UPDATE holders SET expires_at = ${END} WHERE holder = $1 AND expires_at > clock_timestamp()`,
  [holder],
];

/** Gives the lease back. */
export const leaveHolder = (holder: string): Statement => [
  'UPDATE holders SET expires_at = LEAST(expires_at, clock_timestamp()) WHERE holder = $1',
  [holder],
];

/** Whether a holder's lease lasts, as a column; `$n` is the holder. */
export const isHeld = (parameter: string): string =>
  `EXISTS (SELECT 1 FROM holders WHERE holder = ${parameter} AND expires_at > clock_timestamp()) AS is_held`;

export const selectIsHeld = (holder: string): Statement => [`SELECT ${isHeld('$1')}`, [holder]];

export const selectLeaseEnd = (holder: string): Statement => [
  `SELECT (EXTRACT(EPOCH FROM expires_at) * 1000)::bigint AS ends_at FROM holders
   WHERE holder = $1 AND expires_at > clock_timestamp()`,
  [holder],
];

/** Every holder: whether its lease lasts, and whether it may be forgotten once what it held was taken over. */
export const selectHolders: Statement = [
  `SELECT holder, expires_at > clock_timestamp() AS is_held,
     expires_at < clock_timestamp() - interval '${REMEMBERED} milliseconds' AS is_long_gone
   FROM holders ORDER BY holder`,
];

export const forgetHolder = (holder: string): Statement => ['DELETE FROM holders WHERE holder = $1', [holder]];

/**
 * The playbooks in which something was committed by a transaction from a mark on, and the mark to look from next: every
 * transaction before it has ended. One row without a playbook where there are none.
 */
export const selectCommittedSince = (mark: string): Statement => [
  `SELECT now.mark, queue.org, queue.playbook
   FROM (SELECT pg_snapshot_xmin(pg_current_snapshot())::text AS mark) AS now
   LEFT JOIN playbook_queues AS queue ON queue.changed_by >= $1::text::xid8`,
  [mark],
];
