import type { ExportedPlaybook } from '../folders/index.ts';
import { type AttachOptions, withClient } from './attach.ts';
import { pathOf } from './client.ts';
import { writeFolder } from './folder-files.ts';
import { show } from './output.ts';

/** Writes a playbook's definitions as files into a folder. */
export async function exportPlaybook(
  playbook: string,
  folder: string,
  options: AttachOptions & { org: string; json?: boolean | undefined },
): Promise<void> {
  const answer = await withClient(options, (client) =>
    client.get(pathOf`/orgs/${options.org}/playbooks/${playbook}/export`),
  );
  const files = writeFolder(folder, answer as unknown as ExportedPlaybook);
  show(options, { folder, files }, () => files.map((file) => `${folder}/${file}`).join('\n'));
}
