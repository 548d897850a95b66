/** What clients and storage need to know of a type of definition. Flags that are absent are false. */
interface DefinitionFacts {
  /** The studio's icon, one of those that renderer/ui/type-icon.tsx draws. */
  icon: 'brain' | 'calculator' | 'question' | 'telescope' | 'trend' | 'workflow';
  /** The language of its documents, which also gives their media type and file suffix. */
  language: 'markdown' | 'typescript' | 'yaml';
  /** A run may act on something outside the playbook: MCP marks its tool as open-world and destructive. */
  reachesOutside?: true;
  /** A run may put a request to a party, which stands in the inbox. */
  mayAsk?: true;
  /** A run may wait for something beyond the request that started it, and can be cancelled from outside. */
  mayWait?: true;
  /** A document consists of steps: it has a graph, and its runs a timeline of steps. */
  hasSteps?: true;
  /** A run may call other definitions of its playbook. They are saved before it. */
  callsDefinitions?: true;
  /** The model of a run writes text that can be followed while the run is in progress. */
  streamsText?: true;
}

const FACTS = {
  reasoning: { icon: 'brain', language: 'markdown', reachesOutside: true, streamsText: true },
  interaction: { icon: 'question', language: 'yaml', reachesOutside: true, mayAsk: true, mayWait: true },
  prediction: { icon: 'trend', language: 'yaml', mayAsk: true, mayWait: true },
  recall: { icon: 'telescope', language: 'typescript' },
  computation: { icon: 'calculator', language: 'typescript' },
  workflow: {
    icon: 'workflow',
    language: 'yaml',
    reachesOutside: true,
    mayWait: true,
    hasSteps: true,
    callsDefinitions: true,
  },
} as const satisfies Readonly<Record<string, DefinitionFacts>>;

export type DefinitionType = keyof typeof FACTS;

/** In the order in which they are listed. */
export const DEFINITION_TYPES = Object.keys(FACTS) as readonly string[] as readonly DefinitionType[];

export function isDefinitionType(text: string): text is DefinitionType {
  return Object.hasOwn(FACTS, text);
}

/** One entry a type: everything outside `server/kinds/` asks this, or the traits of the kind, and compares no names. */
export const DEFINITION_FACTS: Readonly<Record<DefinitionType, DefinitionFacts>> = FACTS;

const MEDIA_TYPES = { markdown: 'text/markdown', typescript: 'text/typescript', yaml: 'application/yaml' } as const;
const EXTENSIONS = { markdown: 'md', typescript: 'ts', yaml: 'yaml' } as const;

/** The format of a type's documents: their media type, and what follows the name of a file that holds one. */
export function formatOf(type: DefinitionType): { mediaType: string; fileSuffix: string } {
  const { language } = DEFINITION_FACTS[type];
  return { mediaType: MEDIA_TYPES[language], fileSuffix: `.${type}.${EXTENSIONS[language]}` };
}

/** The type of definition that a file holds by its name; undefined when it holds none. */
export function typeOfFile(file: string): DefinitionType | undefined {
  return DEFINITION_TYPES.find((type) => file.endsWith(formatOf(type).fileSuffix));
}
