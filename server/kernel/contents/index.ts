// Texts kept by their SHA-256, once a playbook however often they are recorded.
import type { Json } from '../../../shared/json.ts';
import { LIMITS } from '../../../shared/limits.ts';
import { KIB } from '../../../shared/product.ts';
import { JsonText } from '../../lib/json-text.ts';
import { sha256 } from '../../lib/sha256.ts';
import {
  type ContentReference,
  type Migration,
  type PlaybookKey,
  type ReadTransaction,
  requireInScope,
  type WriteTransaction,
} from '../log/index.ts';

export { sha256 } from '../../lib/sha256.ts';

export const contentMigrations: readonly Migration[] = [
  {
    id: 'contents/1',
    sql: `
      CREATE TABLE contents (
        org TEXT NOT NULL,
        playbook TEXT NOT NULL,
        sha256 TEXT NOT NULL,
        text TEXT NOT NULL,
        PRIMARY KEY (org, playbook, sha256)
      );`,
  },
];

export async function storeText(
  tx: WriteTransaction,
  playbookKey: PlaybookKey,
  text: string,
): Promise<ContentReference> {
  requireInScope(tx, playbookKey);
  const digest = sha256(text);
  await tx.run(
    `INSERT INTO contents (org, playbook, sha256, text) VALUES ($1, $2, $3, $4)
     ON CONFLICT (org, playbook, sha256) DO NOTHING`,
    [playbookKey.org, playbookKey.playbook, digest, text],
  );
  return { sha256: digest, bytes: Buffer.byteLength(text) };
}

/** The kept text. An absent one is a broken store, and an error. */
export async function readText(tx: ReadTransaction, playbookKey: PlaybookKey, digest: string): Promise<string> {
  const row = await tx.get<{ text: string }>(
    `SELECT text FROM contents WHERE org = $1 AND playbook = $2 AND sha256 = $3`,
    [playbookKey.org, playbookKey.playbook, digest],
  );
  if (row === undefined) throw new Error(`The stored text ${digest} is missing.`);
  return row.text;
}

/** A fact's members: the small ones as they are, the large ones kept apart. */
export interface DividedMembers {
  data: Record<string, Json>;
  kept: Record<string, ContentReference>;
}

/** Divides values by their size as JSON: up to 2 KiB they are stored in the event itself, larger ones in the content store. */
export async function storeLargeMembers(
  tx: WriteTransaction,
  playbookKey: PlaybookKey,
  values: Readonly<Record<string, Json | undefined>>,
): Promise<DividedMembers> {
  const members: DividedMembers = { data: {}, kept: {} };
  for (const [name, value] of Object.entries(values)) {
    if (value === undefined) continue;
    const text = JSON.stringify(value);
    if (Buffer.byteLength(text) <= LIMITS.shownValueBytes) members.data[name] = value;
    else members.kept[name] = await storeText(tx, playbookKey, text);
  }
  return members;
}

interface RecordedMembers extends PlaybookKey {
  data: Readonly<Record<string, Json>>;
  kept: Readonly<Record<string, ContentReference>>;
}

/** One member of a recorded event, from the event or the content store; undefined if the event lacks it. */
export async function readMember(tx: ReadTransaction, event: RecordedMembers, name: string): Promise<Json | undefined> {
  const kept = event.kept[name];
  return kept === undefined ? event.data[name] : (JSON.parse(await readText(tx, event, kept.sha256)) as Json);
}

/** A member that takes long to parse is passed on as text. */
const MOST_PARSED_BYTES = 64 * KIB;

/** As `readMember`; a large member as its text, for answers that only pass it on. */
export async function readMemberToShow(
  tx: ReadTransaction,
  event: RecordedMembers,
  name: string,
): Promise<Json | JsonText | undefined> {
  const kept = event.kept[name];
  if (kept === undefined || kept.bytes <= MOST_PARSED_BYTES) return readMember(tx, event, name);
  return new JsonText(await readText(tx, event, kept.sha256));
}
