import Type from 'typebox';
import { flag, integer, list, object, oneOf, optional, text } from '../../../shared/schemas/fields.ts';
import { DEFINITION_TYPES, type DefinitionType } from '../../../shared/definition-types.ts';
import type { Json, JsonObject } from '../../../shared/json.ts';
import { LIMITS } from '../../../shared/limits.ts';
import { NAME_PATTERN } from '../../../shared/names.ts';
import {
  type Definition,
  type DefinitionListEntry,
  DefinitionListEntrySchema,
  DefinitionSchema,
  DefinitionVersionSchema,
  type DocumentCheck,
  DocumentCheckSchema,
} from '../../../shared/schemas/index.ts';
import {
  type Call,
  defineOperation,
  type Operation,
  PAGE_FIELDS,
  pageOf,
  pageRequest,
} from '../../operations/index.ts';
import type { Playbooks } from '../playbooks/index.ts';
import type { Definitions } from './definitions.ts';
import type { DefinitionKey } from './sql.ts';

export {
  Definitions,
  type DefinitionDraft,
  type DefinitionHooks,
  requireActiveDefinition,
  sourceIssues,
} from './definitions.ts';
export { definitionProjection } from './projection.ts';
export { contextOf } from './surroundings.ts';
export { isStillCurrent, readVersion, type Runnable, Runnables } from './runnable.ts';
export { type CurrentDefinition, definitionMigrations, type DefinitionKey } from './sql.ts';

const PLAYBOOK = text("The playbook's id.");
const TYPE = oneOf('The type of definition.', DEFINITION_TYPES);
const NAME = text("The definition's name.");
const SOURCE = text(`The whole document, at most ${LIMITS.sourceBytes} bytes.`);

/** What editors need of a check, and agents rarely do. */
const CHECK_PARTS = ['graph', 'declarations', 'input_schema', 'triggers'] as const;

const TYPE_PATH = Type.Object({ playbook: PLAYBOOK, type: TYPE });
const PATH = Type.Object({ playbook: PLAYBOOK, type: TYPE, name: NAME });

/** What a document says: an agent that saves one knows it. */
const WRITTEN = ['source', 'media_type', 'description', 'input_schema', 'output_schema', 'details', 'triggers'];
/** When and by whom a definition was saved: an agent that saves it knows that too, and lists leave it to get_definition. */
const SAVED = ['created_at', 'created_by', 'updated_at', 'updated_by'];
/** What the response to saving leaves out: everything but the version, the warnings and the overview. */
const KNOWN = [...WRITTEN, ...SAVED, 'type', 'name', 'status', 'triggers_since'];

const READ = { readOnly: true, destructive: false, idempotent: true };
const TAG = 'Definitions';
const READING = {
  tag: TAG,
  permissions: ['playbook:read'],
  method: 'GET',
  problems: ['not_found'],
  hints: READ,
  mcp: true,
} as const;
const SAVING = { tag: TAG, permissions: ['playbook:write'], mcp: true } as const;

/** The current standing of a definition, for types that have one; undefined for a retired definition. */
export type ViewStatuses = {
  [Type in DefinitionType]?: (key: DefinitionKey, definition: Definition) => Promise<Definition['standing']>;
};

export function definitionOperations(
  definitions: Definitions,
  playbooks: Playbooks,
  standings: ViewStatuses,
): Operation[] {
  return [
    ...collectionOperations(definitions, playbooks),
    ...itemOperations(definitions, playbooks, standings),
    checkingOperation(definitions, playbooks),
    ...versionOperations(definitions),
  ];
}

