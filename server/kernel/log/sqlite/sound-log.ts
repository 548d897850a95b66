// Whether the event log of a database is whole: no event is missing, changed places or lost a text.
import { hash } from 'node:crypto';
import type Database from 'better-sqlite3';

interface Found {
  org: string;
  playbook: string;
  /** Empty: the playbook as a whole. */
  stream: string;
}

/**
 * The first thing that is wrong with the events and the texts that they refer to. What an event says is not checked: it
 * shows where the read tables are something else than the log gives.
 */
export function faultOfLog(database: Database.Database): string | undefined {
  for (const [sql, wordsOf] of CHECKS) {
    const found = database.prepare<[], Found>(`${sql} LIMIT 1`).get();
    if (found !== undefined) return wordsOf(found);
  }
  const log = database
    .prepare<[], { held: number; last: number | null }>(
      'SELECT count(*) AS held, max(global_position) AS last FROM events',
    )
    .get();
  const missing = (log?.last ?? 0) - (log?.held ?? 0);
  if (missing !== 0) return `${missing} events are missing in its log`;
  return changedText(database);
}

/** Every event has a number in its stream, and most in the reading order. Both begin at 1 and follow the log. */
const CHECKS: readonly (readonly [string, (found: Found) => string])[] = [
  [
    `SELECT org, playbook, stream FROM events GROUP BY org, playbook, stream
     HAVING min(position) <> 1 OR max(position) <> count(*)`,
    (found) => `events are missing in the stream ${placeOf(found)}`,
  ],
  [
    `SELECT org, playbook, '' AS stream FROM events GROUP BY org, playbook
     HAVING coalesce(max(read_position), 0) <> count(read_position) OR coalesce(max(read_position), 0) <> coalesce(
       (SELECT position FROM streams WHERE org = events.org AND playbook = events.playbook AND stream = ''), 0)`,
    (found) => `events are missing in the playbook ${placeOf(found)}`,
  ],
  [
    `SELECT org, playbook, stream FROM (
       SELECT org, playbook, stream, global_position, lag(global_position, 1, 0)
         OVER (PARTITION BY org, playbook, stream ORDER BY position) AS before FROM events)
     WHERE global_position <= before`,
    (found) => `the events of the stream ${placeOf(found)} are not in their order`,
  ],
  [
    `SELECT org, playbook, '' AS stream FROM (
       SELECT org, playbook, global_position, lag(global_position, 1, 0)
         OVER (PARTITION BY org, playbook ORDER BY read_position) AS before FROM events WHERE read_position IS NOT NULL)
     WHERE global_position <= before`,
    (found) => `the events of the playbook ${placeOf(found)} are not in their order`,
  ],
  [
    `SELECT org, playbook, stream FROM events WHERE json_valid(metadata)
       AND (at IS NOT json_extract(metadata, '$.at') OR tree IS NOT json_extract(metadata, '$.correlation_id'))`,
    (found) => `an event of the stream ${placeOf(found)} was changed`,
  ],
  [
    `SELECT org, playbook, stream FROM events, json_each(iif(json_valid(kept), kept, '{}')) AS member
     WHERE NOT EXISTS (SELECT 1 FROM contents WHERE org = events.org AND playbook = events.playbook
       AND sha256 = json_extract(member.value, '$.sha256'))`,
    (found) => `a text that an event of the stream ${placeOf(found)} refers to is missing`,
  ],
];

/** Texts are kept by their SHA-256. */
function changedText(database: Database.Database): string | undefined {
  const texts = database
    .prepare<[], { org: string; playbook: string; sha256: string; text: unknown }>(
      'SELECT org, playbook, sha256, text FROM contents',
    )
    .iterate();
  for (const { org, playbook, sha256, text } of texts) {
    if (typeof text === 'string' && hash('sha256', text, 'hex') === sha256) continue;
    return `a text of the playbook ${placeOf({ org, playbook, stream: '' })} was changed`;
  }
  return undefined;
}

function placeOf({ org, playbook, stream }: Found): string {
  return shownName([org, playbook, stream].filter((part) => part !== '').join('/'));
}

const MOST_SHOWN = 200;

/** A name of the database's own, which may contain anything. */
export function shownName(name: string): string {
  const cut = name.slice(0, MOST_SHOWN);
  return /^[\w./-]+$/.test(cut) ? cut : JSON.stringify(cut);
}
