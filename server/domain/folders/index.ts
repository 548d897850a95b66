import Type from 'typebox';
import { DEFINITION_TYPES } from '../../../shared/definition-types.ts';
import { LIMITS } from '../../../shared/limits.ts';
import { isName, NAME_PATTERN, NAME_RULE } from '../../../shared/names.ts';
import { MIB } from '../../../shared/product.ts';
import { DocumentCheckSchema } from '../../../shared/schemas/index.ts';
import { forbidden, invalidInput } from '../../lib/rejection.ts';
import { defineOperation, type Operation } from '../../operations/index.ts';
import type { Playbooks } from '../playbooks/index.ts';
import type { Folders } from './folders.ts';

export { createFolders, type ExportedPlaybook, type FolderChanges, type Folders } from './folders.ts';
export type { DefinitionChange, FolderDefinition } from './plan.ts';

const PATH = Type.Object({ playbook: Type.String({ description: "The playbook's id." }) });
const TYPE = Type.Enum(DEFINITION_TYPES, { description: 'The type of definition.' });
const SHA256 = Type.String({
  pattern: '^[0-9a-f]{64}$',
  description: "SHA-256 of the source's UTF-8 bytes, in lower-case hex.",
});

/** Room for a folder of a hundred and more of the largest definitions. */
const APPLY_BODY_BYTES = 8 * MIB;
const MOST_DEFINITIONS = 1000;
/** Room to say of a folder with somewhat too many definitions that they are. */
const APPLY_BODY_VALUES = 20 * MOST_DEFINITIONS;

export function folderOperations(folders: Folders, playbooks: Playbooks): Operation[] {
  const tag = 'Playbooks';
  return [
    defineOperation({
      name: 'export_playbook',
      tag,
      title: 'Read a playbook out whole',
      description:
        'Returns the playbook with the source and digest of every active definition, to be kept as files. Retired playbooks can be read too.',
      permissions: ['playbook:read'],
      method: 'GET',
      route: '/playbooks/{playbook}/export',
      path: PATH,
      output: Type.Object(
        {
          playbook: Type.String({ description: "The playbook's id." }),
          name: Type.String({ description: 'What people call the playbook.' }),
          description: Type.String({ description: 'What the playbook is for; empty where nobody said.' }),
          definitions: Type.Array(
            Type.Object(
              {
                type: TYPE,
                name: Type.String({ description: "The definition's name." }),
                sha256: SHA256,
                source: Type.String({ description: 'The whole document.' }),
              },
              { additionalProperties: false },
            ),
            { description: 'Every active definition.' },
          ),
        },
        { additionalProperties: false },
      ),
      problems: ['not_found'],
      hints: { readOnly: true, destructive: false, idempotent: true },
      mcp: false,
      addition: true,
      handle: ({ org }, { playbook }) => folders.export({ org, playbook }),
    }),
    defineOperation({
      name: 'apply_playbook',
      tag,
      title: 'Bring a playbook to what a folder holds',
      description:
        'Use to save a whole playbook kept as files: names and digests say what the folder holds, and sources are needed only for what is new or differs. With `dry_run` it says what would change, refuses the sources that saving would refuse, and changes nothing. Otherwise everything is saved in one transaction, workflows last, or nothing; the playbook is made where it is absent. What the folder lacks stays, unless `prune` is true: then it is retired, for ever. When the playbook changes meanwhile, or since the dry run whose `plan` is given, nothing is applied (`conflict`).',
      permissions: ['playbook:write'],
      method: 'POST',
      route: '/playbooks/{playbook}/apply',
      path: PATH,
      fields: Type.Object(
        {
          name: Type.String({
            minLength: 1,
            maxLength: LIMITS.playbookNameCharacters,
            pattern: '\\S',
            description: 'What people call the playbook.',
          }),
          description: Type.Optional(
            Type.String({ maxLength: LIMITS.playbookDescriptionCharacters, description: 'What the playbook is for.' }),
          ),
          definitions: Type.Array(
            Type.Object(
              {
                type: TYPE,
                name: Type.String({ pattern: NAME_PATTERN, description: "The definition's name." }),
                sha256: SHA256,
                source: Type.Optional(Type.String({ description: 'The whole document; for what is new or differs.' })),
              },
              { additionalProperties: false },
            ),
            { maxItems: MOST_DEFINITIONS, description: 'Everything the folder holds.' },
          ),
          dry_run: Type.Optional(Type.Boolean({ description: 'Whether to say only what would change.' })),
          prune: Type.Optional(Type.Boolean({ description: 'Whether to retire, for ever, what the folder lacks.' })),
          plan: Type.Optional(
            Type.String({
              pattern: '^[0-9a-f]{64}$',
              description: 'What a dry run answered as `plan`: that is carried out, and nothing that came since.',
            }),
          ),
        },
        { additionalProperties: false },
      ),
      bodyBytes: APPLY_BODY_BYTES,
      bodyValues: APPLY_BODY_VALUES,
      output: Type.Object(
        {
          playbook: Type.Enum(['create', 'update', 'unchanged'], {
            description: 'What becomes of the playbook, its name and description.',
          }),
          definitions: Type.Array(
            Type.Object(
              {
                type: TYPE,
                name: Type.String({ description: "The definition's name." }),
                change: Type.Enum(['create', 'update', 'unchanged', 'retire', 'retired', 'missing'], {
                  description:
                    '`retired`: the name was retired and stays so. `missing`: the folder lacks it, and it stays.',
                }),
                version: Type.Optional(
                  Type.Integer({ description: 'The version before the change; absent for what is new.' }),
                ),
                warnings: Type.Optional(
                  Type.Array(DocumentCheckSchema.properties.warnings.items, {
                    description:
                      'What the source says and may not mean; present where it was checked and there is any.',
                  }),
                ),
              },
              { additionalProperties: false },
            ),
            { description: 'Each definition of the folder and of the playbook, workflows last.' },
          ),
          plan: Type.String({ description: 'Names these changes and the versions that they begin from.' }),
        },
        { additionalProperties: false },
      ),
      problems: ['not_found', 'conflict', 'unavailable'],
      hints: { readOnly: false, destructive: true, idempotent: true },
      mcp: true,
      forAgents: { changesTools: true },
      addition: true,
      precheck: ({ org }, { playbook }) => playbooks.refuseRetired({ org, playbook }),
      async handle({ org, caller }, fields) {
        const { playbook, name, description = '', definitions, dry_run = false, prune = false, plan } = fields;
        const place = { org, playbook };
        if (!isName(playbook)) {
          throw invalidInput([{ pointer: '/playbook', detail: `\`playbook\` in the path must be ${NAME_RULE}.` }]);
        }
        if (!(await playbooks.exists(place)) && !caller.may('org:write', org, playbook)) {
          throw forbidden(`The org ${org} has no playbook ${playbook}, and making it needs the permission org:write.`);
        }
        return folders.apply(
          place,
          { name, description, definitions },
          { dryRun: dry_run, prune, plan, by: caller.id },
        );
      },
    }),
  ];
}