function collectionOperations(definitions: Definitions, playbooks: Playbooks): Operation[] {
  return [
    defineOperation({
      ...SAVING,
      name: 'create_definition',
      title: 'Save a new definition',
      description:
        'Use to add a function or workflow; read the guide of its type first. The document is checked: problems are reported with line and column, and nothing is saved. Returns the definition with warnings and an overview. A name in use, or used before, is `conflict`.',
      method: 'POST',
      route: '/playbooks/{playbook}/definitions/{type}',
      path: TYPE_PATH,
      fields: object({
        name: text('The name, as used in paths.', { pattern: NAME_PATTERN, examples: ['priority-score'] }),
        source: SOURCE,
      }),
      status: 201,
      output: DefinitionSchema,
      problems: ['not_found', 'conflict', 'unavailable'],
      hints: { readOnly: false, destructive: false, idempotent: false },
      forAgents: { changesTools: true, omitted: KNOWN },
      precheck: ({ org }, { playbook }) => playbooks.refuseInactive({ org, playbook }),
      handle: (call, input) => definitions.create(keyOf(call, input), input.source, call.caller.id),
    }),
    defineOperation({
      ...READING,
      name: 'list_definitions',
      title: 'List definitions of a type',
      description: 'Use to see what a playbook can do: its definitions of one type, without source and overview.',
      route: '/playbooks/{playbook}/definitions/{type}',
      path: TYPE_PATH,
      fields: object({
        include_retired: optional(flag('Default: false.')),
      }),
      output: object({ definitions: Type.Array(DefinitionListEntrySchema) }),
      forAgents: { compact: compactList },
      async handle({ org }, { playbook, type, include_retired = false }) {
        const listed = await definitions.list({ org, playbook }, type);
        return { definitions: include_retired ? listed : activeOnes(listed) };
      },
    }),
  ];
}

function itemOperations(definitions: Definitions, playbooks: Playbooks, standings: ViewStatuses): Operation[] {
  return [
    defineOperation({
      ...READING,
      name: 'get_definition',
      title: 'Get a definition',
      description:
        "Use to read a definition before running or changing it: source, schemas, warnings, an overview of what it does and what uses it, and the state of a recall function's view, or a prediction function's dataset and models.",
      route: '/playbooks/{playbook}/definitions/{type}/{name}',
      path: PATH,
      output: DefinitionSchema,
      async handle(call, path) {
        const key = keyOf(call, path);
        const definition = await definitions.get(key);
        const standing = await standings[path.type]?.(key, definition);
        return standing === undefined ? definition : { ...definition, standing };
      },
    }),
    defineOperation({
      ...SAVING,
      name: 'update_definition',
      title: 'Save a new version of a definition',
      description:
        'Use to change a definition: the whole new document is checked and becomes the next version, which new runs use. The same document again records nothing.',
      method: 'PUT',
      route: '/playbooks/{playbook}/definitions/{type}/{name}',
      path: PATH,
      fields: object({
        source: SOURCE,
        expected_version: optional(
          integer('The version that it is based on; if another was saved since: `conflict`.', {
            minimum: 1,
            maximum: 999_999_999,
            'x-addition': true,
          }),
        ),
      }),
      output: DefinitionSchema,
      problems: ['not_found', 'conflict', 'unavailable'],
      hints: { readOnly: false, destructive: false, idempotent: true },
      forAgents: { changesTools: true, omitted: KNOWN },
      precheck: (call, path) => definitions.refuseInactive(keyOf(call, path)),
      handle: (call, input) =>
        definitions.update(keyOf(call, input), input.source, call.caller.id, input.expected_version),
    }),
    defineOperation({
      ...SAVING,
      name: 'retire_definition',
      title: 'Retire a definition',
      description:
        'Use to retire a definition permanently: it can still be read, but not changed or run, and its name is never reused.',
      method: 'POST',
      route: '/playbooks/{playbook}/definitions/{type}/{name}/retire',
      path: PATH,
      output: DefinitionSchema,
      problems: ['not_found', 'conflict'],
      hints: { readOnly: false, destructive: true, idempotent: true },
      forAgents: { changesTools: true, omitted: WRITTEN },
      async precheck(call, path) {
        await playbooks.refuseInactive({ org: call.org, playbook: path.playbook });
        await definitions.get(keyOf(call, path));
      },
      handle: (call, path) => definitions.retire(keyOf(call, path), call.caller.id),
    }),
  ];
}

