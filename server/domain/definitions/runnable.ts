import { LRUCache } from 'lru-cache';
import type { JsonObject } from '../../../shared/json.ts';
import type { ReadTransaction, Store } from '../../kernel/log/index.ts';
import { rememberedPlaybook } from '../playbooks/index.ts';
import { readSource, requireActiveDefinition } from './definitions.ts';
import type { SavedDocument } from './document.ts';
import { type DefinitionKey, rememberedCurrent, selectCurrent, selectDefinition } from './sql.ts';

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

/** Reads what is to be run. A version never changes, so those that ran last are kept by the event that saved them. */
export class Runnables {
  readonly #kept = new LRUCache<string, Omit<Runnable, 'isCurrent'>>({ max: MOST_KEPT });

  /** The current version, or the given one. @throws Refused `not_found`, or `conflict` kind `retired` */
  async read(tx: ReadTransaction, key: DefinitionKey, version?: number): Promise<Runnable> {
    const current = await selectCurrent(tx, key);
    const known = version === undefined ? this.#keptOf(current) : undefined;
    if (known !== undefined) return known;
    const row = await requireActiveDefinition(tx, key, version);
    const isCurrent = row.event_id === current?.event_id;
    const read = this.#kept.get(row.event_id);
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
    this.#kept.set(row.event_id, runnable);
    return { ...runnable, isCurrent };
  }

  /**
   * The current version of a definition in an active playbook, as this process remembers it; undefined if it does not.
   * Another process may have changed either since: the transaction that uses it checks both.
   */
  remembered(store: Pick<Store, 'remembered'>, key: DefinitionKey): Runnable | undefined {
    const tx = { memory: store.remembered(key) };
    return rememberedPlaybook(tx, key)?.status === 'active' ? this.#keptOf(rememberedCurrent(tx, key)) : undefined;
  }

  #keptOf(current: ReturnType<typeof rememberedCurrent>): Runnable | undefined {
    const kept = current?.status === 'active' ? this.#kept.get(current.event_id) : undefined;
    return kept && { ...kept, isCurrent: true };
  }
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
