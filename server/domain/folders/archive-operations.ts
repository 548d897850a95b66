import Type from 'typebox';
import { list, object, text } from '../../../shared/schemas/fields.ts';
import { ARCHIVE_BYTES } from '../../../shared/limits.ts';
import { isName, NAME_RULE } from '../../../shared/names.ts';
import { invalidInput } from '../../lib/rejection.ts';
import { type Call, defineText, defineUpload, type Operation } from '../../operations/index.ts';
import type { Playbooks } from '../playbooks/index.ts';
import type { Archives } from './archives.ts';
import { FolderChangesSchema, PATH } from './schemas.ts';

const ZIP = 'application/zip';
const UPLOAD = {
  mediaType: ZIP,
  bytes: ARCHIVE_BYTES,
  description: 'A zip archive of the files of a playbook, at the root or in one folder.',
};
const ImportChangesSchema = object({
  ...FolderChangesSchema.properties,
  plan: text('Identifies these changes, the versions they start from, and the archive.'),
  archived: text('The id in the archive; it may be that of another playbook.'),
  ignored: list('The files of the archive that are not part of a playbook.', Type.String()),
});

export interface ArchiveOperationsOptions {
  playbooks: Playbooks;
  /** Refuses a caller who may not create the playbook, if it does not exist. */
  refuseCreating: (call: Pick<Call, 'caller' | 'org'>, playbook: string) => Promise<void>;
}

export function archiveOperations(
  archives: Archives,
  { playbooks, refuseCreating }: ArchiveOperationsOptions,
): Operation[] {
  const tag = 'Playbooks';
  const precheck = async (call: Call, { playbook }: { playbook: string }): Promise<void> => {
    if (!isName(playbook)) {
      throw invalidInput([{ pointer: '/playbook', detail: `\`playbook\` in the path must be ${NAME_RULE}.` }]);
    }
    await refuseCreating(call, playbook);
    await playbooks.refuseRetired({ org: call.org, playbook });
  };
  return [
    defineText({
      name: 'export_playbook_archive',
      tag,
      title: 'Export a playbook as a zip archive',
      description:
        'Returns a zip archive of `playbook.yaml` and one file per active definition. Retired playbooks can be exported too. The same playbook always gives the same bytes.',
      permissions: ['playbook:read'],
      method: 'GET',
      route: '/playbooks/{playbook}/archive',
      path: PATH,
      mediaType: ZIP,
      problems: ['not_found'],
      hints: { readOnly: true, destructive: false, idempotent: true },
      addition: true,
      handle: ({ org }, { playbook }) => archives.export({ org, playbook }),
    }),
    defineUpload({
      name: 'plan_import',
      tag,
      title: 'Plan the import of a zip archive',
      description:
        'Lists what importing the archive would create and change, and checks every document that would be saved; saves nothing. An archive that is damaged, has unsafe names, links or encrypted files, is too large when it is decompressed, or has no `playbook.yaml` is `invalid_input`, as is a document that cannot be saved: `errors` then names its file.',
      permissions: ['playbook:write'],
      method: 'POST',
      route: '/playbooks/{playbook}/imports',
      path: PATH,
      upload: UPLOAD,
      output: ImportChangesSchema,
      problems: ['conflict', 'unavailable'],
      hints: { readOnly: true, destructive: false, idempotent: true },
      addition: true,
      precheck,
      async handle({ org, caller }, { playbook }, body) {
        return { isNew: false, answer: await archives.plan({ org, playbook }, body, caller.id) };
      },
    }),
    defineUpload({
      name: 'import_playbook',
      tag,
      title: 'Import a zip archive',
      description:
        'Makes exactly the changes that `plan_import` listed for this archive, all in one transaction; a playbook that does not exist is created. Definitions that the archive lacks are kept. If the archive is another one or the playbook has changed since, `conflict`, and nothing is saved.',
      permissions: ['playbook:write'],
      method: 'POST',
      route: '/playbooks/{playbook}/imports/{plan}',
      path: Type.Object({
        ...PATH.properties,
        plan: text('The `plan` that `plan_import` returned.', { pattern: '^[0-9a-f]{64}$' }),
      }),
      upload: UPLOAD,
      output: ImportChangesSchema,
      problems: ['conflict', 'unavailable'],
      hints: { readOnly: false, destructive: false, idempotent: true },
      addition: true,
      precheck,
      async handle({ org, caller }, { playbook, plan }, body) {
        await refuseCreating({ caller, org }, playbook);
        const answer = await archives.import({ org, playbook }, plan, body, caller.id);
        return { isNew: answer.playbook === 'create', answer };
      },
    }),
  ];
}
