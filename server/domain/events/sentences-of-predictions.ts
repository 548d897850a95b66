import type { PREDICTION_EVENTS } from '../../../shared/schemas/events/predictions.ts';
import { counted, digestOf, reasons, type Sentences, short } from './phrases.ts';

/** "Version 2 of the prediction function tickets". */
function versionOf(data: { function: string; version: number }): string {
  return `Version ${data.version} of the prediction function ${short(data.function)}`;
}

function scored(score: number | null): string {
  return score === null ? 'without a score' : `with the score ${score}`;
}

const WAITS_FOR: Readonly<Record<string, string>> = { shadow: 'its shadow evaluation', approval: 'an approval' };

export const PREDICTION_SENTENCES: Sentences<keyof typeof PREDICTION_EVENTS> = {
  dataset_assembled: ({ dataset, rows, series }) =>
    `The dataset ${digestOf(dataset)} was assembled: ${counted(rows, 'row')}, ${series} series.`,
  candidate_uploaded: ({ candidate }) => `The candidate ${digestOf(candidate)} was uploaded.`,
  candidate_refused: ({ candidate, because }) => `The candidate ${digestOf(candidate)} was refused${reasons(because)}.`,
  candidate_scored: ({ candidate, scores }) =>
    `The candidate ${digestOf(candidate)} was evaluated ${scored(scores.score)}.`,
  candidate_disqualified: ({ candidate, because }) =>
    `The candidate ${digestOf(candidate)} was disqualified${reasons(because)}.`,
  baseline_scored: ({ baseline, scores }) => `The baseline ${baseline} was evaluated ${scored(scores.score)}.`,
  baseline_not_walked: ({ windows }) => `The data gives ${counted(windows, 'window')}, too few to score on.`,
  version_built: (data) => `${versionOf(data)} was built from the candidate ${digestOf(data.candidate)}.`,
  shadow_predicted: (data) => `${versionOf(data)} made ${counted(data.predictions, 'shadow prediction')}.`,
  shadow_graded: (data) => `${versionOf(data)} was graded over ${counted(data.periods, 'period')}.`,
  shadow_passed: (data) => `${versionOf(data)} passed its shadow after ${counted(data.periods, 'period')}.`,
  shadow_failed: (data) =>
    `${versionOf(data)} failed its shadow after ${counted(data.periods, 'period')}${reasons(data.because)}.`,
  version_activated: (data) => `${versionOf(data)} was activated by the rule ${data.rule}.`,
  activation_refused: (data) => {
    const waitsFor = data.because === undefined ? undefined : WAITS_FOR[data.because];
    if (waitsFor !== undefined) return `${versionOf(data)} waits for ${waitsFor}.`;
    return `${versionOf(data)} was not activated${reasons(data.because)}.`;
  },
  build_asked: ({ trainer, dataset }) =>
    `${short(trainer)} was asked for candidates for the dataset ${digestOf(dataset)}.`,
  build_ended: ({ version, activated }) => {
    if (version === undefined) return 'The build ended without a version.';
    return `The build ended with version ${version}, which is ${activated ? '' : 'not '}active.`;
  },
};
