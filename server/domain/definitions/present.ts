import type { Definition, DefinitionListEntry } from '../../../shared/schemas/index.ts';
import type { SavedDocument } from './document.ts';
import type { DefinitionRow, UsedBy } from './sql.ts';

/** A definition as lists show it: without its source and overview. */
function listEntry(row: DefinitionRow): DefinitionListEntry {
  const {
    overview: _overview,
    references: _references,
    reads: _reads,
    events: _events,
    output_shape: _shape,
    other_output_schema: _otherOutput,
    ...document
  } = JSON.parse(row.document) as SavedDocument;
  return {
    type: row.type,
    name: row.name,
    version: Number(row.version),
    status: row.status,
    ...document,
    created_at: row.created_at,
    created_by: row.created_by,
    updated_at: row.updated_at,
    updated_by: row.updated_by,
    ...(row.retired_at === null ? {} : { retired_at: row.retired_at }),
  };
}

export async function* entriesOf(rows: AsyncIterable<DefinitionRow>): AsyncGenerator<DefinitionListEntry> {
  for await (const row of rows) yield listEntry(row);
}

/** @param isCurrent false for a version that was asked for by its number: then it says when that one was saved */
export function toDefinition(row: DefinitionRow, source: string, overview: string, isCurrent: boolean): Definition {
  const entry = listEntry(row);
  // A version that is not the current one starts nothing.
  const isStarting = entry.triggers !== undefined && row.status === 'active' && isCurrent;
  return {
    ...entry,
    ...(isCurrent ? {} : { updated_at: row.saved_at, updated_by: row.saved_by }),
    ...(isStarting ? { triggers_since: row.event_id } : {}),
    source,
    overview,
  };
}

/** The version's overview with one line for each active definition that uses this one, in however many ways. */
export function overviewWithUses(row: DefinitionRow, uses: readonly UsedBy[]): string {
  const { overview } = JSON.parse(row.document) as SavedDocument;
  const byUser = new Map<string, string[]>();
  for (const { from_type, from_name, use } of uses) {
    const user = `${from_type}/${from_name}`;
    byUser.set(user, [...(byUser.get(user) ?? []), use]);
  }
  const lines = [...byUser].map(([user, ways]) => `**Used by** ${user}, which ${ways.join(' it and ')} it.`);
  return [overview.trimEnd(), ...lines].join('\n\n');
}
