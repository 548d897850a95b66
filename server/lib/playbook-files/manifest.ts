// `playbook.yaml`: the id, name and description of the playbook in a folder.
import { parseDocument } from 'yaml';
import { isJsonObject, type Json } from '../../../shared/json.ts';
import { LIMITS } from '../../../shared/limits.ts';
import { nearestName } from '../../../shared/nearest-name.ts';
import { isName, NAME_RULE } from '../../../shared/names.ts';

export const MANIFEST = 'playbook.yaml';

export interface Manifest {
  playbook: string;
  name: string;
  description: string;
}

const KEYS = ['playbook', 'name', 'description'];
/** Enough for the longest name and description in any script, with comments. */
export const MANIFEST_BYTES = 32 * 1024;

/** Why the text is not a manifest, with its file. */
export class WrongManifest extends Error {}

/** @param file how messages name it @throws WrongManifest */
export function readManifest(file: string, text: string): Manifest {
  const manifest = parseManifest(file, text);
  for (const key of Object.keys(manifest)) {
    if (KEYS.includes(key)) continue;
    const near = nearestName(key, KEYS);
    const meant = near === undefined ? '.' : `; did you mean \`${near}\`?`;
    throw wrong(`${file} has an unknown key \`${key}\`${meant} The keys are ${KEYS.join(', ')}.`);
  }
  const playbook = textOf(file, manifest, 'playbook');
  if (!isName(playbook))
    throw wrong(`${file}: \`playbook\` is ${JSON.stringify(playbook)}; a playbook id must be ${NAME_RULE}.`);
  return {
    playbook,
    name: bounded(file, 'name', textOf(file, manifest, 'name'), 1, LIMITS.playbookNameCharacters),
    description: bounded(
      file,
      'description',
      textOf(file, manifest, 'description', ''),
      0,
      LIMITS.playbookDescriptionCharacters,
    ),
  };
}

function parseManifest(file: string, text: string): Record<string, Json> {
  let manifest: Json;
  try {
    const document = parseDocument(text, { logLevel: 'silent' });
    const [error] = document.errors;
    if (error !== undefined) throw error;
    manifest = document.toJS({ maxAliasCount: 10 }) as Json;
  } catch (error) {
    const [first = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
    throw wrong(`${file} is not YAML: ${first.replace(/:$/, '.')}`);
  }
  if (isJsonObject(manifest)) return manifest;
  throw wrong(`${file} must be an object with \`playbook\` and \`name\`.`);
}

function textOf(file: string, manifest: Record<string, Json>, key: string, otherwise?: string): string {
  const value = manifest[key] ?? otherwise;
  if (typeof value === 'string') return value;
  throw wrong(`${file} needs \`${key}\`, a string.`);
}

function bounded(file: string, key: string, text: string, least: number, most: number): string {
  const trimmed = text.trim();
  const characters = Array.from(trimmed).length;
  if (characters >= least && characters <= most) return trimmed;
  throw wrong(`${file}: \`${key}\` has ${characters} characters; it must have ${least} to ${most}.`);
}

function wrong(sentence: string): WrongManifest {
  return new WrongManifest(sentence);
}
