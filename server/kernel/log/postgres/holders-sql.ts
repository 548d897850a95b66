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
  );
  CREATE TABLE IF NOT EXISTS last_commits (
    holder TEXT COLLATE "C" NOT NULL,
    scope TEXT COLLATE "C" NOT NULL,
    name TEXT NOT NULL,
    at TIMESTAMPTZ NOT NULL DEFAULT now(),
    PRIMARY KEY (holder, scope)
  );`;

const END = `clock_timestamp() + interval '${LEASE} milliseconds'`;

/** A statement and its values. */
export type Statement = readonly [text: string, values?: readonly SqlValue[]];

/** May be repeated: the answer of the first one may have been lost. */
export const registerHolder = (holder: string): Statement => [
  `INSERT INTO holders (holder, expires_at) VALUES ($1, ${END})
   ON CONFLICT (holder) DO UPDATE SET expires_at = excluded.expires_at`,
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

/** For how many milliseconds a holder's lease still lasts, as a column; `$n` is the holder. Null or not positive: it has expired. */
export const leaseLeft = (parameter: string): string =>
  `(SELECT EXTRACT(EPOCH FROM expires_at - clock_timestamp()) * 1000 FROM holders WHERE holder = ${parameter}) AS lease_left`;

export const selectLeaseLeft = (holder: string): Statement => [`SELECT ${leaseLeft('$1')}`, [holder]];

/** The error of `commitWhileHeld` where the lease has expired; a class of errors that PostgreSQL leaves to programs. */
export const LEASE_EXPIRED = 'CB001';

/** Commits a transaction unless the lease of a holder has expired: one message, so that nothing comes between. */
export function commitWhileHeld(holder: string): string {
  if (!/^[0-9a-f]+$/.test(holder)) throw new Error('A holder is named in hexadecimal digits.');
  return `DO $$ BEGIN
    IF NOT EXISTS (SELECT 1 FROM holders WHERE holder = '${holder}' AND expires_at > clock_timestamp()) THEN
      RAISE EXCEPTION 'The lease has expired.' USING ERRCODE = '${LEASE_EXPIRED}';
    END IF;
  END $$;
  COMMIT`;
}

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

/** Names the last commit of a holder in a scope, within that commit: a part of the statement that begins it. By parameters. */
export const nameCommit = (holder: string, scope: string, name: string): string =>
  `INSERT INTO last_commits (holder, scope, name) VALUES (${holder}, ${scope}, ${name})
   ON CONFLICT (holder, scope) DO UPDATE SET name = excluded.name, at = now()`;

export const selectCommitName = (holder: string, scope: string): Statement => [
  'SELECT name FROM last_commits WHERE holder = $1 AND scope = $2',
  [holder, scope],
];

/** How many leases last. */
export const countHeld = 'SELECT COUNT(*) AS held FROM holders WHERE expires_at > clock_timestamp()';

/** Long after any process that was away could still ask. */
export const forgetCommits: Statement = [`DELETE FROM last_commits WHERE at < now() - interval '7 days'`];

export const forgetHolder = (holder: string): Statement => ['DELETE FROM holders WHERE holder = $1', [holder]];

/**
 * The playbooks in which something was committed by a transaction from a mark on, and the mark to look from next: every
 * transaction before it has ended. One row without a playbook where there are none. A database that was restored from a
 * dump has numbers of transactions that are still to come: they say nothing.
 */
export const selectCommittedSince = (mark: string): Statement => [
  `SELECT now.mark, queue.org, queue.playbook
   FROM (SELECT pg_snapshot_xmin(pg_current_snapshot())::text AS mark, pg_snapshot_xmax(pg_current_snapshot()) AS next) AS now
   LEFT JOIN playbook_queues AS queue ON queue.changed_by >= $1::text::xid8 AND queue.changed_by < now.next`,
  [mark],
];
