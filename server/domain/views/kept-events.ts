// The events of a playbook that a view keeps, as `evolve` gets them: whole, never cut.
import type { JsonObject } from '../../../shared/json.ts';
import { readPublished } from '../events/index.ts';
import { readMember } from '../../kernel/contents/index.ts';
import { type ReadTransaction, selectStream, type StoredEvent } from '../../kernel/log/index.ts';
import type { ReadFilter } from '../../kinds/checked.ts';
import { type Filtered, isKept } from '../../kinds/recall/index.ts';

/** An event for `evolve`, as JSON text, and where it stands. */
export interface KeptEvent {
  id: string;
  type: string;
  at: string;
  readPosition: number;
  text: string;
}

const RUN_CHANGES: Readonly<Record<string, string>> = {
  run_started: 'started',
  run_succeeded: 'succeeded',
  run_rejected: 'rejected',
  run_failed: 'failed',
};
const VERSION_CHANGES: Readonly<Record<string, string>> = {
  definition_created: 'created',
  definition_updated: 'updated',
  definition_retired: 'retired',
};

/** The types of records among which the filters find what they keep. */
export function typesOf(reads: readonly ReadFilter[]): string[] {
  const types = reads.flatMap((filter) => {
    if ('events' in filter) return ['event_published'];
    return Object.keys('runs' in filter ? RUN_CHANGES : VERSION_CHANGES);
  });
  return [...new Set(types)];
}

/** Whether a view with these filters keeps the event. */
export function keeps(reads: readonly ReadFilter[], stored: StoredEvent): boolean {
  const about = aboutOf(stored);
  return about !== undefined && isKept(reads, about);
}

function aboutOf({ type, data, metadata }: StoredEvent): Filtered | undefined {
  if (type === 'event_published') return { kind: 'event', event: data['event'] as JsonObject };
  const { definition } = metadata;
  if (definition === undefined) return undefined;
  if (Object.hasOwn(RUN_CHANGES, type)) return { kind: 'run', type: definition.type, name: definition.name };
  if (Object.hasOwn(VERSION_CHANGES, type)) return { kind: 'change', type: definition.type, name: definition.name };
  return undefined;
}

/** An event that is kept, with all that it holds. */
export async function readKept(tx: ReadTransaction, stored: StoredEvent): Promise<KeptEvent> {
  const { at, by } = stored.metadata;
  const whole = { id: stored.id, at, by, ...(await contentOf(tx, stored)) };
  const readPosition = Number(stored.readPosition);
  return { id: stored.id, type: stored.type, at, readPosition, text: JSON.stringify(whole) };
}

async function contentOf(tx: ReadTransaction, stored: StoredEvent): Promise<JsonObject> {
  const about = aboutOf(stored);
  if (about === undefined) throw new Error(`The event ${stored.id} is not part of any view.`);
  const { definition } = stored.metadata;
  const named = { type: definition?.type ?? '', name: definition?.name ?? '', version: definition?.version ?? 0 };
  switch (about.kind) {
    case 'event':
      return {
        kind: 'event',
        event: { specversion: '1.0', ...(await readPublished(tx, stored)).event } as JsonObject,
      };
    case 'change':
      return { kind: 'change', change: VERSION_CHANGES[stored.type] ?? '', ...named };
    case 'run': {
      const output = await readMember(tx, stored, 'output');
      const rejection = stored.data['rejection'];
      return {
        kind: 'run',
        change: RUN_CHANGES[stored.type] ?? '',
        run_id: stored.metadata.run_id ?? '',
        ...named,
        attempt: Number(stored.data['attempt']),
        input: await inputOf(tx, stored),
        ...(output === undefined ? {} : { output }),
        ...(rejection === undefined ? {} : { rejection }),
      };
    }
  }
}

/** What the run was given: the event that started it holds it, and a further attempt has the same. */
async function inputOf(tx: ReadTransaction, stored: StoredEvent) {
  if (stored.type === 'run_started') return (await readMember(tx, stored, 'input')) ?? null;
  const [first] = await selectStream(tx, stored, { stream: stored.stream, order: 'asc', after: undefined, limit: 1 });
  return first === undefined ? null : ((await readMember(tx, first, 'input')) ?? null);
}
