// What a folder of definitions would change in a playbook; decided without reading or writing anything.
import { DEFINITION_FACTS, type DefinitionType } from '../../../shared/definition-types.ts';
import { canonicalJson } from '../../lib/canonical-json.ts';
import { sha256 } from '../../kernel/contents/index.ts';

/** A definition as a folder has it: its source or, where that is unchanged, the digest alone. */
export interface FolderDefinition {
  type: DefinitionType;
  name: string;
  /** SHA-256 of the source's UTF-8 bytes, in lower-case hex; needed without a source. */
  sha256?: string;
  /** Needed where the definition is new or differs. */
  source?: string;
}

export type DigestedDefinition = FolderDefinition & { sha256: string };

export interface PresentDefinition {
  type: DefinitionType;
  name: string;
  status: 'active' | 'retired';
  version: number;
  sha256: string;
}

export interface DefinitionChange {
  type: DefinitionType;
  name: string;
  /** `retired`: the name was retired here and takes no document any more. `missing`: the folder lacks it. */
  change: 'create' | 'update' | 'unchanged' | 'retire' | 'retired' | 'missing';
  /** The current version, which the change begins from; absent for what is new. */
  version?: number;
}

export interface PlannedChanges {
  playbook: 'create' | 'update' | 'unchanged';
  definitions: DefinitionChange[];
}

/**
 * Compares a folder with what the playbook has. Workflows come last, since they call the others.
 * @param prune whether to retire definitions that the folder lacks; retiring is permanent
 */
export function planChanges(
  folder: readonly DigestedDefinition[],
  present: readonly PresentDefinition[],
  prune: boolean,
): DefinitionChange[] {
  const keyOf = ({ type, name }: { type: string; name: string }): string => `${type}/${name}`;
  const had = new Map(present.map((definition) => [keyOf(definition), definition]));
  const wanted = new Set(folder.map(keyOf));
  const changes = folder.map(({ type, name, sha256: digest }): DefinitionChange => {
    const before = had.get(keyOf({ type, name }));
    if (before === undefined) return { type, name, change: 'create' };
    const { version } = before;
    if (before.status === 'retired') return { type, name, change: 'retired', version };
    return { type, name, change: before.sha256 === digest ? 'unchanged' : 'update', version };
  });
  const lacking = present
    .filter((definition) => definition.status === 'active' && !wanted.has(keyOf(definition)))
    .map(
      ({ type, name, version }): DefinitionChange => ({ type, name, change: prune ? 'retire' : 'missing', version }),
    );
  const rank = ({ type }: DefinitionChange): number => (DEFINITION_FACTS[type].callsDefinitions === true ? 1 : 0);
  return [...changes, ...lacking].toSorted((a, b) => rank(a) - rank(b) || keyOf(a).localeCompare(keyOf(b), 'en'));
}

/**
 * Names what a plan does and from which versions: two plans with one digest do the same. What stays as it is does not
 * count, so that another author's definition that the folder lacks does not conflict unless `prune` is set.
 */
export function planDigest({ playbook, definitions }: PlannedChanges): string {
  const effects = definitions
    .filter(({ change }) => change !== 'unchanged' && change !== 'missing')
    .map(({ type, name, change, version = 0 }) => [type, name, change, version]);
  return sha256(canonicalJson([playbook, effects]));
}
