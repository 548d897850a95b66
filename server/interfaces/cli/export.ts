import { isArchiveName, writeArchiveFile } from './archive-file.ts';
import { type ClientOptions, withClient } from './attach.ts';
import { readExported } from './exported.ts';
import { progress, show } from './output.ts';
import { writeFolder } from './write-folder.ts';

/** Writes the definitions of a playbook to a folder, or to a zip archive if the name ends with `.zip`. */
export async function exportPlaybook(playbook: string, folder: string, options: ClientOptions): Promise<void> {
  const exported = await withClient(options, { whenAbsent: 'refuse' }, async (client) => {
    const answer = await client.call('export_playbook', { org: options.org, playbook });
    return readExported(answer, playbook, client.address);
  });
  if (isArchiveName(folder)) {
    await writeArchiveFile(folder, exported);
    show(options, { archive: folder }, () => folder);
    return;
  }
  const { files, leftOver } = writeFolder(folder, exported);
  show(options, { folder, files, left_over: leftOver }, () => files.map((file) => `${folder}/${file}`).join('\n'));
  for (const file of leftOver) {
    progress(`${folder}/${file} is not an active definition of ${playbook}. Delete it, or the next apply creates it.`);
  }
}
