// What importing a zip archive changes: asked of the service, which saves nothing yet.
import type { Uploaded } from '../../../shared/api/index.ts';
import { ARCHIVE_BYTES } from '../../../shared/limits.ts';
import { isName } from '../../../shared/names.ts';
import { upload } from '../../api/upload.ts';
import { fileSize } from '../../ui/quantities.ts';
import { playbookIdOf } from './playbook-id.ts';

export type ImportChanges = Uploaded<'plan_import'>;

/** An archive that was chosen. */
export interface ChosenArchive {
  /** The name of the file. */
  name: string;
  /** Of the file, in bytes. */
  size: number;
  /** Read once: what is imported is what was planned, whatever happens to the file. */
  content: Promise<Blob>;
}

export interface ImportPlan {
  /** The playbook that is changed or created. */
  playbook: string;
  changes: ImportChanges;
}

/** Called with the share of the archive that was sent, from 0 to 1. */
export type OnProgress = (share: number) => void;

/** For a file whose name gives no ID. The archive has one. */
const ANY_PLAYBOOK = 'imported-playbook';

export function chooseArchive(file: File): ChosenArchive {
  return { name: file.name, size: file.size, content: contentOf(file) };
}

async function contentOf(file: File): Promise<Blob> {
  if (file.size > ARCHIVE_BYTES) {
    throw new Error(`The file has ${fileSize(file.size)}; the maximum is ${fileSize(ARCHIVE_BYTES)}.`);
  }
  return new Blob([await file.arrayBuffer()]);
}

/** The ID that the name of an exported archive has; a browser may have added a number to the name. */
export function playbookOfFile(name: string): string {
  const id = playbookIdOf(name.replace(/\.zip$/i, '').replace(/ \(\d+\)$/, ''));
  return isName(id) ? id : ANY_PLAYBOOK;
}

/**
 * Plans the import of an archive.
 * @param playbook where to; undefined: the playbook that the archive names, which only the service can read. The archive is
 * then sent again if its file is named otherwise
 * @throws ProblemError, UnreachableError, Error for a file that is too large or cannot be read
 */
export async function planImport(
  { name, content }: ChosenArchive,
  playbook: string | undefined,
  onProgress: OnProgress,
): Promise<ImportPlan> {
  const archive = await content;
  const first = await planInto(playbook ?? playbookOfFile(name), archive, onProgress);
  const { archived } = first.changes;
  return playbook === undefined && archived !== first.playbook ? planInto(archived, archive, onProgress) : first;
}

async function planInto(playbook: string, archive: Blob, onProgress: OnProgress): Promise<ImportPlan> {
  return { playbook, changes: await upload('plan_import', { playbook }, archive, onProgress) };
}

/** Makes the changes of a plan, all or none. @throws as `planImport`; ProblemError `conflict` if the playbook changed */
export async function applyImport(
  { content }: ChosenArchive,
  { playbook, changes }: ImportPlan,
  onProgress: OnProgress,
): Promise<ImportChanges> {
  return upload('import_playbook', { playbook, plan: changes.plan }, await content, onProgress);
}
