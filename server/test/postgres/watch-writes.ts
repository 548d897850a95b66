// Records in the database every row that processes write to a schema, and when, so that it can be looked up whether one of
// them wrote after its lease had expired. A process is known by the `application_name` of its connections.
//
// What must hold, by the time of each commit:
// 1. A process writes only while a holder that it is has a lease.
// 2. No row is given to a holder whose lease has expired.
// 3. No claim of such a holder is used to finish or postpone a task.
// 4. The process that was such a holder records nothing of an attempt that the holder still has. What ends it as
//    interrupted is the take-over.
import { ask } from '../../kernel/log/postgres/testing.ts';

/** Settings of a PostgreSQL that is watched. */
export const FOR_WATCHING = ['track_commit_timestamp=on'];

/** The text of every statement that needs a claim of its holder (tasks/sql.ts). */
const BY_CLAIM = '%claimed_by = $5 AND claim = $6%';
/** Who is named where no process holds a row. */
const NO_HOLDERS = `('parked', 'left by a stop')`;

export interface FoundWrites {
  /** What was looked at: commits, and among the rows those of each invariant. */
  commits: number;
  given: number;
  byClaim: number;
  ofAttempts: number;
  /** Processes that lost a lease and went on as another holder. */
  renamed: number;
  /** Each as a sentence. */
  late: string[];
}

/** The URL of a database for a process of this name. */
export function asProcess(url: string, name: string): string {
  const named = new URL(url);
  named.searchParams.set('application_name', name);
  return named.href;
}

/** Begins to record. The schema must have its tables, and no process may hold a lease yet. */
export async function watchWrites(url: string, schema: string): Promise<void> {
  await ask(
    `CREATE SCHEMA ${schema}_watched;
     SET search_path = ${schema}_watched;
     CREATE TABLE leases (
       n BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, process TEXT NOT NULL, holder TEXT NOT NULL,
       is_first BOOLEAN NOT NULL, at TIMESTAMPTZ NOT NULL, ends_at TIMESTAMPTZ NOT NULL
     );
     CREATE INDEX ON leases (holder, at);
     CREATE TABLE writes (
       n BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, process TEXT NOT NULL, transaction XID8 NOT NULL,
       place TEXT NOT NULL, change TEXT NOT NULL, name TEXT, type TEXT, attempt BIGINT, is_interruption BOOLEAN NOT NULL,
       holder_before TEXT, holder_after TEXT, by_claim BOOLEAN NOT NULL, at TIMESTAMPTZ NOT NULL
     );
     CREATE INDEX ON writes (place, name);

     CREATE FUNCTION note_lease() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
       INSERT INTO ${schema}_watched.leases (process, holder, is_first, at, ends_at)
       VALUES (current_setting('application_name'), NEW.holder, TG_OP = 'INSERT', clock_timestamp(), NEW.expires_at);
       RETURN NULL;
     END $$;
     CREATE TRIGGER watched AFTER INSERT OR UPDATE ON ${schema}.holders
       FOR EACH ROW EXECUTE FUNCTION note_lease();

     CREATE FUNCTION note_write() RETURNS trigger LANGUAGE plpgsql AS $$
     DECLARE
       before JSONB := to_jsonb(OLD);
       after JSONB := to_jsonb(NEW);
       either JSONB := COALESCE(after, before);
       is_event BOOLEAN := TG_TABLE_NAME = 'events';
     BEGIN
       INSERT INTO ${schema}_watched.writes
         (process, transaction, place, change, name, type, attempt, is_interruption, holder_before, holder_after, by_claim, at)
       VALUES (
         current_setting('application_name'), pg_current_xact_id(), TG_TABLE_NAME, TG_OP,
         COALESCE('run-' || (either->>'run_id'), either->>'stream', either->>'key', either->>'name'), either->>'type',
         COALESCE(either->>'attempt', CASE WHEN is_event THEN (either->>'data')::jsonb->>'attempt' END)::bigint,
         is_event AND either->>'data' LIKE '%interrupted%',
         COALESCE(before->>'holder', before->>'claimed_by'), COALESCE(after->>'holder', after->>'claimed_by'),
         current_query() LIKE '${BY_CLAIM}', clock_timestamp()
       );
       RETURN NULL;
     END $$;
     DO $$ DECLARE place TEXT; BEGIN
       FOR place IN SELECT tablename FROM pg_tables
         WHERE schemaname = '${schema}' AND tablename NOT IN ('holders', 'migrations', 'playbook_queues')
       LOOP
         EXECUTE format('CREATE TRIGGER watched AFTER INSERT OR UPDATE OR DELETE ON ${schema}.%I
           FOR EACH ROW EXECUTE FUNCTION ${schema}_watched.note_write()', place);
       END LOOP;
     END $$;`,
    url,
  );
}

