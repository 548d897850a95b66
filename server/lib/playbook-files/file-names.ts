// A playbook as files: `playbook.yaml` and one file per definition, named NAME.TYPE.SUFFIX.
import { stringify } from 'yaml';
import { type DefinitionType, formatOf } from '../../../shared/definition-types.ts';
import { type Manifest, MANIFEST } from './manifest.ts';

/** A definition as a file holds it. */
export interface DefinitionSource {
  type: DefinitionType;
  name: string;
  source: string;
}

/** The file that holds a definition. */
export function fileNameOf({ type, name }: { type: DefinitionType; name: string }): string {
  return `${name}${formatOf(type).fileSuffix}`;
}

/** The files of a playbook, the manifest first. */
export function filesOf(
  { playbook, name, description }: Manifest,
  definitions: readonly DefinitionSource[],
): [name: string, text: string][] {
  return [
    [MANIFEST, stringify({ playbook, name, description })],
    ...definitions.map((definition): [string, string] => [fileNameOf(definition), definition.source]),
  ];
}
