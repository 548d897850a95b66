// Values that tests give to servers as keys and prompts, and that no server may leave anywhere. Every answer that a test
// client gets, every line that a server logs and every folder that a test leaves behind is searched for them.
//
// What may be kept is told apart by how a test comes to its prompt: sources of definitions and inputs are stored, so
// that neither holds the prompt as it is. Only rendering the template makes it.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

// They stand in pieces here: a copy of this source holds neither.

/** For whatever is a key, a token or a header that shows who calls. */
export const CANARY_KEY = ['sk-canary', 'of-a-key', '4711'].join('-');

/** A part of what a model is asked, once `CANARY_TEMPLATE` is rendered. */
export const CANARY_PROMPT = ['canary-of-a', 'prompt', '8765'].join('-');

export const CANARY_TEMPLATE = 'canary-of-a-{{ "prompt" }}-8765';

const SOUGHT: readonly (readonly [string, Buffer])[] = [
  ['the key', Buffer.from(CANARY_KEY)],
  // Without its end, which depends on what follows.
  ['the key in base64', Buffer.from(Buffer.from(CANARY_KEY).toString('base64').slice(0, 30))],
  ['the prompt', Buffer.from(CANARY_PROMPT)],
];

/** @throws Error that says what was found and where, and not what it was found in */
export function refuseCanaries(found: string | Buffer, where: string): void {
  const bytes = typeof found === 'string' ? Buffer.from(found) : found;
  for (const [name, canary] of SOUGHT) {
    if (bytes.includes(canary)) throw new Error(`${name} that no server may leave anywhere is in ${where}.`);
  }
}

/** The paths of all files in a folder, however deep; none if the folder does not exist. */
export function filesIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
}

/** Looks through all files, however deep. A folder that is gone holds nothing. */
export function refuseCanariesIn(folder: string): void {
  for (const file of filesIn(folder)) refuseCanaries(readFileSync(file), `the file ${path.relative(folder, file)}`);
}
