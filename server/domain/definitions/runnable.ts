import { LRUCache } from 'lru-cache';
import type { JsonObject } from '../../../shared/json.ts';
import type { ReadTransaction } from '../../kernel/log/index.ts';
import { readSource, requireActiveDefinition } from './definitions.ts';
import type { SavedDocument } from './document.ts';
import { type DefinitionKey, selectCurrent, selectDefinition } from './sql.ts';

/** A version of a definition, as a run needs it. */
export interface Runnable {
  version: number;
  /** The event that saved it. */
  eventId: string;
  isCurrent: boolean;
  source: string;
  inputSchema: JsonObject | undefined;
  outputSchema: JsonObject | undefined;
  shape: string | undefined;
}

const MOST_KEPT = 500;

/**
 * Reads what is to be run: the current version, or the given one. A version never changes, so those that ran last are kept
 * by the event that saved them.
 * @throws Refused `not_found`, or `conflict` kind `retired`
 */
export function createRunnables(): (tx: ReadTransaction, key: DefinitionKey, version?: number) => Promise<Runnable> {
  const kept = new LRUCache<string, Omit<Runnable, 'isCurrent'>>({ max: MOST_KEPT });
  return async (tx, key, version) => {
    const current = await selectCurrent(tx, key);
    const known = version === undefined && current?.status === 'active' ? kept.get(current.event_id) : undefined;
    if (known !== undefined) return { ...known, isCurrent: true };
    const row = await requireActiveDefinition(tx, key, version);
    const isCurrent = row.event_id === current?.event_id;
    const read = kept.get(row.event_id);
    if (read !== undefined) return { ...read, isCurrent };
    // The row holds what the event that saved the version recorded.
    const document = JSON.parse(row.document) as SavedDocument;
    const runnable: Omit<Runnable, 'isCurrent'> = {
      version: Number(row.version),
      eventId: row.event_id,
      source: await readSource(tx, key, row),
      inputSchema: document.input_schema,
      outputSchema: document.output_schema,
      shape: document.details.shape ?? document.output_shape,
    };
    kept.set(row.event_id, runnable);
    return { ...runnable, isCurrent };
  };
}

/** Whether it is still the version that runs. The answer is remembered. */
export async function isStillCurrent(
  tx: ReadTransaction,
  key: DefinitionKey,
  { eventId }: Pick<Runnable, 'eventId'>,
): Promise<boolean> {
  const current = await selectCurrent(tx, key);
  return current?.status === 'active' && current.event_id === eventId;
}

/** What a run in progress needs from the version that it was started with, retired or not. */
export async function readVersion(
  tx: ReadTransaction,
  key: DefinitionKey,
  version: number,
): Promise<Pick<Runnable, 'source' | 'shape'>> {
  const row = await selectDefinition(tx, key, version);
  if (row === undefined) throw new Error(`The version ${version} of ${key.type}/${key.name} is missing.`);
  const document = JSON.parse(row.document) as SavedDocument;
  return { source: await readSource(tx, key, row), shape: document.details.shape };
}
