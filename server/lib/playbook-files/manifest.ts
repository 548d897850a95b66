// `playbook.yaml`: the id, name and description of the playbook in a folder.
import type { JsonObject } from '../../../shared/json.ts';
import { LIMITS } from '../../../shared/limits.ts';
import { nearestName } from '../../../shared/nearest-name.ts';
import { isName, NAME_RULE } from '../../../shared/names.ts';
import { storedLength } from '../../../shared/playbook-texts.ts';
import { readSource } from '../yaml/index.ts';

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

/** Read as definitions are: within bounds, and no key twice. */
function parseManifest(file: string, text: string): JsonObject {
  const reading = readSource({ source: text, otherwise: `${file} must be an object with \`playbook\` and \`name\`.` });
  if (reading.ok) return reading.value;
  const [{ detail, line, column } = { detail: '', line: 1, column: 1 }] = reading.issues;
  if (detail.startsWith(file)) throw wrong(detail);
  throw wrong(`${file} cannot be read, at line ${line}, column ${column}: ${detail}`);
}

function textOf(file: string, manifest: JsonObject, key: string, otherwise?: string): string {
  const value = manifest[key] ?? otherwise;
  if (typeof value === 'string') return value;
  throw wrong(`${file} needs \`${key}\`, a string.`);
}

function bounded(file: string, key: string, text: string, least: number, most: number): string {
  const characters = storedLength(text);
  if (characters >= least && characters <= most) return text.trim();
  throw wrong(`${file}: \`${key}\` has ${characters} characters; it must have ${least} to ${most}.`);
}

function wrong(sentence: string): WrongManifest {
  return new WrongManifest(sentence);
}
