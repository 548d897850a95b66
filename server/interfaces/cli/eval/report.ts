// The result of an evaluation as text: a score for each version and model, and each case that did not pass.
import { durationWords } from '../../../../shared/duration-words.ts';
import { differenceWords } from '../../../../shared/json-differences.ts';
import { cutText } from '../../../lib/cut-text.ts';
import type { CaseResult, Score, Variant } from '../../../../shared/evaluation/index.ts';

export interface Evaluation {
  evaluation: string;
  definition: string;
  cases: number;
  scores: Score[];
  results: CaseResult[];
}

const VALUE_CHARACTERS = 120;

export function evaluationWords({ definition, scores, results }: Evaluation): string {
  const wrong = results.filter(({ status }) => status !== 'passed');
  return [
    ...wrong.flatMap((result) => [
      `${result.status === 'failed' ? 'FAIL' : 'NONE'} ${result.case} (${variantWords(result)})`,
      ...reasons(result).map((line) => `     ${line}`),
      ...(result.run_id === undefined ? [] : [`     run ${result.run_id}`]),
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
