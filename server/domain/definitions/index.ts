import Type from 'typebox';
import { DEFINITION_TYPES, type DefinitionType } from '../../../shared/definition-types.ts';
import { LIMITS } from '../../../shared/limits.ts';
import { NAME_PATTERN } from '../../../shared/names.ts';
import {
  type Definition,
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
  createDefinitions,
  type DefinitionDraft,
  type DefinitionHooks,
  type Definitions,
  requireActiveDefinition,
  sourceIssues,
} from './definitions.ts';
export { definitionProjection } from './projection.ts';
export { contextOf } from './surroundings.ts';
export { createRunnables, readVersion, type Runnable } from './runnable.ts';
export { definitionMigrations, type DefinitionKey } from './sql.ts';

const PLAYBOOK = Type.String({ description: "The playbook's id." });
const TYPE = Type.Enum(DEFINITION_TYPES, { description: 'The type of definition.' });
const NAME = Type.String({ description: "The definition's name." });
const SOURCE = Type.String({
  description: `The whole document, at most ${LIMITS.sourceBytes} UTF-8 bytes. The guide of the type shows its format.`,
});

/** What editors need of a check, and agents rarely do. */
const CHECK_PARTS = ['graph', 'declarations'] as const;

const TYPE_PATH = Type.Object({ playbook: PLAYBOOK, type: TYPE });
const PATH = Type.Object({ playbook: PLAYBOOK, type: TYPE, name: NAME });

/** What a document says: an agent that saves one knows it. */
const WRITTEN = ['source', 'media_type', 'description', 'input_schema', 'output_schema', 'details'];

const READ = { readOnly: true, destructive: false, idempotent: true };

/** The current standing of a definition, for types that have one; undefined for a retired definition. */
export type ViewStatuses = {
  [Type in DefinitionType]?: (key: DefinitionKey, definition: Definition) => Promise<Definition['standing']>;
};

