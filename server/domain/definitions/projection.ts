import type { DefinitionType } from '../../../shared/definition-types.ts';
import type { Projection, StoredEvent, WriteTransaction } from '../../kernel/log/index.ts';
import type { SavedDocument } from './document.ts';
import {
  type DefinitionKey,
  insertDefinition,
  insertVersion,
  moveDefinition,
  replaceReferences,
  retireDefinitionRow,
} from './sql.ts';

export const definitionProjection: Projection = {
  tables: ['definition_references', 'definition_versions', 'definitions'],
  apply(tx, event) {
    if (!event.type.startsWith('definition_')) return undefined;
    const { at, by } = event.metadata;
    const key = keyOf(event);
    switch (event.type) {
      case 'definition_created':
      case 'definition_updated':
        return applySaved(tx, key, event);
      case 'definition_retired':
        return retireDefinitionRow(tx, key, at, by);
      default:
        return undefined;
    }
  },
};

async function applySaved(tx: WriteTransaction, key: DefinitionKey, event: StoredEvent): Promise<void> {
  const { at, by } = event.metadata;
  const saved = { version: Number(event.data['version']), eventId: event.id, at, by };
  const { references, ...document } = documentOf(event);
  await (event.type === 'definition_created' ? insertDefinition : moveDefinition)(tx, key, saved);
  await insertVersion(tx, key, saved, JSON.stringify(document));
  return replaceReferences(tx, key, references);
}

function keyOf({ org, playbook, data }: StoredEvent): DefinitionKey {
  return { org, playbook, type: data['type'] as DefinitionType, name: String(data['name']) };
}

function documentOf({ data }: StoredEvent): SavedDocument {
  const { type: _type, name: _name, version: _version, source: _source, ...document } = data;
  return document as unknown as SavedDocument;
}
