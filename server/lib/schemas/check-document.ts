// What a schema of an author's may be: JSON Schema 2020-12 that can be checked in bounded time and without
// reaching anything outside itself.
//
// 1. No JSON value makes this throw, however deep or large it is; each step is given only what the one before let pass.
// 2. A schema without an issue compiles.
import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Issue } from '../../../shared/issues.ts';
import { isJsonObject, type JsonObject } from '../../../shared/json.ts';
import { nearestName } from '../../../shared/nearest-name.ts';
import { IssueList } from '../bounded-issues.ts';
import { cutText } from '../cut-text.ts';
import { boundedPointer, escapeToken } from '../json-pointer.ts';
import { tryCompile } from './compile.ts';
import { shownJson, shownName } from './wording.ts';
import { useJsonEquality } from './equality-keywords.ts';
import { ASSERTED_FORMATS } from '../../../shared/formats.ts';
import { isAssertedFormat } from './formats.ts';
import { issuesOf } from './issues-of.ts';
import { isWithin } from '../json-bounds.ts';
import { KNOWN_KEYWORDS } from './keywords.ts';
import { type SchemaLocation, schemaLocations } from './subschemas.ts';
import { referenceIssues } from './references.ts';
import { patternWeight } from './regular-expressions.ts';

export interface SchemaCheck {
  /** What is refused, at most 50 and how many more. Empty: the schema can be compiled. */
  issues: Issue[];
  /** What is taken as an annotation and may have been meant as a rule, at most 50 and how many more. */
  warnings: Issue[];
}

const DIALECT = 'https://json-schema.org/draft/2020-12/schema';
const MOST_SUBSCHEMAS = 1000;
const MOST_DEPTH = 100;
/** Of the whole JSON, the values of `enum` and `examples` included. */
const MOST_NODES = 50_000;
const MOST_JSON_DEPTH = 300;
/** Of all patterns together: the steps that a character of the text takes. */
const MOST_PATTERN_STEPS = 20_000;
const MOST_PATTERNS = 300;
const REFUSED_KEYWORDS: ReadonlySet<string> = new Set(['$anchor', '$dynamicAnchor', '$dynamicRef', '$vocabulary']);

/**
 * Looks at a schema here and now: at most some 100 ms where `isLight` says so, else for seconds.
 * @param pointer where the schema stands, as a JSON Pointer
 */
export function checkSchemaDocument(schema: unknown, pointer: string): SchemaCheck {
  const { issues, warnings } = checkFromRoot(schema);
  const placed = (found: readonly Issue[]): Issue[] =>
    found.map(({ pointer: below, detail }) => ({ pointer: boundedPointer(pointer + below), detail }));
  return { issues: placed(issues), warnings: placed(warnings) };
}

interface DocumentFindings {
  issues: IssueList;
  warnings: IssueList;
  /** What patterns may still take. */
  patterns: { remaining: number; stepsLeft: number };
}

/** Whether a value is refused as a schema by its size or its type alone, and so at once. */
export function isNoSchema(schema: unknown): boolean {
  return !isJsonObject(schema) || !isWithin(schema, MOST_NODES, MOST_JSON_DEPTH);
}

/** The schemas in a schema, where they are not too many. */
export function boundedSchemaLocations(schema: JsonObject): Map<string, SchemaLocation> | undefined {
  return schemaLocations(schema, MOST_SUBSCHEMAS, MOST_DEPTH);
}

function checkFromRoot(schema: unknown): SchemaCheck {
  const refused = (detail: string): SchemaCheck => ({ issues: [{ pointer: '', detail }], warnings: [] });
  if (!isJsonObject(schema)) return refused('A schema must be an object, for example { "type": "object" }.');
  if (isNoSchema(schema)) {
    return refused(
      `A schema may contain at most ${MOST_NODES} values, ${MOST_JSON_DEPTH} levels deep; make it smaller.`,
    );
  }
  const locations = boundedSchemaLocations(schema);
  if (locations === undefined) {
    return refused(
      `A schema may contain at most ${MOST_SUBSCHEMAS} schemas, ${MOST_DEPTH} levels deep; make it smaller.`,
    );
  }
  const found: DocumentFindings = {
    issues: new IssueList(),
    warnings: new IssueList(),
    patterns: { remaining: MOST_PATTERNS, stepsLeft: MOST_PATTERN_STEPS },
  };
  for (const location of locations.values()) {
    if (typeof location.schema !== 'boolean') checkKeywords(location.schema, location.pointer, found);
  }
  for (const issue of referenceIssues(locations)) found.issues.add(() => issue);
  const warnings = found.warnings.listed();
  if (!found.issues.isEmpty) return { issues: found.issues.listed(), warnings };
  const issues = metaIssues(schema);
  return { issues: issues.length > 0 ? issues : compileIssues(schema), warnings };
}

