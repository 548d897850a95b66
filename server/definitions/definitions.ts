// Definitions: versioned documents of the six types, checked by their kind when they are saved.
import { DEFINITION_FORMATS, type DefinitionType } from '../../shared/definition-types.ts';
import type { SourceIssue } from '../../shared/issues.ts';
import { LIMITS } from '../../shared/limits.ts';
import type { Definition, DefinitionListEntry, DefinitionVersion } from '../../shared/schemas/index.ts';
import type { Kind } from '../kinds/kind.ts';
import { keepLarge, readMember } from '../kernel/contents/index.ts';
import { type EventLog, type ReadTransaction, selectEvent, type WriteTransaction } from '../kernel/log/index.ts';
import type { Refused } from '../kernel/rejection.ts';
import { conflict, invalidInput, notFound } from '../kernel/rejection.ts';
import { requireActivePlaybook, requirePlaybook } from '../playbooks/index.ts';
import type { Place } from '../kernel/log/index.ts';
import { type SavedDocument, savedDocument, toJson } from './document.ts';
import { listEntry, overviewWithUses, toDefinition } from './present.ts';
import {
  type DefinitionKey,
  type DefinitionRow,
  selectDefinition,
  selectDefinitions,
  selectUsedBy,
  selectVersions,
} from './sql.ts';

/** A document that was looked at and not saved. */
export interface DocumentCheck {
  valid: boolean;
  issues: SourceIssue[];
  warnings: SourceIssue[];
  overview?: string;
}

/** A document that was checked and is not saved yet. */
export interface Draft {
  source: string;
  document: SavedDocument;
}

export interface DefinitionSource {
  name: string;
  status: 'active' | 'retired';
  source: string;
}

export interface Definitions {
  create(key: DefinitionKey, source: string, by: string): Promise<Definition>;
  update(key: DefinitionKey, source: string, by: string): Promise<Definition>;
  retire(key: DefinitionKey, by: string): Promise<Definition>;
  get(key: DefinitionKey): Promise<Definition>;
  list(place: Place, type: DefinitionType): Promise<DefinitionListEntry[]>;
  /** Versions below `before`, newest first. */
  versions(key: DefinitionKey, before: number | undefined, limit: number): Promise<DefinitionVersion[]>;
  getVersion(key: DefinitionKey, version: number): Promise<Definition>;
  check(type: DefinitionType, source: string): Promise<DocumentCheck>;
  /** Checks a document that is to be saved in a work of the caller's. @throws Refused `invalid_input` */
  draft(type: DefinitionType, source: string): Promise<Draft>;
  /** Saves a draft as the next version, or the first one; the same source again records nothing. */
  saveIn(tx: WriteTransaction, key: DefinitionKey, draft: Draft, by: string): Promise<void>;
  retireIn(tx: WriteTransaction, key: DefinitionKey, by: string): Promise<void>;
  /** Every definition of a type with the source of its current version. */
  sources(tx: ReadTransaction, place: Place, type: DefinitionType): Promise<DefinitionSource[]>;
  /** @throws Refused `not_found`, or `conflict` kind `retired` */
  refuseInactive(key: DefinitionKey): Promise<void>;
}

/** The definition, retired or not. @throws Refused `not_found` */
async function requireDefinition(tx: ReadTransaction, key: DefinitionKey, version?: number): Promise<DefinitionRow> {
  const row = await selectDefinition(tx, key, version);
  if (row !== undefined) return row;
  const which = version === undefined ? '' : ` in a version ${version}`;
  throw notFound(`The playbook ${key.playbook} has no definition ${key.type}/${key.name}${which}.`);
}

/** The definition in its current version, to be changed or run. @throws Refused */
export async function requireActiveDefinition(tx: ReadTransaction, key: DefinitionKey): Promise<DefinitionRow> {
  const row = await requireDefinition(tx, key);
  if (row.status === 'retired') {
    throw conflict(`${key.type}/${key.name} was retired: it can be read, not changed or run.`, 'retired');
  }
  return row;
}

/** The source of a version. */
export async function readSource(tx: ReadTransaction, key: DefinitionKey, row: DefinitionRow): Promise<string> {
  const event = await selectEvent(tx, key, row.event_id);
  if (event === undefined) throw new Error(`The event ${row.event_id} that saved a version is missing.`);
  return String(await readMember(tx, event, 'source'));
}

