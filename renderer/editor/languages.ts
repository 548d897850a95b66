import { monaco } from './monaco.ts';
import type { DefinitionType } from '../../shared/definition-types.ts';

/** The editor's language of each type's documents. */
export const LANGUAGES: Readonly<Record<DefinitionType, 'markdown' | 'typescript' | 'yaml'>> = {
  reasoning: 'markdown',
  interaction: 'yaml',
  prediction: 'yaml',
  recall: 'typescript',
  computation: 'typescript',
  workflow: 'yaml',
};

const SUFFIXES = { markdown: 'md', typescript: 'ts', yaml: 'yaml' } as const;

let models = 0;

/** A place of its own for a document that is shown; by its end, completion knows the type. */
export function modelUri(type: DefinitionType): monaco.Uri {
  models += 1;
  return monaco.Uri.parse(`file:///${models}/document.${type}.${SUFFIXES[LANGUAGES[type]]}`);
}
