// The results of the cases of an evaluation, and the score of each version and model.
import type { Json } from '../json.ts';
import type { JsonDifference } from '../json-differences.ts';
import type { Usage } from './usage.ts';

/** A version, and where one was named a model, that the cases are run against. */
export interface Variant {
  version: number;
  model?: string;
}

export interface CaseResult extends Variant {
  case: string;
  /** Absent if the case was not run. */
  run_id?: string;
  status: 'passed' | 'failed' | 'not_evaluated';
  /** Why it did not pass. */
  detail?: string;
  output?: Json;
  differences?: JsonDifference[];
  duration_ms?: number;
  tokens?: Usage['tokens'];
  /** In the unit of the prices. */
  cost?: number;
}

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
