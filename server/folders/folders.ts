// A playbook kept as a folder of files: read out whole, or brought to what the folder holds in one transaction.
import { DEFINITION_TYPES, type DefinitionType } from '../../shared/definition-types.ts';
import type { Issue } from '../../shared/issues.ts';
import type { DefinitionKey, Definitions, Draft } from '../definitions/index.ts';
import { sha256 } from '../kernel/contents/index.ts';
import type { EventLog, Place, ReadTransaction, WriteTransaction } from '../kernel/log/index.ts';
import { conflict, invalidInput, Refused } from '../kernel/rejection.ts';
import { findPlaybook, type Playbooks, requireActivePlaybook, requirePlaybook } from '../playbooks/index.ts';
import { type DefinitionChange, type FolderDefinition, planChanges, type PresentDefinition } from './plan.ts';

export interface Folder {
  name: string;
  description: string;
  definitions: readonly FolderDefinition[];
}

export interface ApplyOptions {
  dryRun: boolean;
  prune: boolean;
  by: string;
}

export interface FolderChanges {
  playbook: 'create' | 'update' | 'unchanged';
  definitions: DefinitionChange[];
}

export interface ExportedPlaybook {
  playbook: string;
  name: string;
  description: string;
  definitions: { type: DefinitionType; name: string; sha256: string; source: string }[];
}

export interface Folders {
  /** The playbook with every active definition's source. */
  export(place: Place): Promise<ExportedPlaybook>;
  /** Says what would change and, unless it is a dry run, changes it: all or nothing. */
  apply(place: Place, folder: Folder, options: ApplyOptions): Promise<FolderChanges>;
}

export function createFolders(log: EventLog, playbooks: Playbooks, definitions: Definitions): Folders {
  async function present(tx: ReadTransaction, place: Place): Promise<(PresentDefinition & { source: string })[]> {
    const all = [];
    for (const type of DEFINITION_TYPES) {
      for (const { name, status, source } of await definitions.sources(tx, place, type)) {
        all.push({ type, name, status, source, sha256: sha256(source) });
      }
    }
    return all;
  }

  async function plan(tx: ReadTransaction, place: Place, folder: Folder, prune: boolean): Promise<FolderChanges> {
    const playbook = await findPlaybook(tx, place);
    if (playbook === undefined) {
      return { playbook: 'create', definitions: planChanges(folder.definitions, [], prune) };
    }
    await requireActivePlaybook(tx, place);
    const isSame = playbook.name === folder.name.trim() && playbook.description === folder.description.trim();
    return {
      playbook: isSame ? 'unchanged' : 'update',
      definitions: planChanges(folder.definitions, await present(tx, place), prune),
    };
  }

  /** Checks every document that would be saved, before anything is. */
  async function drafts(folder: Folder, changes: FolderChanges): Promise<Map<string, Draft>> {
    const found = new Map<string, Draft>();
    const issues: Issue[] = [];
    for (const [index, { type, name, source }] of folder.definitions.entries()) {
      const change = changes.definitions.find((one) => one.type === type && one.name === name)?.change;
      if (change !== 'create' && change !== 'update') continue;
      const pointer = `/definitions/${index}/source`;
      if (source === undefined) {
        issues.push({ pointer, detail: `${type}/${name} is new or differs here; send its source with it.` });
        continue;
      }
      try {
        found.set(`${type}/${name}`, await definitions.draft(type, source));
      } catch (error) {
        if (!(error instanceof Refused) || error.rejection.reason !== 'invalid_input') throw error;
        for (const issue of error.rejection.issues ?? []) {
          issues.push({
            ...issue,
            pointer: issue.pointer.replace(/^\/source/, pointer),
            detail: `${type}/${name}: ${issue.detail}`,
          });
        }
      }
    }
    if (issues.length > 0) throw invalidInput(issues);
    return found;
  }

  async function carryOut(
    tx: WriteTransaction,
    place: Place,
    folder: Folder,
    changes: FolderChanges,
    checked: ReadonlyMap<string, Draft>,
    by: string,
  ): Promise<void> {
    if (changes.playbook === 'create') await playbooks.createIn(tx, place, folder, by);
    if (changes.playbook === 'update') await playbooks.updateIn(tx, place, folder, by);
    for (const { type, name, change } of changes.definitions) {
      const key: DefinitionKey = { ...place, type, name };
      if (change === 'retire') await definitions.retireIn(tx, key, by);
      if (change !== 'create' && change !== 'update') continue;
      const draft = checked.get(`${type}/${name}`);
      if (draft === undefined) throw conflict('The playbook was changed at the same moment; send the folder again.');
      await definitions.saveIn(tx, key, draft, by);
    }
  }

  return {
    export: (place) =>
      log.read(async (tx) => {
        const { name, description } = await requirePlaybook(tx, place);
        const active = (await present(tx, place)).filter(({ status }) => status === 'active');
        return {
          playbook: place.playbook,
          name,
          description,
          definitions: active.map(({ type, name: of, sha256: digest, source }) => ({
            type,
            name: of,
            sha256: digest,
            source,
          })),
        };
      }),
    async apply(place, folder, { dryRun, prune, by }) {
      refuseWrongFolder(folder);
      const changes = await log.read((tx) => plan(tx, place, folder, prune));
      const retired = changes.definitions.find(({ change }) => change === 'retired');
      if (dryRun) return changes;
      if (retired !== undefined) {
        throw conflict(
          `${retired.type}/${retired.name} was retired here and its name is never used again; rename it in the folder.`,
          'retired',
        );
      }
      const checked = await drafts(folder, changes);
      return log.write(async (tx) => {
        const now = await plan(tx, place, folder, prune);
        await carryOut(tx, place, folder, now, checked, by);
        return now;
      });
    },
  };
}

/** A definition named twice, or a source that is not the one its digest names. */
function refuseWrongFolder({ definitions }: Folder): void {
  const issues: Issue[] = [];
  const seen = new Set<string>();
  for (const [index, { type, name, sha256: digest, source }] of definitions.entries()) {
    const pointer = `/definitions/${index}`;
    if (seen.has(`${type}/${name}`)) issues.push({ pointer, detail: `${type}/${name} is given twice; give it once.` });
    seen.add(`${type}/${name}`);
    if (source !== undefined && sha256(source) !== digest) {
      issues.push({
        pointer: `${pointer}/sha256`,
        detail: `\`sha256\` is not the digest of the source of ${type}/${name}.`,
      });
    }
  }
  if (issues.length > 0) throw invalidInput(issues);
}
