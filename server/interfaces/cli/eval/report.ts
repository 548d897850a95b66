// What an evaluation found: a score for each version and model, and each case that did not pass.
import { durationWords } from '../../../../shared/duration-words.ts';
import { differenceWords } from '../../../../shared/json-differences.ts';
import { cutText } from '../../../lib/cut-text.ts';
import type { CaseResult, Variant } from './carry-out.ts';

export interface Score extends Variant {
  passed: number;
  failed: number;
  not_evaluated: number;
  /** Passed cases among all, from 0 to 1. */
  score: number;
  /** The median of the runs that have ended. */
  duration_ms?: number;
  tokens?: { input: number; output: number; cached: number };
  /** Of the runs with a known price. */
  cost?: number;
}

export interface Evaluation {
  evaluation: string;
  definition: string;
  cases: number;
  scores: Score[];
  results: CaseResult[];
}

const VALUE_CHARACTERS = 120;

export function scoreOf(variant: Variant, results: readonly CaseResult[]): Score {
  const count = (status: CaseResult['status']): number => results.filter((result) => result.status === status).length;
  const durations = results.flatMap(({ duration_ms: ms }) => ms ?? []).toSorted((a, b) => a - b);
  const median = durations[Math.ceil(durations.length / 2) - 1];
  const used = results.flatMap(({ tokens }) => tokens ?? []);
  const costs = results.flatMap(({ cost }) => cost ?? []);
  const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);
  const passed = count('passed');
  return {
    ...variant,
    passed,
    failed: count('failed'),
    not_evaluated: count('not_evaluated'),
    score: results.length === 0 ? 0 : passed / results.length,
    ...(median === undefined ? {} : { duration_ms: median }),
    ...(used.length === 0
      ? {}
      : {
          tokens: {
            input: sum(used.map(({ input }) => input)),
            output: sum(used.map(({ output }) => output)),
            cached: sum(used.map(({ cached }) => cached)),
          },
        }),
    ...(costs.length === 0 ? {} : { cost: sum(costs) }),
  };
}

export function evaluationWords({ definition, scores, results }: Evaluation): string {
  const wrong = results.filter(({ status }) => status !== 'passed');
  return [
    ...wrong.flatMap((result) => [
      `${result.status === 'failed' ? 'FAIL' : 'NONE'} ${result.case} (${variantWords(result)})`,
      ...reasons(result).map((line) => `     ${line}`),
      `     run ${result.run_id}`,
    ]),
    ...(wrong.length === 0 ? [] : ['']),
    ...scores.map((score) => `${definition} ${variantWords(score)}: ${scoreWords(score)}`),
  ].join('\n');
}

function reasons({ detail, differences = [] }: CaseResult): string[] {
  const words = differences.map((difference) => differenceWords(difference, (text) => cutText(text, VALUE_CHARACTERS)));
  return [...(detail === undefined ? [] : detail.split('\n')), ...words];
}

function variantWords({ version, model }: Variant): string {
  return `version ${version}${model === undefined ? '' : `, ${model}`}`;
}

function scoreWords({ passed, failed, not_evaluated, duration_ms: ms, tokens, cost }: Score): string {
  const all = passed + failed + not_evaluated;
  return [
    `${passed} of ${all} passed`,
    ...(not_evaluated === 0 ? [] : [`${not_evaluated} not evaluated`]),
    ...(ms === undefined ? [] : [`median ${durationWords(ms)}`]),
    ...(tokens === undefined ? [] : [`${tokens.input} tokens in, ${tokens.output} out`]),
    ...(cost === undefined ? [] : [`cost ${cost.toPrecision(3)}`]),
  ].join(', ');
}
