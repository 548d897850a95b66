// The one way a definition's YAML is read, when it is checked and when it is executed.
import { type Document, LineCounter, parseDocument } from 'yaml';

/** YAML 1.2 core: no tags of one's own, no merge keys, keys are texts. */
const OPTIONS = {
  version: '1.2',
  schema: 'core',
  strict: true,
  // Checked by itself, see duplicate-keys.ts.
  uniqueKeys: false,
  stringKeys: true,
  resolveKnownTags: false,
  merge: false,
  prettyErrors: false,
} as const;

/** Values that aliases may stand for, all in all. */
const MOST_ALIASES = 100;

export interface ParsedSource {
  yaml: Document.Parsed;
  lines: LineCounter;
}

export function parseSource(source: string): ParsedSource {
  const lines = new LineCounter();
  return { yaml: parseDocument(source, { ...OPTIONS, lineCounter: lines }), lines };
}

/** The document as plain data. @throws ReferenceError for an alias without an anchor, or too many aliases */
export function valueOf({ yaml }: ParsedSource): unknown {
  return yaml.toJS({ maxAliasCount: MOST_ALIASES });
}