export function definitionOperations(
  definitions: Definitions,
  playbooks: Playbooks,
  standings: ViewStatuses,
): Operation[] {
  const tag = 'Definitions';
  const keyOf = ({ org }: Call, path: Omit<DefinitionKey, 'org'>): DefinitionKey => ({
    org,
    playbook: path.playbook,
    type: path.type,
    name: path.name,
  });

  return [
    defineOperation({
      name: 'create_definition',
      tag,
      title: 'Save a new definition',
      description:
        'Use to add a function or workflow to a playbook. Read the guide of its type first. The document is checked: if it has problems, each is reported with its line and column (`invalid_input`), and nothing is saved. Returns the definition with warnings and an overview. A name in use, or used before, is `conflict`.',
      permissions: ['playbook:write'],
      method: 'POST',
      route: '/playbooks/{playbook}/definitions/{type}',
      path: TYPE_PATH,
      fields: Type.Object(
        {
          name: Type.String({
            pattern: NAME_PATTERN,
            description: 'The name, as it is used in paths.',
            examples: ['priority-score'],
          }),
          source: SOURCE,
        },
        { additionalProperties: false },
      ),
      status: 201,
      output: DefinitionSchema,
      problems: ['not_found', 'conflict', 'unavailable'],
      hints: { readOnly: false, destructive: false, idempotent: false },
      mcp: true,
      forAgents: { changesTools: true, omitted: WRITTEN },
      precheck: ({ org }, { playbook }) => playbooks.refuseInactive({ org, playbook }),
      handle: (call, input) => definitions.create(keyOf(call, input), input.source, call.caller.id),
    }),
    defineOperation({
      name: 'list_definitions',
      tag,
      title: 'List definitions of a type',
      description:
        'Use to see what a playbook can do. Returns the definitions of one type ordered by name, without source and overview; retired ones only if `include_retired` is true.',
      permissions: ['playbook:read'],
      method: 'GET',
      route: '/playbooks/{playbook}/definitions/{type}',
      path: TYPE_PATH,
      fields: Type.Object(
        {
          include_retired: Type.Optional(Type.Boolean({ description: 'Whether to include retired definitions.' })),
        },
        { additionalProperties: false },
      ),
      output: Type.Object({ definitions: Type.Array(DefinitionListEntrySchema) }, { additionalProperties: false }),
      problems: ['not_found'],
      hints: READ,
      mcp: true,
      async handle({ org }, { playbook, type, include_retired = false }) {
        const listed = await definitions.list({ org, playbook }, type);
        return { definitions: listed.filter(({ status }) => include_retired || status === 'active') };
      },
    }),
    defineOperation({
      name: 'get_definition',
      tag,
      title: 'Get a definition',
      description:
        "Use to read a definition before running or changing it. Returns its current version with source, schemas, warnings and an overview of what it does and what uses it; also the state of a recall function's view, or a prediction function's dataset and models.",
      permissions: ['playbook:read'],
      method: 'GET',
      route: '/playbooks/{playbook}/definitions/{type}/{name}',
      path: PATH,
      output: DefinitionSchema,
      problems: ['not_found'],
      hints: READ,
      mcp: true,
      async handle(call, path) {
        const key = keyOf(call, path);
        const definition = await definitions.get(key);
        const standing = await standings[path.type]?.(key, definition);
        return standing === undefined ? definition : { ...definition, standing };
      },
    }),
    defineOperation({
      name: 'update_definition',
      tag,
      title: 'Save a new version of a definition',
      description:
        'Use to change a definition: send the whole new document. It is checked like a new one and becomes the next version, which new runs use. The same document again records nothing. With `expected_version`, a version saved in the meantime is `conflict`.',
      permissions: ['playbook:write'],
      method: 'PUT',
      route: '/playbooks/{playbook}/definitions/{type}/{name}',
      path: PATH,
      fields: Type.Object(
        {
          source: SOURCE,
          expected_version: Type.Optional(
            Type.Integer({
              minimum: 1,
              maximum: 999_999_999,
              'x-addition': true,
              description: 'The version that the document is based on.',
            }),
          ),
        },
        { additionalProperties: false },
      ),
      output: DefinitionSchema,
      problems: ['not_found', 'conflict', 'unavailable'],
      hints: { readOnly: false, destructive: false, idempotent: true },
      mcp: true,
      forAgents: { changesTools: true, omitted: WRITTEN },
      precheck: (call, path) => definitions.refuseInactive(keyOf(call, path)),
      handle: (call, input) =>
        definitions.update(keyOf(call, input), input.source, call.caller.id, input.expected_version),
    }),
    defineOperation({
      name: 'retire_definition',
      tag,
      title: 'Retire a definition',
      description:
        'Use to retire a definition permanently: it can still be read, but not changed or run, and its name is never reused. Returns the definition.',
      permissions: ['playbook:write'],
      method: 'POST',
      route: '/playbooks/{playbook}/definitions/{type}/{name}/retire',
      path: PATH,
      output: DefinitionSchema,
      problems: ['not_found', 'conflict'],
      hints: { readOnly: false, destructive: true, idempotent: true },
      mcp: true,
      forAgents: { changesTools: true, omitted: WRITTEN },
      async precheck(call, path) {
        await playbooks.refuseInactive({ org: call.org, playbook: path.playbook });
        await definitions.get(keyOf(call, path));
      },
      handle: (call, path) => definitions.retire(keyOf(call, path), call.caller.id),
    }),
    defineOperation({
      name: 'check_definition',
      tag,
      title: 'Check a document without saving it',
      description:
        "Use to check a document, and how it uses other definitions, without saving it; create_definition and update_definition check it as well. Returns `valid`, the issues that would prevent saving, the warnings, and, when valid, the overview. `include` adds the steps of a workflow as `graph`, and the types of a program's names as `declarations`.",
      permissions: ['playbook:write'],
      method: 'POST',
      route: '/playbooks/{playbook}/definitions/{type}/check',
      path: TYPE_PATH,
      fields: Type.Object(
        {
          source: SOURCE,
          include: Type.Optional(
            Type.Array(Type.Enum(CHECK_PARTS), {
              maxItems: CHECK_PARTS.length,
              description: 'What to return besides the checks.',
            }),
          ),
          name: Type.Optional(
            Type.String({
              description: 'The name that the document is saved under. With it, the document may refer to itself.',
            }),
          ),
        },
        { additionalProperties: false },
      ),
      output: DocumentCheckSchema,
      problems: ['not_found', 'conflict', 'unavailable'],
      hints: READ,
      mcp: true,
      addition: true,
      precheck: ({ org }, { playbook }) => playbooks.refuseInactive({ org, playbook }),
      async handle({ org }, { playbook, type, source, name, include = [] }) {
        await playbooks.refuseInactive({ org, playbook });
        const check: DocumentCheck = { ...(await definitions.check({ org, playbook }, type, source, name)) };
        for (const part of CHECK_PARTS) if (!include.includes(part)) delete check[part];
        return check;
      },
    }),
    defineOperation({
      name: 'list_definition_versions',
      tag,
      title: 'List the versions of a definition',
      description: 'Use to see how a definition changed. Returns its versions, newest first, a page at a time.',
      permissions: ['playbook:read'],
      method: 'GET',
      route: '/playbooks/{playbook}/definitions/{type}/{name}/versions',
      path: PATH,
      fields: Type.Object(PAGE_FIELDS, { additionalProperties: false }),
      output: Type.Object(
        {
          versions: Type.Array(DefinitionVersionSchema),
          has_more: Type.Boolean(),
          next_cursor: Type.Union([Type.String(), Type.Null()]),
        },
        { additionalProperties: false },
      ),
      problems: ['not_found'],
      hints: READ,
      mcp: true,
      addition: true,
      async handle(call, input) {
        const request = pageRequest(call, input, 'versions');
        const read = await definitions.versions(keyOf(call, input), request.after, request.limit + 1);
        const { entries, end } = pageOf(read, request, 'versions', ({ version }) => version);
        return { versions: entries, ...end };
      },
    }),
    defineOperation({
      name: 'get_definition_version',
      tag,
      title: 'Get one version of a definition',
      description:
        "Use to read the version that a run used, or to compare versions. Returns that version's document, and when and by whom it was saved; `status` is the definition's current one.",
      permissions: ['playbook:read'],
      method: 'GET',
      route: '/playbooks/{playbook}/definitions/{type}/{name}/versions/{version}',
      path: Type.Object({
        playbook: PLAYBOOK,
        type: TYPE,
        name: NAME,
        version: Type.String({ pattern: '^[1-9][0-9]{0,8}$', description: 'The version, from 1.' }),
      }),
      output: DefinitionSchema,
      problems: ['not_found'],
      hints: READ,
      mcp: true,
      addition: true,
      handle: (call, path) => definitions.getVersion(keyOf(call, path), Number(path.version)),
    }),
  ];
}
