// Definitions: versioned documents of the six types, checked by their kind when they are saved.
import { formatOf, type DefinitionType } from '../../../shared/definition-types.ts';
import { placedWords, type SourceIssue } from '../../../shared/issues.ts';
import type { JsonObject } from '../../../shared/json.ts';
import { LIMITS } from '../../../shared/limits.ts';
import type {
  Definition,
  DefinitionListEntry,
  DefinitionVersion,
  DocumentCheck,
} from '../../../shared/schemas/index.ts';
import type { CheckedDocument } from '../../kinds/checked.ts';
import type { Kind } from '../../kinds/kind.ts';
import { allWarnings } from '../../kinds/declarations.ts';
import { boundedIssues } from '../../lib/bounded-issues.ts';
import { storeLargeMembers, readMember } from '../../kernel/contents/index.ts';
import { type EventLog, type ReadTransaction, selectEvent, type WriteTransaction } from '../../kernel/log/index.ts';
import { createYielder } from '../../lib/event-loop.ts';
import { conflict, invalidInput, notFound } from '../../lib/rejection.ts';
import { requireActivePlaybook, requirePlaybook } from '../playbooks/index.ts';
import type { PlaybookKey } from '../../kernel/log/index.ts';
import { type SavedDocument, savedDocument, toJson } from './document.ts';
import { contextOf, declarationsIn } from './surroundings.ts';
import { entriesOf, overviewWithUses, toDefinition } from './present.ts';
import {
  type CurrentDefinition,
  type DefinitionKey,
  type DefinitionRow,
  eachDefinition,
  selectAllCurrent,
  selectDefinition,
  selectUsedBy,
  selectVersions,
} from './sql.ts';

/** A document that was checked and is not saved yet. */
export interface DefinitionDraft {
  source: string;
  document: SavedDocument;
  /** The schedule as written; only for workflows that have one. */
  schedule?: JsonObject;
  checkUses?: CheckedDocument['checkUses'];
}

/** The definition, retired or not. @throws Refused `not_found` */
async function requireDefinition(tx: ReadTransaction, key: DefinitionKey, version?: number): Promise<DefinitionRow> {
  const row = await selectDefinition(tx, key, version);
  if (row !== undefined) return row;
  const which = version === undefined ? '' : ` in a version ${version}`;
  throw notFound(`The playbook ${key.playbook} has no definition ${key.type}/${key.name}${which}.`);
}

/** The definition in its current version, or the given one, to be changed or run. @throws Refused */
export async function requireActiveDefinition(
  tx: ReadTransaction,
  key: DefinitionKey,
  version?: number,
): Promise<DefinitionRow> {
  const row = await requireDefinition(tx, key, version);
  if (row.status === 'retired') {
    throw conflict(`${key.type}/${key.name} is retired: it can be read, but not changed or run.`, 'retired');
  }
  return row;
}

/** The source of a version. */
export async function readSource(
  tx: ReadTransaction,
  key: PlaybookKey,
  row: Pick<DefinitionRow, 'event_id'>,
): Promise<string> {
  const event = await selectEvent(tx, key, row.event_id);
  if (event === undefined) throw new Error(`The event ${row.event_id} that saved a version is missing.`);
  return String(await readMember(tx, event, 'source'));
}

/** What follows when a definition is saved or retired, in the same transaction. */
export interface DefinitionHooks {
  saved(tx: WriteTransaction, key: DefinitionKey, version: number, draft: DefinitionDraft): Promise<void>;
  retired(tx: WriteTransaction, key: DefinitionKey): Promise<void>;
}

export class Definitions {
  readonly #log: EventLog;
  readonly #kinds: Readonly<Record<DefinitionType, Kind>>;
  readonly #hooks: readonly DefinitionHooks[];
  /** Every definition of a playbook, by type and name. */
  readonly current: (tx: ReadTransaction, playbookKey: PlaybookKey) => Promise<CurrentDefinition[]> = selectAllCurrent;
  /** The source that a version was saved with. It never changes. */
  readonly sourceOf: typeof readSource = readSource;

  constructor(log: EventLog, kinds: Readonly<Record<DefinitionType, Kind>>, hooks: readonly DefinitionHooks[]) {
    this.#log = log;
    this.#kinds = kinds;
    this.#hooks = hooks;
  }