/** Looks through everything that was written since `watchWrites`. */
export async function findLateWrites(url: string, schema: string): Promise<FoundWrites> {
  const rows = <Row>(statement: string): Promise<Row[]> =>
    ask(statement.replaceAll('@', `${schema}_watched.`), url) as Promise<Row[]>;
  /** Whether the lease of a holder had expired by then; both are columns. */
  const lateness = (holder: string, at: string): string =>
    `COALESCE((SELECT l.ends_at FROM @leases AS l WHERE l.holder = ${holder} AND l.at <= ${at}
       ORDER BY l.at DESC, l.n DESC LIMIT 1) <= ${at}, true)`;
  const committed = 'COALESCE(pg_xact_commit_timestamp(transaction::xid), at)';
  const late: string[] = [];
  const refuse = async (sentence: string, statement: string): Promise<void> => {
    const found = await rows<object>(statement);
    if (found.length > 0) late.push(`${sentence}: ${found.length}, such as ${JSON.stringify(found[0])}`);
  };

  await refuse(
    'Commits of processes without a lease',
    `SELECT process, transaction::text, places, at FROM (
       SELECT process, transaction, string_agg(DISTINCT place, ', ') AS places, MAX(${committed}) AS at
       FROM @writes GROUP BY process, transaction
     ) AS commits WHERE NOT EXISTS (
       SELECT 1 FROM @leases AS own
       WHERE own.process = commits.process AND own.is_first AND NOT ${lateness('own.holder', 'commits.at')}
     )`,
  );
  const given = `holder_after IS NOT NULL AND holder_after IS DISTINCT FROM holder_before
    AND holder_after NOT IN ${NO_HOLDERS}`;
  await refuse(
    'Rows that were given to a holder whose lease had expired',
    `SELECT process, place, name, holder_after, at FROM (SELECT *, ${committed} AS done_at FROM @writes WHERE ${given}) AS given
     WHERE ${lateness('holder_after', 'done_at')}`,
  );
  await refuse(
    'Tasks that were finished or postponed by a claim of a holder whose lease had expired',
    `SELECT process, place, name, holder_before, at FROM (SELECT *, ${committed} AS done_at FROM @writes WHERE by_claim) AS done
     WHERE ${lateness('holder_before', 'done_at')}`,
  );
  const ofAttempts = `SELECT events.*, held.holder_after AS held_by FROM @writes AS events JOIN LATERAL (
      SELECT holder_after FROM @writes AS lease
      WHERE lease.place = 'run_leases' AND lease.name = events.name AND lease.n < events.n
        AND lease.transaction <> events.transaction ORDER BY lease.n DESC LIMIT 1
    ) AS held ON held.holder_after IS NOT NULL
    WHERE events.place = 'events' AND events.attempt IS NOT NULL
      AND events.type IN ('run_succeeded', 'run_rejected', 'run_failed', 'run_deferred', 'tool_call_started', 'tool_call_answered', 'tool_call_failed')`;
  await refuse(
    'Events of attempts that were recorded by the process whose lease had expired',
    `SELECT process, name, type, at FROM (SELECT *, ${committed} AS done_at FROM (${ofAttempts}) AS recorded) AS events
     WHERE NOT is_interruption AND ${lateness('held_by', 'done_at')}
       AND EXISTS (SELECT 1 FROM @leases AS own WHERE own.process = events.process AND own.holder = events.held_by)`,
  );
  const [counts] = await rows<Record<keyof Omit<FoundWrites, 'late'>, string>>(
    `SELECT (SELECT COUNT(DISTINCT transaction) FROM @writes) AS commits,
       (SELECT COUNT(*) FROM @writes WHERE ${given}) AS given,
       (SELECT COUNT(*) FROM @writes WHERE by_claim) AS "byClaim",
       (SELECT COUNT(*) FROM (${ofAttempts}) AS events) AS "ofAttempts",
       (SELECT COUNT(*) FROM (SELECT 1 FROM @leases WHERE is_first GROUP BY process HAVING COUNT(*) > 1) AS processes) AS renamed`,
  );
  return {
    commits: Number(counts?.commits),
    given: Number(counts?.given),
    byClaim: Number(counts?.byClaim),
    ofAttempts: Number(counts?.ofAttempts),
    renamed: Number(counts?.renamed),
    late,
  };
}
