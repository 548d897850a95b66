// Patterns of authors are RE2: they take time in proportion to the text, so they know no look-around and no
// back-references.
import { RE2JS } from 're2js';

/** Reading a pattern as large as this takes some 100 ms. */
const MOST_REPEATED = 300_000;
/** What is longer is data; and the ranges of a class cost as much as they are many. */
const MOST_PATTERN_CHARACTERS = 2000;
/** Written out: so much is read in some 10 ms, unless it is COSTLY. */
const MOST_LIGHT = 10_000;
/** Classes of Unicode have hundreds of ranges, and a class without case is looked up character by character. */
const COSTLY = /\\[pP]|\(\?[a-zA-Z-]*i/;

function compile(pattern: string): RE2JS {
  return RE2JS.compile(RE2JS.translateRegExp(pattern));
}

/**
 * Steps that matching takes for a character of the text, at most.
 * @throws Error when RE2 does not take the pattern
 */
export function patternWeight(pattern: string): number {
  if (pattern.length > MOST_PATTERN_CHARACTERS) {
    throw new Error(`it has ${pattern.length} characters, and a pattern has at most ${MOST_PATTERN_CHARACTERS}`);
  }
  if (repeated(pattern) > MOST_REPEATED) throw new Error('it repeats too much');
  return compile(pattern).programSize();
}

/** Whether the patterns are read in some 10 ms together; it does not read them. */
export function areLight(patterns: readonly string[]): boolean {
  let remaining = MOST_LIGHT;
  for (const pattern of patterns) {
    remaining -= repeated(pattern);
    if (remaining < 0 || pattern.length > MOST_PATTERN_CHARACTERS || COSTLY.test(pattern)) return false;
  }
  return true;
}

/** No less than the characters of the pattern with its counted repeats written out, of which RE2 allows 1,000 inside each other. */
function repeated(pattern: string): number {
  let times = 1;
  for (const [, least, most] of pattern.matchAll(/\{(\d+)(?:,(\d*))?\}/g)) {
    times = Math.min(1000, times * Math.max(1, Number(least), Number(most ?? 0)));
  }
  return times * pattern.length;
}

interface Matcher {
  test(text: string): boolean;
  toString(): string;
}

/** What ajv makes patterns with instead of RegExp. `code` is for standalone validators, which are not made here. */
export type RegExpEngine = ((pattern: string) => Matcher) & { code: string };

// ajv distinguishes the patterns of a schema by `toString`.
function engine(test: (pattern: string) => (text: string) => boolean): RegExpEngine {
  const create = (pattern: string): Matcher => ({ test: test(pattern), toString: () => `re2 ${pattern}` });
  return Object.assign(create, { code: 're2' });
}

export const re2 = engine((pattern) => {
  const compiled = compile(pattern);
  return (text) => compiled.matcher(text).find();
});

/** For a schema that is compiled and never used. */
export const unusedPatterns = engine(() => () => false);
