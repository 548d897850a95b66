// What a folder of definitions would change in a playbook; decided without reading or writing anything.
import type { DefinitionType } from '../../shared/definition-types.ts';

export interface FolderDefinition {
  type: DefinitionType;
  name: string;
  /** SHA-256 of the source's UTF-8 bytes, in lower-case hex. */
  sha256: string;
  /** Needed where the definition is new or differs. */
  source?: string;
}

export interface PresentDefinition {
  type: DefinitionType;
  name: string;
  status: 'active' | 'retired';
  sha256: string;
}

export interface DefinitionChange {
  type: DefinitionType;
  name: string;
  /** `retired`: the name was retired here and takes no document any more. `missing`: the folder lacks it. */
  change: 'create' | 'update' | 'unchanged' | 'retire' | 'retired' | 'missing';
}

/**
 * Compares a folder with what the playbook has. Workflows come last, since they call the others.
 * @param prune whether definitions that the folder lacks are to be retired; retiring is for ever
 */
export function planChanges(
  folder: readonly FolderDefinition[],
  present: readonly PresentDefinition[],
  prune: boolean,
): DefinitionChange[] {
  const keyOf = ({ type, name }: { type: string; name: string }): string => `${type}/${name}`;
  const had = new Map(present.map((definition) => [keyOf(definition), definition]));
  const wanted = new Set(folder.map(keyOf));
  const changes = folder.map(({ type, name, sha256 }): DefinitionChange => {
    const before = had.get(keyOf({ type, name }));
    if (before === undefined) return { type, name, change: 'create' };
    if (before.status === 'retired') return { type, name, change: 'retired' };
    return { type, name, change: before.sha256 === sha256 ? 'unchanged' : 'update' };
  });
  const lacking = present
    .filter((definition) => definition.status === 'active' && !wanted.has(keyOf(definition)))
    .map(({ type, name }): DefinitionChange => ({ type, name, change: prune ? 'retire' : 'missing' }));
  const rank = ({ type }: DefinitionChange): number => (type === 'workflow' ? 1 : 0);
  return [...changes, ...lacking].toSorted((a, b) => rank(a) - rank(b) || keyOf(a).localeCompare(keyOf(b), 'en'));
}
