// Writes a playbook as files; other files in the folder are not changed.
import { DEFINITION_FACTS, type DefinitionType } from '../../../shared/definition-types.ts';
import { ambientDeclarations } from '../../lib/sandbox/index.ts';
import type { ExportedPlaybook } from '../../domain/folders/index.ts';
import { misused } from './failure.ts';
import { filesOf } from '../../lib/playbook-files/index.ts';
import { definitionFilesOf, readManifestOf } from './folder-files.ts';
import { makeFolder } from './paths.ts';
import { writeTextFile } from './text-file.ts';

const DECLARATIONS = 'cuebook.d.ts';

export interface WrittenFolder {
  files: string[];
  /** Definition files in the folder that are not active definitions of the playbook. */
  leftOver: string[];
}

/** @throws CommandFailure, before anything is written, if the folder holds another playbook */
export function writeFolder(folder: string, exported: ExportedPlaybook): WrittenFolder {
  const { definitions, ...manifest } = exported;
  makeFolder(folder, 'The folder to export into');
  refuseOther(folder, manifest.playbook);
  const files = filesOf(manifest, definitions);
  for (const [name, text] of files) writeTextFile(folder, name, text);
  writeDeclarations(folder, definitions);
  const written = files.map(([name]) => name);
  return { files: written, leftOver: definitionFilesOf(folder).filter((file) => !written.includes(file)) };
}

/** Writes `cuebook.d.ts` beside TypeScript definitions, so that an editor knows the ambient names. */
export function writeDeclarations(folder: string, definitions: readonly { type: DefinitionType }[]): void {
  if (!definitions.some(({ type }) => DEFINITION_FACTS[type].language === 'typescript')) return;
  writeTextFile(folder, DECLARATIONS, ambientDeclarations());
}

function refuseOther(folder: string, playbook: string): void {
  const there = readManifestOf(folder);
  if (there === undefined || there.playbook === playbook) return;
  throw misused(`${folder} contains the playbook ${there.playbook}; export ${playbook} to another folder.`);
}
