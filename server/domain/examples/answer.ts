// The answer of test_definition: what became of each example, within TESTED_BOUNDS.
import type { JsonObject } from '../../../shared/json.ts';
import { LIMITS, TESTED_BOUNDS } from '../../../shared/limits.ts';
import type { JsonDifference } from '../../../shared/json-differences.ts';
import type { TestedDefinition } from '../../../shared/schemas/index.ts';
import { jsonBytes } from '../../lib/canonical-json.ts';
import { cutText } from '../../lib/cut-text.ts';
import type { ExampleOutcome } from './try-example.ts';

type TestedExample = TestedDefinition['examples'][number];

export type NamedOutcome = ExampleOutcome & { name: string };

/**
 * Counts the outcomes and shows them. Those that failed are shown in full first.
 * @param more how many examples there are beyond the outcomes
 */
export function answerOf(outcomes: readonly NamedOutcome[], more: number): Omit<TestedDefinition, 'valid' | 'issues'> {
  const count = (status: ExampleOutcome['status']): number =>
    outcomes.filter((outcome) => outcome.status === status).length;
  const shown: TestedExample[] = outcomes.map(({ name, status }) => ({
    name: cutText(name, TESTED_BOUNDS.nameCharacters),
    status,
  }));
  let room = TESTED_BOUNDS.bytes - jsonBytes(shown);
  let isShortened = false;
  const failedFirst = [...outcomes.entries()].toSorted(
    ([, one], [, other]) => Number(one.status === 'passed') - Number(other.status === 'passed'),
  );
  for (const [index, outcome] of failedFirst) {
    for (const part of partsOf(outcome)) {
      const bytes = jsonBytes(part);
      if (bytes > room) {
        isShortened = true;
        continue;
      }
      Object.assign(shown[index] ?? {}, part);
      room -= bytes;
    }
  }
  return {
    passed: count('passed'),
    failed: count('failed'),
    not_run: count('not_run') + more,
    examples: shown,
    ...(isShortened ? { shortened: true } : {}),
  };
}

/**
 * What an entry says besides name and status, the most important first. What differs stands in `differences`; the output
 * follows only if these do not show all of it.
 */
function partsOf(outcome: NamedOutcome): JsonObject[] {
  const parts: JsonObject[] = [];
  if (outcome.status !== 'passed' && outcome.detail !== '')
    parts.push({ detail: cutText(outcome.detail, TESTED_BOUNDS.detailCharacters) });
  if (outcome.status === 'not_run') return parts;
  if (outcome.status === 'failed' && outcome.differences !== undefined) {
    const { differences, isWhole } = shownDifferences(outcome.differences);
    parts.push({ differences });
    if (isWhole) return parts;
  }
  if (outcome.output === undefined) return parts;
  const bytes = jsonBytes(outcome.output);
  parts.push(bytes <= LIMITS.shownValueBytes ? { output: outcome.output } : { output_bytes: bytes });
  return parts;
}

function shownDifferences(found: readonly JsonDifference[]): { differences: JsonObject[]; isWhole: boolean } {
  let isWhole = found.length < TESTED_BOUNDS.differences;
  const cut = (text: string): string => {
    const shown = cutText(text, TESTED_BOUNDS.valueCharacters);
    isWhole &&= shown === text;
    return shown;
  };
  const differences = found.map(({ pointer, ...sides }) => {
    const texts = Object.entries(sides).map(([side, value]) => [side, JSON.stringify(value)] as const);
    const start = startOf(texts.map(([, text]) => text));
    const shown = texts.map(([side, text]) => [side, cut(start === 0 ? text : `…${text.slice(start)}`)] as const);
    if (start > 0) isWhole = false;
    return { pointer: cut(pointer), ...Object.fromEntries(shown) };
  });
  return { differences, isWhole };
}

/** Characters before the first difference that are shown. */
const BEFORE = 40;

/** Where long texts begin to be shown, so that what differs is not cut off. */
function startOf([one = '', other]: readonly string[]): number {
  if (other === undefined || Math.max(one.length, other.length) <= TESTED_BOUNDS.valueCharacters) return 0;
  let same = 0;
  while (same < one.length && one[same] === other[same]) same += 1;
  if (same < TESTED_BOUNDS.valueCharacters / 2) return 0;
  const start = same - BEFORE;
  return /^[\udc00-\udfff]/.test(one.slice(start)) ? start - 1 : start;
}
