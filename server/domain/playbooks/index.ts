import Type from 'typebox';
import { flag, object, optional, text } from '../../../shared/schemas/fields.ts';
import { LIMITS } from '../../../shared/limits.ts';
import { NAME_PATTERN } from '../../../shared/names.ts';
import { playbookTextIssues } from '../../../shared/playbook-texts.ts';
import { PlaybookSchema } from '../../../shared/schemas/index.ts';
import { lacksPermission } from '../../lib/rejection.ts';
import { type Caller, defineOperation, type Operation } from '../../operations/index.ts';
import type { Playbooks } from './playbooks.ts';

export {
  createPlaybooks,
  playbookProjection,
  type Playbooks,
  requireActivePlaybook,
  requirePlaybook,
} from './playbooks.ts';
export { activeIds, playbookMigrations, rememberedPlaybook, selectPlaybook as findPlaybook } from './sql.ts';

/** The texts of a playbook, as requests give them. `playbookTextIssues` checks their length. */
export const PLAYBOOK_NAME = text(
  `The display name: 1 to ${LIMITS.playbookNameCharacters} characters. Whitespace at its ends is neither stored nor counted.`,
  { minLength: 1, pattern: '\\S', examples: ['Wildlife strikes'] },
);

export const PLAYBOOK_DESCRIPTION = text(
  `What the playbook is for: at most ${LIMITS.playbookDescriptionCharacters} characters. Whitespace at its ends is neither stored nor counted.`,
);

const PATH = Type.Object({ playbook: text("The playbook's id.") });

const TAG = 'Playbooks';
const READING = {
  tag: TAG,
  method: 'GET',
  hints: { readOnly: true, destructive: false, idempotent: true },
} as const;

/** A key that is limited to some playbooks may create those. @throws Refused `forbidden` */
function refuseOtherPlaybook(caller: Caller, org: string, playbook: string): void {
  if (caller.may('org:write', org, playbook)) return;
  throw lacksPermission(
    `create_playbook needs the permission org:write over the playbook ${playbook.slice(0, 64)}, and the caller does not have it.`,
  );
}

export function playbookOperations(playbooks: Playbooks): Operation[] {
  return [...collectionOperations(playbooks), ...itemOperations(playbooks)];
}

function collectionOperations(playbooks: Playbooks): Operation[] {
  return [
    defineOperation({
      name: 'create_playbook',
      tag: TAG,
      title: 'Create a playbook',
      description:
        'Use to keep one body of work apart from others: a playbook contains definitions with their runs and events. An id in use, or used before, is `conflict`.',
      permissions: ['org:write'],
      method: 'POST',
      route: '/playbooks',
      path: Type.Object({}),
      fields: object({
        playbook: text('The id, as used in paths.', { pattern: NAME_PATTERN, examples: ['wildlife-strikes'] }),
        name: PLAYBOOK_NAME,
        description: optional(PLAYBOOK_DESCRIPTION),
      }),
      checksFields: playbookTextIssues,
      status: 201,
      output: PlaybookSchema,
      problems: ['conflict'],
      hints: { readOnly: false, destructive: false, idempotent: false },
      mcp: true,
      async precheck({ caller, org }, _path, { playbook }) {
        if (typeof playbook === 'string') refuseOtherPlaybook(caller, org, playbook);
      },
      async handle({ caller, org }, { playbook, name, description = '' }) {
        refuseOtherPlaybook(caller, org, playbook);
        return playbooks.create({ org, playbook }, { name, description }, caller.id);
      },
    }),
    defineOperation({
      ...READING,
      name: 'list_playbooks',
      title: 'List playbooks',
      description: 'Use to find the playbooks that you may work in.',
      permissions: ['org:read', 'playbook:read'],
      route: '/playbooks',
      path: Type.Object({}),
      fields: object({ include_retired: optional(flag('Default: false.')) }),
      output: object({ playbooks: Type.Array(PlaybookSchema) }),
      problems: [],
      mcp: true,
      async handle({ caller, org }, { include_retired = false }) {
        const listed = (await playbooks.list(org)).filter(
          ({ id, status }) =>
            (include_retired || status === 'active') &&
            (caller.may('org:read', org, id) || caller.may('playbook:read', org, id)),
        );
        return { playbooks: listed };
      },
    }),
  ];
}

function itemOperations(playbooks: Playbooks): Operation[] {
  return [
    defineOperation({
      ...READING,
      name: 'get_playbook',
      title: 'Get a playbook',
      description: 'Returns one playbook, retired or not. An unknown id is `not_found`.',
      permissions: ['org:read'],
      route: '/playbooks/{playbook}',
      path: PATH,
      output: PlaybookSchema,
      problems: ['not_found'],
      mcp: false,
      forAgents: { instead: { tool: 'list_playbooks' } },
      handle: ({ org }, { playbook }) => playbooks.get({ org, playbook }),
    }),
    defineOperation({
      name: 'update_playbook',
      tag: TAG,
      title: 'Rename or describe a playbook',
      description: 'Use to change the name and description of a playbook. Send both: both are replaced.',
      permissions: ['org:write'],
      method: 'PUT',
      route: '/playbooks/{playbook}',
      path: PATH,
      fields: object({ name: PLAYBOOK_NAME, description: PLAYBOOK_DESCRIPTION }),
      checksFields: playbookTextIssues,
      output: PlaybookSchema,
      problems: ['not_found', 'conflict'],
      hints: { readOnly: false, destructive: false, idempotent: true },
      mcp: true,
      precheck: ({ org }, { playbook }) => playbooks.refuseInactive({ org, playbook }),
      handle: ({ caller, org }, { playbook, name, description }) =>
        playbooks.update({ org, playbook }, { name, description }, caller.id),
    }),
    defineOperation({
      name: 'retire_playbook',
      tag: TAG,
      title: 'Retire a playbook',
      description:
        'Use to retire a playbook permanently: it can still be read, but accepts no more commands, cannot be restored, and its id is never reused.',
      permissions: ['org:write'],
      method: 'POST',
      route: '/playbooks/{playbook}/retire',
      path: PATH,
      output: PlaybookSchema,
      problems: ['not_found'],
      hints: { readOnly: false, destructive: true, idempotent: true },
      mcp: true,
      forAgents: { changesTools: true },
      precheck: ({ org }, { playbook }) => playbooks.refuseUnknown({ org, playbook }),
      handle: ({ caller, org }, { playbook }) => playbooks.retire({ org, playbook }, caller.id),
    }),
  ];
}