function checkKeywords(schema: JsonObject, pointer: string, found: DocumentFindings): void {
  const isRoot = pointer === '';
  for (const [keyword, value] of Object.entries(schema)) {
    const at = `${pointer}/${escapeToken(keyword)}`;
    const refuse = (detail: string): void => found.issues.add(() => ({ pointer: at, detail }));
    if (keyword === '$schema' && (value !== DIALECT || !isRoot)) {
      refuse(`\`$schema\` may only be ${DIALECT}, at the root; leave it out.`);
    } else if (REFUSED_KEYWORDS.has(keyword) || (keyword === '$id' && !isRoot)) {
      refuse(`\`${keyword}\` is not supported here; put the schema under \`$defs\` and refer to it as #/$defs/NAME.`);
    } else if (keyword === 'pattern' && typeof value === 'string') {
      checkPattern(value, at, found);
    } else if (keyword === 'patternProperties' && isJsonObject(value)) {
      for (const name of Object.keys(value)) checkPattern(name, `${at}/${escapeToken(name)}`, found);
    } else if (keyword === 'format' && typeof value === 'string' && !isAssertedFormat(value)) {
      const checked = [...ASSERTED_FORMATS.keys()].join(', ');
      const detail = (): string => `The format ${shownJson(value)} is not checked; the checked formats are ${checked}.`;
      found.warnings.add(() => ({ pointer: at, detail: detail() }));
    } else if (!KNOWN_KEYWORDS.has(keyword)) {
      found.warnings.add(() => ({ pointer: at, detail: unknownWords(keyword) }));
    }
  }
}

function unknownWords(keyword: string): string {
  const near = nearestName(keyword, [...KNOWN_KEYWORDS]);
  const hint = near === undefined ? '' : ` (did you mean \`${near}\`?)`;
  return `${shownName(keyword)} is not a keyword of JSON Schema 2020-12 and has no effect${hint}.`;
}

function checkPattern(pattern: string, pointer: string, { issues, patterns }: DocumentFindings): void {
  // Once there are too many, reading more of them would only take time.
  if (patterns.remaining < 0 || patterns.stepsLeft < 0) return;
  patterns.remaining -= 1;
  try {
    patterns.stepsLeft -= patternWeight(pattern);
  } catch (error) {
    const reason = (error instanceof Error ? error.message : String(error)).replace(/^error parsing regexp: /, '');
    const detail = `The pattern is not valid (${cutText(reason, 200)}); patterns use RE2, which has no look-around and no back-references.`;
    issues.add(() => ({ pointer, detail }));
    return;
  }
  if (patterns.remaining < 0 || patterns.stepsLeft < 0) {
    const detail = `The patterns up to and including this one are too expensive; write at most ${MOST_PATTERNS}, repeat less, or count with \`maxLength\`.`;
    issues.add(() => ({ pointer, detail }));
  }
}

let validateMeta: ReturnType<Ajv2020['getSchema']>;

function metaIssues(schema: JsonObject): Issue[] {
  if (validateMeta === undefined) {
    const ajv = new Ajv2020({ strict: false, allErrors: true, verbose: true, logger: false, ownProperties: true });
    useJsonEquality(ajv);
    validateMeta = ajv.getSchema(DIALECT);
  }
  if (validateMeta === undefined || validateMeta(schema) === true) return [];
  const errors = validateMeta.errors ?? [];
  validateMeta.errors = null;
  return issuesOf(errors, schema, { pointer: '', root: 'The schema', missingAt: 'holder', schema: {} });
}

/** What only compiling finds. */
function compileIssues(schema: JsonObject): Issue[] {
  try {
    tryCompile(schema);
    return [];
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return [{ pointer: '', detail: `The schema cannot be compiled (${cutText(reason, 200)}).` }];
  }
}
