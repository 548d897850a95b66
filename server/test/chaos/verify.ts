// What must hold after any faults, read from the database.
import { ask } from '../../kernel/log/postgres/testing.ts';
import { type Acknowledged, AT, type ChaosClient } from './client.ts';
import { SCHEMA } from './cluster.ts';
import { findLateWrites, type FoundWrites } from '../postgres/watch-writes.ts';

/** Every breach as a sentence, and what was looked at. @param calls how often each call reached the tool server */
export async function findBreaches(
  url: string,
  client: ChaosClient,
  calls: ReadonlyMap<string, number>,
): Promise<{ breaches: string[]; writes: FoundWrites }> {
  const { acknowledged } = client;
  const rows = <Row>(statement: string): Promise<Row[]> =>
    ask(`SELECT * FROM (${statement.replaceAll('@', `${SCHEMA}.`)}) AS found`, url) as Promise<Row[]>;
  const breaches: string[] = [];
  const refuse = (sentence: string, found: readonly unknown[]): void => {
    if (found.length > 0) breaches.push(`${sentence}: ${found.length}, such as ${JSON.stringify(found[0])}`);
  };

  refuse(
    'Acknowledged and lost',
    lost(acknowledged, {
      events: await idsOf(rows(`SELECT data::json->'event'->>'id' AS id FROM @events WHERE type = 'event_published'`)),
      runs: await idsOf(rows(`SELECT run_id AS id FROM @runs`)),
      answers: await idsOf(rows(`SELECT run_id AS id FROM @runs WHERE type = 'interaction' AND status <> 'started'`)),
      cancelled: await idsOf(rows(`SELECT run_id AS id FROM @runs WHERE cancel_requested_at IS NOT NULL`)),
    }),
  );
  refuse(
    'Tool calls that were sent twice',
    [...calls].filter(([, count]) => count > 1),
  );
  const recorded = await idsOf(
    rows(`SELECT data::json->'arguments'->'body'->>'id' AS id FROM @events WHERE type = 'tool_call_started'`),
  );
  refuse(
    'Tool calls that were sent and not recorded',
    [...calls.keys()].filter((id) => !recorded.has(id)),
  );
  refuse('Runs that did not end', await rows(`SELECT run_id FROM @runs WHERE status = 'started'`));
  refuse(
    'Runs with more than one ending of an attempt',
    await rows(
      `SELECT stream, data::json->>'attempt' AS attempt FROM @events
       WHERE type IN ('run_succeeded', 'run_rejected', 'run_failed') GROUP BY 1, 2 HAVING COUNT(*) > 1`,
    ),
  );
  refuse(
    'Places in the order of reading that are missing',
    await rows(
      `SELECT playbook FROM @events WHERE read_position IS NOT NULL GROUP BY org, playbook
       HAVING MAX(read_position) <> COUNT(*)`,
    ),
  );
  refuse(
    'Leases and claims of processes whose lease has expired',
    await rows(
      `SELECT held.holder FROM (
         SELECT holder FROM @run_leases UNION SELECT claimed_by FROM @tasks UNION SELECT claimed_by FROM @start_tasks
         UNION SELECT claimed_by FROM @perform_tasks UNION SELECT claimed_by FROM @loop_tasks
       ) AS held LEFT JOIN @holders AS holders ON holders.holder = held.holder AND holders.expires_at > now()
       WHERE held.holder IS NOT NULL AND held.holder <> 'parked' AND holders.holder IS NULL`,
    ),
  );
  const [published] = await rows<{ count: string }>(
    `SELECT COUNT(*) AS count FROM @events WHERE type = 'event_published'`,
  );
  const counted = await client.send('POST', `${AT}/definitions/recall/count/run`, { input: {} });
  const output = counted?.body['output'];
  if (output !== Number(published?.count))
    breaches.push(`The view counted ${JSON.stringify(counted?.body)} of ${published?.count} events.`);
  const writes = await findLateWrites(url, SCHEMA);
  breaches.push(...writes.late);
  // A watch that sees nothing of a kind would find nothing wrong with it.
  for (const kind of ['commits', 'given', 'byClaim', 'ofAttempts', 'renamed'] as const) {
    if (writes[kind] === 0) breaches.push(`There is nothing to look at among ${kind} of the writes.`);
  }
  return { breaches, writes };
}

async function idsOf(rows: Promise<{ id: string }[]>): Promise<Set<string>> {
  return new Set((await rows).map(({ id }) => id));
}

function lost(acknowledged: Acknowledged, stored: Acknowledged): string[] {
  const kinds = ['events', 'runs', 'answers', 'cancelled'] as const;
  return kinds.flatMap((kind) =>
    [...acknowledged[kind]].filter((id) => !stored[kind].has(id)).map((id) => `${kind} ${id}`),
  );
}
