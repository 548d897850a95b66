// From a text to a document as plain data, or to what keeps it from being one.
//
// 1. What comes out is JSON: no cycles, no numbers that JSON lacks, at most 200 levels and 20,000 values, aliases
//    written out. Whatever walks it may recurse.
// 2. No text makes this throw.
// 3. A text's tokens are counted before it is parsed: brackets that nest and errors by the thousand cost more to parse
//    than to count.
import { Lexer } from 'yaml';
import type { SourceIssue } from '../../../shared/issues.ts';
import { isJsonObject, type JsonObject } from '../../../shared/json.ts';
import { escapeToken } from '../json-pointer.ts';
import { duplicateKeyOffsets } from './duplicate-keys.ts';
import { type ParsedSource, parseSource, valueOf } from './parse.ts';
import { type PositionTable, positionsIn, positionTable, sourceIssue } from './positions.ts';
import { type ValueWarning, valueWarnings } from './value-warnings.ts';
import { TOO_DEEP, UNREADABLE, yamlSentence } from './yaml-sentences.ts';

export interface SourceJob {
  source: string;
  /** What is said of a text that is YAML and no object. */
  otherwise: string;
}

/** Plain data, so that a worker can send it. */
export type SourceReading =
  | { ok: true; value: JsonObject; positions: PositionTable; warnings: ValueWarning[] }
  | { ok: false; issues: SourceIssue[] };

const MOST_DEPTH = 200;
const MOST_VALUES = 20_000;
const MOST_ISSUES = 20;
const NESTS_TOO_DEEP = `The document is nested more than ${MOST_DEPTH} levels deep; flatten it.`;
const HOLDS_TOO_MUCH = `The document contains more than ${MOST_VALUES} values; make it smaller.`;

/** Reads a source here and now: up to some 300 ms for 65,536 bytes. */
export function readSource({ source, otherwise }: SourceJob): SourceReading {
  const excess = excessOf(source);
  if (excess !== undefined) return refused(excess);
  let parsed: ParsedSource;
  try {
    parsed = parseSource(source);
  } catch {
    // The parser recurses: only a text that nests thousands of levels exhausts its stack.
    return refused(TOO_DEEP);
  }
  const { yaml, lines } = parsed;
  const errors = [...yaml.errors, ...yaml.warnings].map((error) => ({
    offset: error.pos[0],
    detail: yamlSentence(error),
  }));
  if (errors.length === 0)
    errors.push(...duplicateKeyOffsets(yaml.contents).map((offset) => ({ offset, detail: TWICE })));
  if (errors.length > 0) return { ok: false, issues: errorIssues(errors, (offset) => lines.linePos(offset)) };
  if (yaml.directives?.yaml.explicit === true && yaml.directives.yaml.version !== '1.2') {
    return refused('The document is read as YAML 1.2; remove the `%YAML` line.');
  }
  let value: unknown;
  try {
    value = valueOf(parsed);
  } catch (error) {
    return refused(aliasSentence(error));
  }
  if (!isJsonObject(value)) return refused(otherwise);
  const misfit = firstViolation(value, '', 0, { remaining: MOST_VALUES });
  // What nests too deeply is not walked again.
  if (misfit?.isTooMuch === true) return refused(misfit.detail);
  const positions = positionTable(parsed);
  if (misfit !== undefined)
    return { ok: false, issues: [sourceIssue(positionsIn(positions), misfit.pointer, misfit.detail)] };
  return { ok: true, value, positions, warnings: valueWarnings(parsed) };
}

/** What a value or an object's member stands behind. */
const INDICATORS: ReadonlySet<string> = new Set([',', '-', ':', '?', '[', '{']);

/** Why a text is not parsed, where it nests too deeply or holds too much. */
function excessOf(source: string): string | undefined {
  let depth = 0;
  let values = 0;
  for (const token of new Lexer().lex(source)) {
    if (token === '[' || token === '{') depth += 1;
    else if (token === ']' || token === '}') depth -= 1;
    if (INDICATORS.has(token)) values += 1;
    if (depth > MOST_DEPTH) return NESTS_TOO_DEEP;
    if (values > MOST_VALUES) return HOLDS_TOO_MUCH;
  }
  return undefined;
}

function refused(detail: string): SourceReading {
  return { ok: false, issues: [{ pointer: '/source', line: 1, column: 1, detail }] };
}

const TWICE = 'This key appears twice in one object; keep one of them.';

/** One mistake often leads to several errors in a row: the first of each line is reported, and unreadable text once. */
function errorIssues(
  errors: readonly { offset: number; detail: string }[],
  linePos: (offset: number) => { line: number; col: number },
): SourceIssue[] {
  const byLine = new Map<number, SourceIssue>();
  for (const { offset, detail } of errors.toSorted((a, b) => a.offset - b.offset)) {
    const { line, col } = linePos(offset);
    if (byLine.has(line) || byLine.size === MOST_ISSUES) continue;
    const isUnreadable = detail.startsWith(UNREADABLE);
    if (isUnreadable && [...byLine.values()].some((issue) => issue.detail.startsWith(UNREADABLE))) continue;
    byLine.set(line, { pointer: '/source', line: Math.max(line, 1), column: Math.max(col, 1), detail });
  }
  return [...byLine.values()];
}

function aliasSentence(error: unknown): string {
  const message = error instanceof Error ? error.message : '';
  const name = /^Unresolved alias [^:]*: (.*)$/.exec(message)?.[1];
  if (name !== undefined)
    return `The alias \`*${name.slice(0, 60)}\` has no anchor \`&${name.slice(0, 60)}\` before it.`;
  return 'The aliases in the document expand to more than 100 values; write the values out.';
}

interface Violation {
  pointer: string;
  detail: string;
  /** The document as a whole is meant. */
  isTooMuch?: true;
}

function firstViolation(
  value: unknown,
  pointer: string,
  depth: number,
  budget: { remaining: number },
): Violation | undefined {
  budget.remaining -= 1;
  // An anchor that holds its own alias comes here too: it has no end.
  if (depth > MOST_DEPTH) return { pointer: '', detail: NESTS_TOO_DEEP, isTooMuch: true };
  if (budget.remaining < 0) return { pointer: '', detail: HOLDS_TOO_MUCH, isTooMuch: true };
  if (typeof value === 'number' && !Number.isFinite(value)) {
    return { pointer, detail: 'JSON cannot represent this number; write a finite number, or a string in quotes.' };
  }
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [name, child] of Object.entries(value)) {
    const misfit = firstViolation(child, `${pointer}/${escapeToken(name)}`, depth + 1, budget);
    if (misfit !== undefined) return misfit;
  }
  return undefined;
}
