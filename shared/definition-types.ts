/** What clients and storage need to know about a definition type. Absent flags are false. */
interface DefinitionFacts {
  /** The icon in the studio; renderer/ui/type-icon.tsx draws it. */
  icon: 'brain' | 'calculator' | 'question' | 'telescope' | 'trend' | 'workflow';
  /** The language of its documents, which also determines their media type and file suffix. */
  language: 'markdown' | 'typescript' | 'yaml';
  /** A run may affect systems outside the playbook: MCP marks its tool as open-world and destructive. */
  reachesOutside?: true;
  /** A run may send a request to a party, who sees it in the inbox. */
  mayAsk?: true;
  /** A run may wait longer than the request that started it, and can be cancelled. */
  mayWait?: true;
  /** A document consists of steps: it has a graph, and its runs a timeline of steps. */
  hasSteps?: true;
  /** A run may call other definitions of its playbook. They are saved first. */
  callsDefinitions?: true;
  /** A document names types of events that its runs emit or receive, or that its view reads. */
  usesEvents?: true;
  /** It keeps a view of events, whose standing get_definition returns. */
  keepsView?: true;
  /** A document names the model that its runs ask. */
  namesModel?: true;
  /** The model of a run writes text that can be followed while the run is in progress. */
  streamsText?: true;
  /**
   * A run may succeed with an output outside the output schema: a listed outcome of a tool call, or the report of a build.
   */
  hasOtherOutputs?: true;
  /** A run may build a model: a trainer uploads candidates, and the best one may become a version that answers runs. */
  buildsModels?: true;
}

const FACTS = {
  reasoning: { icon: 'brain', language: 'markdown', reachesOutside: true, namesModel: true, streamsText: true },
  interaction: {
    icon: 'question',
    language: 'yaml',
    reachesOutside: true,
    mayAsk: true,
    mayWait: true,
    hasOtherOutputs: true,
  },
  prediction: {
    icon: 'trend',
    language: 'yaml',
    mayAsk: true,
    mayWait: true,
    hasOtherOutputs: true,
    buildsModels: true,
  },
  recall: { icon: 'telescope', language: 'typescript', usesEvents: true, keepsView: true },
  computation: { icon: 'calculator', language: 'typescript' },
  workflow: {
    icon: 'workflow',
    language: 'yaml',
    reachesOutside: true,
    mayWait: true,
    hasSteps: true,
    callsDefinitions: true,
    usesEvents: true,
  },
} as const satisfies Readonly<Record<string, DefinitionFacts>>;

export type DefinitionType = keyof typeof FACTS;

/** The types in the order in which they are listed. */
export const DEFINITION_TYPES = Object.keys(FACTS) as readonly string[] as readonly DefinitionType[];

export function isDefinitionType(text: string): text is DefinitionType {
  return Object.hasOwn(FACTS, text);
}

/**
 * The facts about each type. Code outside `server/kinds/` reads these, or the traits of the kind, and does not compare
 * names.
 */
export const DEFINITION_FACTS: Readonly<Record<DefinitionType, DefinitionFacts>> = FACTS;

const MEDIA_TYPES = { markdown: 'text/markdown', typescript: 'text/typescript', yaml: 'application/yaml' } as const;
const EXTENSIONS = { markdown: 'md', typescript: 'ts', yaml: 'yaml' } as const;

/** The format of a type's documents: their media type, and the suffix of their file names. */
export function formatOf(type: DefinitionType): { mediaType: string; fileSuffix: string } {
  const { language } = DEFINITION_FACTS[type];
  return { mediaType: MEDIA_TYPES[language], fileSuffix: `.${type}.${EXTENSIONS[language]}` };
}

/** The definition type of a file, by its name; undefined if the file is not a definition. */
export function typeOfFile(file: string): DefinitionType | undefined {
  return DEFINITION_TYPES.find((type) => file.endsWith(formatOf(type).fileSuffix));
}
