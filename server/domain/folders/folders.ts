// A playbook as a folder of files: read as a whole, or changed to the contents of the folder in one transaction.
import { LRUCache } from 'lru-cache';
import type { DefinitionType } from '../../../shared/definition-types.ts';
import type { SourceIssue } from '../../../shared/issues.ts';
import type { CurrentDefinition, DefinitionKey, Definitions, DefinitionDraft } from '../definitions/index.ts';
import { sha256 } from '../../kernel/contents/index.ts';
import type { EventLog, PlaybookKey, ReadTransaction, WriteTransaction } from '../../kernel/log/index.ts';
import { createYielder } from '../../lib/event-loop.ts';
import { conflict, type Refused } from '../../lib/rejection.ts';
import { findPlaybook, type Playbooks, requireActivePlaybook, requirePlaybook } from '../playbooks/index.ts';
import { checkDocuments } from './check-documents.ts';
import { digestFolder } from './digest-folder.ts';
import {
  type DefinitionChange,
  type DigestedDefinition,
  type FolderDefinition,
  planChanges,
  planDigest,
  type PlannedChanges,
  type PresentDefinition,
} from './plan.ts';

export interface Folder {
  name: string;
  description: string;
  definitions: readonly FolderDefinition[];
}

interface DigestedFolder extends Folder {
  definitions: readonly DigestedDefinition[];
}

const MOST_DIGESTS = 20_000;

export interface ApplyOptions {
  dryRun: boolean;
  prune: boolean;
  /** The digest of the only plan that may be applied; undefined for any. */
  plan: string | undefined;
  by: string;
}

export interface FolderChanges {
  playbook: PlannedChanges['playbook'];
  definitions: (DefinitionChange & { warnings?: SourceIssue[] })[];
  /** Identifies what is done and from which versions. */
  plan: string;
}

export interface ExportedDefinition {
  type: DefinitionType;
  name: string;
  sha256: string;
  source: string;
}

export interface ExportedPlaybook {
  playbook: string;
  name: string;
  description: string;
  definitions: ExportedDefinition[];
}

/** A playbook as it was at one moment; sources are read when they are asked for, since versions never change. */
export interface PlaybookExport extends Omit<ExportedPlaybook, 'definitions'> {
  definitions: AsyncIterable<ExportedDefinition>;
}

export class Folders {
  readonly #log: EventLog;
  readonly #playbooks: Playbooks;
  readonly #definitions: Definitions;
  /** Of sources, by the event that saved them. */
  readonly #digests = new LRUCache<string, string>({ max: MOST_DIGESTS });

  constructor(log: EventLog, playbooks: Playbooks, definitions: Definitions) {
    this.#log = log;
    this.#playbooks = playbooks;
    this.#definitions = definitions;
  }