export function createDefinitions(log: EventLog, kinds: Readonly<Record<DefinitionType, Kind>>): Definitions {
  async function draft(type: DefinitionType, source: string): Promise<Draft> {
    const issues = sourceIssues(source);
    if (issues.length > 0) throw invalidInput(issues);
    const result = await kinds[type].check(source);
    if (!result.ok) throw invalidInput(result.issues);
    return { source, document: savedDocument(DEFINITION_FORMATS[type].mediaType, result.document) };
  }

  async function save(
    tx: WriteTransaction,
    key: DefinitionKey,
    version: number,
    { source, document }: Draft,
    by: string,
  ): Promise<void> {
    const { data, kept } = await keepLarge(tx, key, { source });
    await log.append(tx, {
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
  }

  async function saveIn(tx: WriteTransaction, key: DefinitionKey, next: Draft, by: string): Promise<void> {
    const row = await selectDefinition(tx, key);
    if (row === undefined) return save(tx, key, 1, next, by);
    await requireActiveDefinition(tx, key);
    if ((await readSource(tx, key, row)) !== next.source) await save(tx, key, Number(row.version) + 1, next, by);
  }

  async function retireIn(tx: WriteTransaction, key: DefinitionKey, by: string): Promise<void> {
    const { status, version, type, name } = await requireDefinition(tx, key);
    if (status === 'retired') return;
    const definition = { type, name, version: Number(version) };
    await log.append(tx, {
      org: key.org,
      playbook: key.playbook,
      stream: streamOf(key),
      events: [{ type: 'definition_retired', data: definition, metadata: { by, definition } }],
    });
  }

  async function read(tx: ReadTransaction, key: DefinitionKey, version?: number): Promise<Definition> {
    await requirePlaybook(tx, key);
    const row = await requireDefinition(tx, key, version);
    const [source, uses] = [await readSource(tx, key, row), await selectUsedBy(tx, key)];
    return toDefinition(row, source, overviewWithUses(row, uses));
  }

  return {
    async create(key, source, by) {
      await log.read(async (tx) => {
        await requireActivePlaybook(tx, key);
        await refuseTaken(tx, key);
      });
      const first = await draft(key.type, source);
      return log.write(async (tx) => {
        await requireActivePlaybook(tx, key);
        await refuseTaken(tx, key);
        await save(tx, key, 1, first, by);
        return read(tx, key);
      });
    },
    async update(key, source, by) {
      const before = await log.read(async (tx) => {
        await requireActivePlaybook(tx, key);
        const row = await requireActiveDefinition(tx, key);
        return (await readSource(tx, key, row)) === source ? read(tx, key) : undefined;
      });
      if (before !== undefined) return before;
      const next = await draft(key.type, source);
      return log.write(async (tx) => {
        await requireActivePlaybook(tx, key);
        await requireActiveDefinition(tx, key);
        await saveIn(tx, key, next, by);
        return read(tx, key);
      });
    },
    retire: (key, by) =>
      log.write(async (tx) => {
        await requireActivePlaybook(tx, key);
        await retireIn(tx, key, by);
        return read(tx, key);
      }),
    draft,
    saveIn,
    retireIn,
    async sources(tx, place, type) {
      const found: DefinitionSource[] = [];
      for (const row of await selectDefinitions(tx, place, type)) {
        found.push({
          name: row.name,
          status: row.status,
          source: await readSource(tx, { ...place, type, name: row.name }, row),
        });
      }
      return found;
    },
    get: (key) => log.read((tx) => read(tx, key)),
    list: (place, type) =>
      log.read(async (tx) => {
        await requirePlaybook(tx, place);
        return (await selectDefinitions(tx, place, type)).map(listEntry);
      }),
    versions: (key, before, limit) =>
      log.read(async (tx) => {
        await requirePlaybook(tx, key);
        await requireDefinition(tx, key);
        const rows = await selectVersions(tx, key, before ?? Number.MAX_SAFE_INTEGER, limit);
        return rows.map((row) => ({
          version: Number(row.version),
          saved_at: row.saved_at,
          saved_by: row.saved_by,
        }));
      }),
    getVersion: (key, version) => log.read((tx) => read(tx, key, version)),
    async check(type, source) {
      const issues = sourceIssues(source);
      if (issues.length > 0) return { valid: false, issues, warnings: [] };
      const result = await kinds[type].check(source);
      if (!result.ok) return { valid: false, issues: [...result.issues], warnings: [] };
      const { warnings, overview } = result.document;
      return { valid: true, issues: [], warnings: [...warnings], overview };
    },
    refuseInactive: async (key) => {
      await log.read(async (tx) => {
        await requireActivePlaybook(tx, key);
        await requireActiveDefinition(tx, key);
      });
    },
  };
}

async function refuseTaken(tx: ReadTransaction, key: DefinitionKey): Promise<void> {
  if ((await selectDefinition(tx, key)) !== undefined) throw taken(key);
}

function taken({ type, name, playbook }: DefinitionKey): Refused {
  return conflict(
    `The playbook ${playbook} has or had a definition ${type}/${name}. Choose another name, or update that definition.`,
  );
}

function streamOf({ type, name }: DefinitionKey): string {
  return `definition-${type}-${name}`;
}

/** What every type refuses before its kind looks at the document. */
function sourceIssues(source: string): SourceIssue[] {
  const bytes = Buffer.byteLength(source);
  if (bytes <= LIMITS.sourceBytes) return [];
  const detail = `\`source\` has ${bytes} bytes as UTF-8, and a definition holds at most ${LIMITS.sourceBytes}; divide it into several definitions.`;
  return [{ pointer: '/source', line: 1, column: 1, detail }];
}