function checkingOperation(definitions: Definitions, playbooks: Playbooks): Operation {
  return defineOperation({
    ...SAVING,
    name: 'check_definition',
    title: 'Check a document without saving it',
    description:
      'Use to check a document, and how it uses other definitions, without saving it; saving checks it as well. Returns `valid`, the issues that would prevent saving, the warnings, and, when valid, the overview.',
    method: 'POST',
    route: '/playbooks/{playbook}/definitions/{type}/check',
    path: TYPE_PATH,
    fields: object({
      source: SOURCE,
      include: optional(
        list(
          "The steps and triggers of a workflow, the types of a program's names, or the schema of the input.",
          Type.Enum(CHECK_PARTS),
          { maxItems: CHECK_PARTS.length },
        ),
      ),
      name: optional(text('With it, the document may refer to itself.')),
    }),
    output: DocumentCheckSchema,
    problems: ['not_found', 'conflict', 'unavailable'],
    hints: READ,
    addition: true,
    precheck: ({ org }, { playbook }) => playbooks.refuseInactive({ org, playbook }),
    async handle({ org }, { playbook, type, source, name, include = [] }) {
      await playbooks.refuseInactive({ org, playbook });
      const check: DocumentCheck = { ...(await definitions.check({ org, playbook }, type, source, name)) };
      for (const part of CHECK_PARTS) if (!include.includes(part)) delete check[part];
      return check;
    },
  });
}

function versionOperations(definitions: Definitions): Operation[] {
  return [
    defineOperation({
      ...READING,
      name: 'list_definition_versions',
      title: 'List the versions of a definition',
      description: 'Use to see how a definition changed: its versions, newest first.',
      route: '/playbooks/{playbook}/definitions/{type}/{name}/versions',
      path: PATH,
      fields: object(PAGE_FIELDS),
      output: object({
        versions: Type.Array(DefinitionVersionSchema),
        has_more: Type.Boolean(),
        next_cursor: Type.Union([Type.String(), Type.Null()]),
      }),
      addition: true,
      async handle(call, input) {
        const request = pageRequest(call, input, 'versions');
        const read = await definitions.versions(keyOf(call, input), request.after, request.limit + 1);
        const { entries, end } = pageOf(read, request, 'versions', ({ version }) => version);
        return { versions: entries, ...end };
      },
    }),
    defineOperation({
      ...READING,
      name: 'get_definition_version',
      title: 'Get one version of a definition',
      description:
        "Use to read the version that a run used, or to compare versions; `status` is the definition's current one.",
      route: '/playbooks/{playbook}/definitions/{type}/{name}/versions/{version}',
      path: Type.Object({
        playbook: PLAYBOOK,
        type: TYPE,
        name: NAME,
        version: text('The version, from 1.', { pattern: '^[1-9][0-9]{0,8}$' }),
      }),
      output: DefinitionSchema,
      addition: true,
      handle: (call, path) => definitions.getVersion(keyOf(call, path), Number(path.version)),
    }),
  ];
}

function keyOf({ org }: Call, { playbook, type, name }: Omit<DefinitionKey, 'org'>): DefinitionKey {
  return { org, playbook, type, name };
}

function isEmpty(value: Json): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

async function* activeOnes(entries: AsyncIterable<DefinitionListEntry>): AsyncGenerator<DefinitionListEntry> {
  for await (const entry of entries) if (entry.status === 'active') yield entry;
}

/** The list without its type, what get_definition has, and lists of no warnings and no details. */
function compactList(page: JsonObject): JsonObject {
  const { definitions } = page;
  if (!Array.isArray(definitions)) return page;
  const isShown = ([name, value]: [string, Json]): boolean =>
    name !== 'type' && !SAVED.includes(name) && !isEmpty(value);
  return {
    ...page,
    definitions: (definitions as JsonObject[]).map((entry) =>
      Object.fromEntries(Object.entries(entry).filter(isShown)),
    ),
  };
}
