// Definitions as files of a playbook's folder.
import type { Input } from '../../shared/api/index.ts';
import { formatOf, typeOfFile } from '../../shared/definition-types.ts';
import { sha256Of } from './upload.ts';

export type AppliedDefinition = Input<'apply_playbook'>['definitions'][number];

/** The definition in a file, by its name; undefined for any other file. */
export async function definitionOfFile(file: string, text: string): Promise<AppliedDefinition | undefined> {
  const type = typeOfFile(file);
  if (type === undefined) return undefined;
  const name = file.slice(0, -formatOf(type).fileSuffix.length);
  return { type, name, source: text, sha256: await sha256Of(new Blob([text])) };
}
