import { flag, list, object, objects, optional, text } from '../../../shared/schemas/fields.ts';
import { isName, NAME_PATTERN, NAME_RULE } from '../../../shared/names.ts';
import { playbookTextIssues } from '../../../shared/playbook-texts.ts';
import { MIB } from '../../../shared/product.ts';
import { lacksPermission, invalidInput } from '../../lib/rejection.ts';
import { type Call, defineOperation, type Operation } from '../../operations/index.ts';
import { PLAYBOOK_DESCRIPTION, PLAYBOOK_NAME, type Playbooks } from '../playbooks/index.ts';
import { archiveOperations } from './archive-operations.ts';
import type { Archives } from './archives.ts';
import type { Folders } from './folders.ts';
import { FolderChangesSchema, PATH, TYPE } from './schemas.ts';

export { createArchives } from './archives.ts';
export { Folders, type ExportedDefinition, type ExportedPlaybook, type FolderChanges } from './folders.ts';
export type { DefinitionChange, FolderDefinition } from './plan.ts';

const DIGEST = { pattern: '^[0-9a-f]{64}$' };

const TAG = 'Playbooks';
/** Enough for a folder with more than a hundred of the largest definitions. */
const APPLY_BODY_BYTES = 8 * MIB;
const MOST_DEFINITIONS = 1000;
/** Room to say of a folder with somewhat too many definitions that they are. */
const APPLY_BODY_VALUES = 20 * MOST_DEFINITIONS;

export function folderOperations(folders: Folders, archives: Archives, playbooks: Playbooks): Operation[] {
  return [
    exportOperation(folders),
    applyOperation(folders, playbooks),
    ...archiveOperations(archives, {
      playbooks,
      refuseCreating: (call, playbook) => refuseCreating(playbooks, call, playbook),
    }),
  ];
}

function exportOperation(folders: Folders): Operation {
  return defineOperation({
    name: 'export_playbook',
    tag: TAG,
    title: 'Export a playbook',
    description:
      'Returns the playbook with the source and digest of every active definition, to be saved as files. Retired playbooks can be exported too.',
    permissions: ['playbook:read'],
    method: 'GET',
    route: '/playbooks/{playbook}/export',
    path: PATH,
    output: object({
      playbook: text("The playbook's id."),
      name: text('The display name of the playbook.'),
      description: text('What the playbook is for; may be empty.'),
      definitions: objects('Every active definition.', {
        type: TYPE,
        name: text("The definition's name."),
        sha256: text('SHA-256 of the source, in lower-case hex.', { ...DIGEST }),
        source: text('The whole document.'),
      }),
    }),
    problems: ['not_found'],
    hints: { readOnly: true, destructive: false, idempotent: true },
    mcp: false,
    addition: true,
    handle: ({ org }, { playbook }) => folders.export({ org, playbook }),
  });
}

function applyOperation(folders: Folders, playbooks: Playbooks): Operation {
  return defineOperation({
    name: 'apply_playbook',
    tag: TAG,
    title: 'Apply a folder to a playbook',
    description:
      'Use to save a whole playbook that is kept as files, in one transaction; a playbook that does not exist is created. Send every definition with its source; for one that is unchanged, its digest is enough.',
    permissions: ['playbook:write'],
    method: 'POST',
    route: '/playbooks/{playbook}/apply',
    path: PATH,
    fields: object({
      name: PLAYBOOK_NAME,
      description: optional(PLAYBOOK_DESCRIPTION),
      definitions: list(
        'Every definition of the folder.',
        object({
          type: TYPE,
          name: text("The definition's name.", { pattern: NAME_PATTERN }),
          source: optional(text('The whole document; needed if it is new or differs.')),
          sha256: optional(text('SHA-256 of the source, in lower-case hex; needed without `source`.', { ...DIGEST })),
        }),
        { maxItems: MOST_DEFINITIONS },
      ),
      dry_run: optional(flag('Only list the changes.')),
      prune: optional(flag('Permanently retire definitions that the folder lacks.')),
      plan: optional(
        text(
          'The `plan` of a dry run: exactly those changes are applied, or none if the playbook has changed since (`conflict`).',
          { ...DIGEST },
        ),
      ),
    }),
    checksFields: playbookTextIssues,
    bodyBytes: APPLY_BODY_BYTES,
    bodyValues: APPLY_BODY_VALUES,
    output: FolderChangesSchema,
    problems: ['not_found', 'conflict', 'unavailable'],
    hints: { readOnly: false, destructive: true, idempotent: true },
    mcp: true,
    forAgents: { changesTools: true },
    addition: true,
    async precheck(call, { playbook }) {
      await refuseCreating(playbooks, call, playbook);
      await playbooks.refuseRetired({ org: call.org, playbook });
    },
    async handle({ org, caller }, fields) {
      const { playbook, name, description = '', definitions, dry_run = false, prune = false, plan } = fields;
      await refuseCreating(playbooks, { caller, org }, playbook);
      if (!isName(playbook)) {
        throw invalidInput([{ pointer: '/playbook', detail: `\`playbook\` in the path must be ${NAME_RULE}.` }]);
      }
      return folders.apply(
        { org, playbook },
        { name, description, definitions },
        { dryRun: dry_run, prune, plan, by: caller.id },
      );
    },
  });
}

/** @throws Refused `forbidden` if the caller may not create the playbook that is missing */
async function refuseCreating(
  playbooks: Playbooks,
  { caller, org }: Pick<Call, 'caller' | 'org'>,
  playbook: string,
): Promise<void> {
  if (caller.may('org:write', org, playbook) || (await playbooks.exists({ org, playbook }))) return;
  throw lacksPermission(`The org ${org} has no playbook ${playbook}, and creating it needs the permission org:write.`);
}
