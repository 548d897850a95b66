// Generates what the studio shows of things that the server describes once, such as model providers.
import { fileURLToPath } from 'node:url';
import { MODEL_PROVIDERS } from '../server/lib/model-providers/index.ts';

export const DESCRIPTIONS_FILE = fileURLToPath(new URL('../shared/api/descriptions.generated.ts', import.meta.url));

/** The source of the generated file; the same descriptions give the same text. */
export function studioDescriptions(): string {
  const names = Object.fromEntries(MODEL_PROVIDERS.map(({ id, name }) => [id, name]));
  return [
    '// Generated from the descriptions of the server by `npm run api:client`. Do not edit.',
    '',
    '/** The display names of the built-in model providers. */',
    `export const MODEL_PROVIDER_NAMES: Readonly<Record<string, string>> = ${JSON.stringify(names, undefined, 2)};`,
    '',
  ].join('\n');
}
