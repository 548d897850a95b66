export const DEFINITION_TYPES = [
  'reasoning',
  'interaction',
  'prediction',
  'recall',
  'computation',
  'workflow',
] as const;

export type DefinitionType = (typeof DEFINITION_TYPES)[number];

export function isDefinitionType(text: string): text is DefinitionType {
  return (DEFINITION_TYPES as readonly string[]).includes(text);
}

/** Each type's one format: the media type of its documents, and what follows the name of a file that holds one. */
export const DEFINITION_FORMATS: Readonly<Record<DefinitionType, { mediaType: string; fileSuffix: string }>> = {
  reasoning: { mediaType: 'text/markdown', fileSuffix: '.reasoning.md' },
  interaction: { mediaType: 'application/yaml', fileSuffix: '.interaction.yaml' },
  prediction: { mediaType: 'application/yaml', fileSuffix: '.prediction.yaml' },
  recall: { mediaType: 'text/typescript', fileSuffix: '.recall.ts' },
  computation: { mediaType: 'text/typescript', fileSuffix: '.computation.ts' },
  workflow: { mediaType: 'application/yaml', fileSuffix: '.workflow.yaml' },
};