  async create(key: DefinitionKey, source: string, by: string): Promise<Definition> {
    await this.#log.read(async (tx) => {
      await requireActivePlaybook(tx, key);
      await refuseTaken(tx, key);
    });
    const first = await this.#draftOf(key, source);
    return this.#log.write(key, async (tx) => {
      await requireActivePlaybook(tx, key);
      await refuseTaken(tx, key);
      await this.#save(tx, key, 1, first, by);
      return this.#read(tx, key);
    });
  }

  /**
   * Saves the next version; the same source again records nothing.
   * @param expected the version that the source is based on; undefined for any
   * @throws Refused `conflict` kind `changed` if another source was saved since the expected version
   */
  async update(key: DefinitionKey, source: string, by: string, expected?: number): Promise<Definition> {
    const before = await this.#log.read(async (tx) => {
      await requireActivePlaybook(tx, key);
      const row = await requireActiveDefinition(tx, key);
      if ((await readSource(tx, key, row)) === source) return this.#read(tx, key);
      refuseChanged(row, expected);
      return undefined;
    });
    if (before !== undefined) return before;
    const next = await this.#draftOf(key, source);
    return this.#log.write(key, async (tx) => {
      await requireActivePlaybook(tx, key);
      const row = await requireActiveDefinition(tx, key);
      if ((await readSource(tx, key, row)) !== source) refuseChanged(row, expected);
      await this.saveIn(tx, key, next, by);
      return this.#read(tx, key);
    });
  }

  retire(key: DefinitionKey, by: string): Promise<Definition> {
    return this.#log.write(key, async (tx) => {
      await requireActivePlaybook(tx, key);
      await this.retireIn(tx, key, by);
      return this.#read(tx, key);
    });
  }

  get(key: DefinitionKey): Promise<Definition> {
    return this.#log.read((tx) => this.#read(tx, key));
  }

  /** By name, read as they are asked for. */
  async list(playbookKey: PlaybookKey, type: DefinitionType): Promise<AsyncIterable<DefinitionListEntry>> {
    await this.#log.read((tx) => requirePlaybook(tx, playbookKey));
    return entriesOf(eachDefinition(this.#log, playbookKey, type));
  }

  /** Versions below `before`, newest first. */
  versions(key: DefinitionKey, before: number | undefined, limit: number): Promise<DefinitionVersion[]> {
    return this.#log.read(async (tx) => {
      await requirePlaybook(tx, key);
      await requireDefinition(tx, key);
      const rows = await selectVersions(tx, key, before ?? Number.MAX_SAFE_INTEGER, limit);
      return rows.map((row) => ({
        version: Number(row.version),
        saved_at: row.saved_at,
        saved_by: row.saved_by,
      }));
    });
  }

  getVersion(key: DefinitionKey, version: number): Promise<Definition> {
    return this.#log.read((tx) => this.#read(tx, key, version));
  }

  /** @param name the name that the document is to have, if it is known */
  async check(playbookKey: PlaybookKey, type: DefinitionType, source: string, name?: string): Promise<DocumentCheck> {
    const issues = sourceIssues(source);
    if (issues.length > 0) return { valid: false, issues, warnings: [] };
    const itself = name === undefined ? [] : [`${type}/${name}`];
    const result = await this.#kinds[type].check(source, await contextOf(this.#log, playbookKey, new Set(itself)));
    if (!result.ok) {
      const issues = boundedIssues(result.issues).map(({ standsFor: _standsFor, ...issue }) => issue);
      return { valid: false, issues, warnings: [] };
    }
    const { overview, graph, declarations, inputSchema, triggers } = result.document;
    const document = savedDocument(formatOf(type).mediaType, result.document);
    const around = declarationsIn(this.#log, playbookKey, new Map(itself.map((reference) => [reference, document])));
    return {
      valid: true,
      issues: [],
      warnings: await allWarnings(result.document, around),
      overview,
      ...(graph === undefined ? {} : { graph }),
      ...(declarations === undefined ? {} : { declarations }),
      ...(inputSchema === undefined ? {} : { input_schema: inputSchema }),
      ...(triggers === undefined ? {} : { triggers: [...triggers] }),
    };
  }

  /**
   * Checks a document that is to be saved in the caller's transaction, but not how it uses other definitions.
   * @param coming TYPE/NAME of definitions that are saved with it
   * @throws Refused `invalid_input`
   */
  async draft(
    playbookKey: PlaybookKey,
    type: DefinitionType,
    source: string,
    coming?: ReadonlySet<string>,
  ): Promise<DefinitionDraft> {
    const issues = sourceIssues(source);
    if (issues.length > 0) throw invalidInput(issues);
    const result = await this.#kinds[type].check(source, await contextOf(this.#log, playbookKey, coming));
    if (!result.ok)
      throw invalidInput(result.issues.map((issue) => ({ pointer: issue.pointer, detail: placedWords(issue) })));
    const { schedule, checkUses } = result.document;
    const document = savedDocument(formatOf(type).mediaType, result.document);
    return {
      source,
      document,
      ...(schedule === undefined ? {} : { schedule }),
      ...(checkUses === undefined ? {} : { checkUses }),
    };
  }

  /** Adds the warnings about how drafts that are saved together, by TYPE/NAME, use other definitions. */
  async addUseWarnings(playbookKey: PlaybookKey, drafts: ReadonlyMap<string, DefinitionDraft>): Promise<void> {
    const documents = new Map([...drafts].map(([reference, { document }]) => [reference, document]));
    const declarations = declarationsIn(this.#log, playbookKey, documents);
    const yieldIfLong = createYielder();
    for (const { document, checkUses } of drafts.values()) {
      document.warnings = await allWarnings({ warnings: document.warnings, checkUses }, declarations);
      await yieldIfLong();
    }
  }

  /** Saves a draft as the next version, or the first one; the same source again records nothing. */
  async saveIn(tx: WriteTransaction, key: DefinitionKey, next: DefinitionDraft, by: string): Promise<void> {
    const row = await selectDefinition(tx, key);
    if (row === undefined) return this.#save(tx, key, 1, next, by);
    await requireActiveDefinition(tx, key);
    if ((await readSource(tx, key, row)) !== next.source) await this.#save(tx, key, Number(row.version) + 1, next, by);
  }

  async retireIn(tx: WriteTransaction, key: DefinitionKey, by: string): Promise<void> {
    const { status, version, type, name } = await requireDefinition(tx, key);
    if (status === 'retired') return;
    const definition = { type, name, version: Number(version) };
    await this.#log.append(tx, {
      org: key.org,
      playbook: key.playbook,
      stream: streamOf(key),
      events: [{ type: 'definition_retired', data: definition, metadata: { by, definition } }],
    });
    for (const hook of this.#hooks) await hook.retired(tx, key);
  }

  /** @throws Refused `not_found`, or `conflict` kind `retired` */
  async refuseInactive(key: DefinitionKey): Promise<void> {
    await this.#log.read(async (tx) => {
      await requireActivePlaybook(tx, key);
      await requireActiveDefinition(tx, key);
    });
  }

  /** Checks a document that is saved alone. @throws Refused `invalid_input` */
  async #draftOf(key: DefinitionKey, source: string): Promise<DefinitionDraft> {
    const reference = `${key.type}/${key.name}`;
    const checked = await this.draft(key, key.type, source, new Set([reference]));
    await this.addUseWarnings(key, new Map([[reference, checked]]));
    return checked;
  }

  async #save(
    tx: WriteTransaction,
    key: DefinitionKey,
    version: number,
    saved: DefinitionDraft,
    by: string,
  ): Promise<void> {
    const { source, document } = saved;
    const { data, kept } = await storeLargeMembers(tx, key, { source });
    await this.#log.append(tx, {
      org: key.org,
      playbook: key.playbook,
      stream: streamOf(key),
      expected: version - 1,
      events: [
        {
          type: version === 1 ? 'definition_created' : 'definition_updated',
          data: { type: key.type, name: key.name, version, ...toJson(document), ...data },
          kept,
          metadata: { by, definition: { type: key.type, name: key.name, version } },
        },
      ],
    });
    for (const hook of this.#hooks) await hook.saved(tx, key, version, saved);
  }

  async #read(tx: ReadTransaction, key: DefinitionKey, version?: number): Promise<Definition> {
    await requirePlaybook(tx, key);
    const row = await requireDefinition(tx, key, version);
    const [source, uses] = [await readSource(tx, key, row), await selectUsedBy(tx, key)];
    return toDefinition(row, source, overviewWithUses(row, uses), version === undefined);
  }
}

