// The text of the configuration file as plain data, read strictly: YAML 1.2, no key twice, keys are texts, no tags.
// What is wrong is said without the file's text, and without the parser's words, which quote it: it may hold secrets.
import { LineCounter, parseDocument, type YAMLError } from 'yaml';
import { isJsonObject, type JsonObject } from '../../shared/json.ts';

export type ParsedConfig = { ok: true; value: JsonObject } | { ok: false; says: string };

/** Values that aliases may stand for, all in all. */
const MOST_ALIASES = 100;

const OPTIONS = {
  version: '1.2',
  schema: 'core',
  strict: true,
  uniqueKeys: true,
  stringKeys: true,
  resolveKnownTags: false,
  merge: false,
  prettyErrors: false,
  // Not `silent`: that would keep a second document from being an error.
  logLevel: 'error',
} as const;

/** A text without any value is an empty object. `says` completes a sentence that begins with the file's name. */
export function parseConfig(text: string): ParsedConfig {
  try {
    return parse(text);
  } catch {
    // The parser recurses, and aliases are bounded: only a text made to exhaust it comes here.
    return {
      ok: false,
      says: 'cannot be read: it nests too deeply, or has an alias without an anchor or too many aliases',
    };
  }
}

function parse(text: string): ParsedConfig {
  const lineCounter = new LineCounter();
  const document = parseDocument(text, { ...OPTIONS, lineCounter });
  const [error] = [...document.errors, ...document.warnings].toSorted((a, b) => a.pos[0] - b.pos[0]);
  if (error !== undefined) {
    const { line, col } = lineCounter.linePos(error.pos[0]);
    return { ok: false, says: `at line ${Math.max(line, 1)}, column ${Math.max(col, 1)} ${wordsFor(error.code)}` };
  }
  const { explicit, version } = document.directives.yaml;
  if (explicit === true && version !== '1.2') {
    return { ok: false, says: 'asks for another YAML than 1.2; leave the line %YAML out' };
  }
  const value: unknown = document.toJS({ maxAliasCount: MOST_ALIASES }) ?? {};
  return isJsonObject(value)
    ? { ok: true, value }
    : { ok: false, says: 'is not an object of settings (`name: value`)' };
}

function wordsFor(code: YAMLError['code']): string {
  switch (code) {
    case 'DUPLICATE_KEY':
      return 'has a key for the second time in one object; keep one of them';
    case 'NON_STRING_KEY':
      return 'has a key that is not a text; put it in quotes';
    case 'TAG_RESOLVE_FAILED':
      return 'has a tag (`!name`), and none is taken; write the value without it';
    case 'TAB_AS_INDENT':
      return 'is indented by a tab; write spaces';
    case 'MULTIPLE_DOCS':
      return 'contains a second document (`---`); only one is allowed';
    default:
      return 'is not YAML; see to the indentation, to open brackets and quotes, and put texts with special characters in quotes';
  }
}
