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
