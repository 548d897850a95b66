// Who waits for which published events. A publication finds subscribers by the texts that every event has; the
// subscriber decides whether the data matches.
import type { Json } from '../../../shared/json.ts';
import {
  createMemory,
  type Migration,
  type PlaybookKey,
  type ReadTransaction,
  STORED_BY_KEY,
  type WriteTransaction,
} from '../../kernel/log/index.ts';

export const subscriptionMigrations: readonly Migration[] = [
  {
    id: 'subscriptions/1',
    sql: `
      CREATE TABLE event_subscriptions (
        org TEXT NOT NULL,
        playbook TEXT NOT NULL,
        type TEXT NOT NULL,
        source TEXT NOT NULL,
        subject TEXT NOT NULL,
        correlation_from TEXT NOT NULL,
        correlation TEXT NOT NULL,
        reaction TEXT NOT NULL,
        subscriber TEXT NOT NULL,
        listener TEXT NOT NULL,
        PRIMARY KEY (org, playbook, type, source, subject, correlation_from, correlation, reaction, subscriber, listener)
      ) ${STORED_BY_KEY};
      CREATE INDEX event_subscriptions_by_subscriber
        ON event_subscriptions (org, playbook, reaction, subscriber, listener);`,
  },
];

/** Stands for any text of an attribute: no published event has an empty one. */
const ANY = '';

export interface Subscriber {
  /** Names who reacts. */
  reaction: string;
  /** Whom it reacts for, and which of its listeners it is. */
  subscriber: string;
  listener: string;
}

export interface Interest {
  type: string | null;
  source: string | null;
  subject: string | null;
  /** An expression over the event's data whose value must have this digest. */
  correlation: { from: string; sha256: string } | null;
}

/**
 * The digest of an expression's value over an event's data; undefined where it cannot be decided at once, so that every
 * subscription with that expression counts.
 */
export type Correlate = (from: string, data: Json) => string | undefined;

export async function subscribe(
  tx: WriteTransaction,
  { org, playbook }: PlaybookKey,
  { reaction, subscriber, listener }: Subscriber,
  interests: readonly Interest[],
): Promise<void> {
  listening.set(tx, keyOf({ org, playbook }), 1);
  for (const { type, source, subject, correlation } of interests) {
    const { from, sha256 } = correlation ?? { from: ANY, sha256: ANY };
    await tx.run(
      `INSERT INTO event_subscriptions
         (org, playbook, type, source, subject, correlation_from, correlation, reaction, subscriber, listener)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT DO NOTHING`,
      [org, playbook, type ?? ANY, source ?? ANY, subject ?? ANY, from, sha256, reaction, subscriber, listener],
    );
  }
}

export async function unsubscribe(
  tx: WriteTransaction,
  { org, playbook }: PlaybookKey,
  { reaction, subscriber, listener }: Subscriber,
): Promise<void> {
  listening.set(tx, keyOf({ org, playbook }), undefined);
  await tx.run(
    `DELETE FROM event_subscriptions
     WHERE org = $1 AND playbook = $2 AND reaction = $3 AND subscriber = $4 AND listener = $5`,
    [org, playbook, reaction, subscriber, listener],
  );
}

/** Whether a playbook may have subscriptions: 1 or 0. */
const listening = createMemory<number>(1000);
const keyOf = ({ org, playbook }: PlaybookKey): string => `${org}\0${playbook}`;

async function isListening(tx: WriteTransaction, playbookKey: PlaybookKey): Promise<boolean> {
  const known = listening.get(tx, keyOf(playbookKey));
  if (known !== undefined) return known === 1;
  const sql = 'SELECT 1 FROM event_subscriptions WHERE org = $1 AND playbook = $2 LIMIT 1';
  const found = (await tx.get(sql, [playbookKey.org, playbookKey.playbook])) !== undefined;
  listening.set(tx, keyOf(playbookKey), found ? 1 : 0);
  return found;
}

/** All subscribers that may match the event, each once, in a stable order. */
export async function findSubscribers(
  tx: WriteTransaction,
  playbookKey: PlaybookKey,
  event: PublishedTexts,
  correlate: Correlate,
): Promise<Subscriber[]> {
  if (!(await isListening(tx, playbookKey))) return [];
  const found: Subscriber[] = [];
  for (const from of await selectCorrelations(tx, playbookKey, event)) {
    const digest = from === ANY ? undefined : correlate(from, event.data ?? null);
    found.push(...(await selectSubscribers(tx, playbookKey, event, from, digest)));
  }
  if (found.length < 2) return found;
  const byKey = new Map(found.map((each) => [JSON.stringify([each.reaction, each.subscriber, each.listener]), each]));
  return [...byKey].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, each]) => each);
}

/** What of an event subscriptions are found by. */
export interface PublishedTexts {
  type: string;
  source: string;
  subject?: string;
  data?: Json;
}

const MATCHES = `org = $1 AND playbook = $2 AND type IN ($3, '${ANY}') AND source IN ($4, '${ANY}') AND subject IN ($5, '${ANY}')`;

const textsOf = ({ org, playbook }: PlaybookKey, { type, source, subject }: PublishedTexts): string[] => [
  org,
  playbook,
  type,
  source,
  subject ?? ANY,
];

/** The expressions that subscriptions to such an event correlate by. */
async function selectCorrelations(
  tx: ReadTransaction,
  playbookKey: PlaybookKey,
  event: PublishedTexts,
): Promise<string[]> {
  const rows = await tx.all<{ correlation_from: string }>(
    `SELECT DISTINCT correlation_from FROM event_subscriptions WHERE ${MATCHES}`,
    textsOf(playbookKey, event),
  );
  return rows.map(({ correlation_from: from }) => from);
}

/** @param digest of the expression's value; undefined: whatever is expected */
async function selectSubscribers(
  tx: ReadTransaction,
  playbookKey: PlaybookKey,
  event: PublishedTexts,
  from: string,
  digest: string | undefined,
): Promise<Subscriber[]> {
  // Put in order by who asks: asked to, a database reads by the other index, and so every subscription of the playbook.
  const own = digest === undefined ? [] : [digest];
  return tx.all<Subscriber>(
    `SELECT reaction, subscriber, listener FROM event_subscriptions
     WHERE ${MATCHES} AND correlation_from = $6${digest === undefined ? '' : ' AND correlation = $7'}`,
    [...textsOf(playbookKey, event), from, ...own],
  );
}
