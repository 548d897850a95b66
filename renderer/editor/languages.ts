import { monaco } from './monaco.ts';
import { DEFINITION_FACTS, type DefinitionType, formatOf } from '../../shared/definition-types.ts';

/** The editor's language of a type's documents. */
export function languageOf(type: DefinitionType): 'markdown' | 'typescript' | 'yaml' {
  return DEFINITION_FACTS[type].language;
}

let models = 0;

/** A place of its own for a document that is shown; by its end, completion knows the type. */
export function modelUri(type: DefinitionType): monaco.Uri {
  models += 1;
  return monaco.Uri.parse(`file:///${models}/document${formatOf(type).fileSuffix}`);
}
