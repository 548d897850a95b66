import { formatOf, type DefinitionType, DEFINITION_TYPES } from '../../../shared/definition-types.ts';

/** The type of definition that a file holds by its name; undefined when it holds none. */
export function typeOfFile(file: string): DefinitionType | undefined {
  return DEFINITION_TYPES.find((type) => file.endsWith(formatOf(type).fileSuffix));
}