  /** The playbook with every active definition's source. */
  async export(playbookKey: PlaybookKey): Promise<PlaybookExport> {
    const { name, description, active } = await this.#log.read(async (tx) => ({
      ...(await requirePlaybook(tx, playbookKey)),
      active: (await this.#definitions.current(tx, playbookKey)).filter(({ status }) => status === 'active'),
    }));
    return { playbook: playbookKey.playbook, name, description, definitions: this.#exported(playbookKey, active) };
  }

  /**
   * Says what would change and checks the documents that are given; unless it is a dry run, it then changes that and
   * nothing else, all or nothing.
   */
  async apply(
    playbookKey: PlaybookKey,
    given: Folder,
    { dryRun, prune, plan: asked, by }: ApplyOptions,
  ): Promise<FolderChanges> {
    const folder: DigestedFolder = { ...given, definitions: digestFolder(given.definitions) };
    const planned = await this.#log.read((tx) => this.#plan(tx, playbookKey, folder, prune));
    const digest = planDigest(planned);
    if (!dryRun) refuseRetired(planned);
    if (asked !== undefined && asked !== digest) throw planIsOld(playbookKey);
    const drafts = await checkDocuments(this.#definitions, playbookKey, folder.definitions, planned, !dryRun);
    if (!dryRun) {
      await this.#log.write(playbookKey, async (tx) => {
        const now = await this.#plan(tx, playbookKey, folder, prune);
        refuseRetired(now);
        // Nobody has been shown what was changed while the documents were checked.
        if (planDigest(now) !== digest) throw planIsOld(playbookKey);
        await this.#applyDrafts(tx, playbookKey, folder, now, drafts, by);
      });
    }
    return { ...planned, definitions: withWarnings(planned.definitions, drafts), plan: digest };
  }

  async #digestOf(tx: ReadTransaction, playbookKey: PlaybookKey, version: CurrentDefinition): Promise<string> {
    const known = this.#digests.get(version.event_id);
    if (known !== undefined) return known;
    const digest = sha256(await this.#definitions.sourceOf(tx, playbookKey, version));
    this.#digests.set(version.event_id, digest);
    return digest;
  }

  async #present(tx: ReadTransaction, playbookKey: PlaybookKey): Promise<PresentDefinition[]> {
    const yieldIfLong = createYielder();
    const all: PresentDefinition[] = [];
    for (const one of await this.#definitions.current(tx, playbookKey)) {
      const { type, name, status, version } = one;
      all.push({ type, name, status, version, sha256: await this.#digestOf(tx, playbookKey, one) });
      await yieldIfLong();
    }
    return all;
  }

  async *#exported(
    playbookKey: PlaybookKey,
    versions: readonly CurrentDefinition[],
  ): AsyncGenerator<ExportedDefinition> {
    const yieldIfLong = createYielder();
    for (const one of versions) {
      const { type, name } = one;
      // oxlint-disable-next-line no-await-in-loop -- between two definitions
      await yieldIfLong();
      // oxlint-disable-next-line no-await-in-loop -- each is read when it is asked for
      const source = await this.#log.read((tx) => this.#definitions.sourceOf(tx, playbookKey, one));
      yield { type, name, sha256: sha256(source), source };
    }
  }

  async #plan(
    tx: ReadTransaction,
    playbookKey: PlaybookKey,
    folder: DigestedFolder,
    prune: boolean,
  ): Promise<PlannedChanges> {
    const playbook = await findPlaybook(tx, playbookKey);
    if (playbook === undefined) {
      return { playbook: 'create', definitions: planChanges(folder.definitions, [], prune) };
    }
    await requireActivePlaybook(tx, playbookKey);
    const isSame = playbook.name === folder.name.trim() && playbook.description === folder.description.trim();
    return {
      playbook: isSame ? 'unchanged' : 'update',
      definitions: planChanges(folder.definitions, await this.#present(tx, playbookKey), prune),
    };
  }

  async #applyDrafts(
    tx: WriteTransaction,
    playbookKey: PlaybookKey,
    folder: Folder,
    planned: PlannedChanges,
    drafts: ReadonlyMap<string, DefinitionDraft>,
    by: string,
  ): Promise<void> {
    if (planned.playbook === 'create') await this.#playbooks.createIn(tx, playbookKey, folder, by);
    if (planned.playbook === 'update') await this.#playbooks.updateIn(tx, playbookKey, folder, by);
    const yieldIfLong = createYielder();
    for (const { type, name, change } of planned.definitions) {
      const key: DefinitionKey = { ...playbookKey, type, name };
      if (change === 'retire') await this.#definitions.retireIn(tx, key, by);
      if (change !== 'create' && change !== 'update') continue;
      const draft = drafts.get(`${type}/${name}`);
      if (draft === undefined) throw planIsOld(playbookKey);
      await this.#definitions.saveIn(tx, key, draft, by);
      // Only other changes wait for this transaction.
      await yieldIfLong();
    }
  }
}

function withWarnings(
  changes: readonly DefinitionChange[],
  drafts: ReadonlyMap<string, DefinitionDraft>,
): FolderChanges['definitions'] {
  return changes.map((change) => {
    const warnings = drafts.get(`${change.type}/${change.name}`)?.document.warnings ?? [];
    return warnings.length === 0 ? change : { ...change, warnings };
  });
}

function refuseRetired({ definitions }: PlannedChanges): void {
  const retired = definitions.find(({ change }) => change === 'retired');
  if (retired === undefined) return;
  throw conflict(
    `${retired.type}/${retired.name} was retired in this playbook, and its name is never reused; rename it in the folder.`,
    'retired',
  );
}

function planIsOld({ playbook }: PlaybookKey): Refused {
  return conflict(
    `The playbook ${playbook} has changed since the dry run, so nothing was applied. Repeat the dry run, then send the folder again.`,
  );
}
