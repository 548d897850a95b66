import type { FolderChanges } from '../../domain/folders/index.ts';
import { type ClientOptions, withClient } from './attach.ts';
import type { Client } from './client.ts';
import { CommandFailure } from './failure.ts';
import { type PlaybookFolder, readFolder } from './folder-files.ts';
import { applyPlanned, planFolder, type FolderOptions } from './folder-service.ts';
import { changeLines, inFiles, warningLines } from './folder-words.ts';
import { progress, show } from './output.ts';
import { savesOf } from './saves.ts';
import { writeDeclarations } from './write-folder.ts';

export interface ApplyOptions extends ClientOptions, FolderOptions {
  watch?: boolean | undefined;
}

/** Updates the playbook to match the folder; with `watch`, again whenever a file is saved. */
export async function apply(folder: string, options: ApplyOptions): Promise<void> {
  const isLong = options.watch === true;
  // A folder that cannot be read needs no runtime.
  const read = readFolder(folder);
  await withClient(options, { whenAbsent: 'create', isLong }, async (client) => {
    await applyRead(client, folder, read, options);
    if (isLong) await applyOnSave(client, folder, read, options);
  });
}

/** @throws ServiceRefusal, also if the playbook changed between plan and apply */
export async function applyFolder(
  client: Client,
  read: PlaybookFolder,
  options: FolderOptions,
): Promise<FolderChanges> {
  return applyPlanned(client, read, options, await planFolder(client, read, options));
}

async function applyRead(client: Client, folder: string, read: PlaybookFolder, options: ApplyOptions): Promise<void> {
  read.notes.forEach(progress);
  const changes = await applyFolder(client, read, options).catch((error: unknown) => {
    throw inFiles(error, folder, read);
  });
  writeDeclarations(folder, read.definitions);
  warningLines(folder, changes).forEach(progress);
  show(options, changes, () => changeLines(read, changes, 'was').join('\n'));
}

async function applyOnSave(
  client: Client,
  folder: string,
  applied: PlaybookFolder,
  options: ApplyOptions,
): Promise<void> {
  progress(`Watching ${folder}. Press Ctrl-C to stop.`);
  let last = JSON.stringify(applied);
  for await (const _save of savesOf(folder)) {
    try {
      const now = readFolder(folder);
      if (JSON.stringify(now) === last) continue;
      last = JSON.stringify(now);
      await applyRead(client, folder, now, options);
    } catch (error) {
      if (!(error instanceof CommandFailure)) throw error;
      progress(error.message);
    }
  }
}
