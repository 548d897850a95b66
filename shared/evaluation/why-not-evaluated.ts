import { DEFINITION_FACTS, type DefinitionType } from '../definition-types.ts';
import { isJsonObject } from '../json.ts';

/** Whether the document of a version says if its cases may be run. */
export function dependsOnDocument(type: DefinitionType): boolean {
  const { mayAsk, language } = DEFINITION_FACTS[type];
  return mayAsk === true && language === 'yaml';
}

/**
 * Why no case of a version is run: an evaluation sends people no questions and notices.
 * @param document the parsed source of the version
 * @returns a sentence; undefined if cases are run
 */
export function whyNotEvaluated(type: DefinitionType, name: string, document: unknown): string | undefined {
  if (!dependsOnDocument(type) || !isJsonObject(document)) return undefined;
  const verb = ['ask', 'tell'].find((member) => Object.hasOwn(document, member));
  return verb && `Not run: ${type}/${name} has \`${verb}\`, and an evaluation sends nothing to people.`;
}