async function refuseTaken(tx: ReadTransaction, key: DefinitionKey): Promise<void> {
  const { playbook, type, name } = key;
  const there = await selectDefinition(tx, key);
  if (there?.status === 'active') {
    throw conflict(
      `The playbook ${playbook} has a definition ${type}/${name}. Choose another name, or update that definition.`,
    );
  }
  if (there !== undefined) {
    throw conflict(
      `The playbook ${playbook} had a definition ${type}/${name}, which was retired; names are never reused. Choose another name.`,
    );
  }
}

function refuseChanged({ type, name, version, updated_by }: DefinitionRow, expected: number | undefined): void {
  if (expected === undefined || Number(version) === expected) return;
  throw conflict(
    `${type}/${name} has version ${Number(version)}, saved by ${updated_by}, and \`expected_version\` is ${expected}. Read the current version, and save a document that keeps its changes.`,
    'changed',
  );
}

function streamOf({ type, name }: DefinitionKey): string {
  return `definition-${type}-${name}`;
}

/** What is refused for every type, before the kind checks the document. */
export function sourceIssues(source: string): SourceIssue[] {
  const bytes = Buffer.byteLength(source);
  if (bytes <= LIMITS.sourceBytes) return [];
  const detail = `\`source\` has ${bytes} bytes as UTF-8; a definition may have at most ${LIMITS.sourceBytes}. Divide it into several definitions.`;
  return [{ pointer: '/source', line: 1, column: 1, detail }];
}
