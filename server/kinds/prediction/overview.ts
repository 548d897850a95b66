// What an overview says of a prediction function beside what it says of every function.
import { durationText } from '../../lib/duration.ts';
import { code } from '../../lib/schemas/index.ts';
import type { PredictionFunction, Trainer } from './document.ts';

export function doesWords(prediction: PredictionFunction): string[] {
  const { period, context, horizons, horizon, season } = prediction;
  const ahead = horizons.length === horizon ? `1 to ${horizon}` : horizons.join(', ');
  return [
    `**Dataset**\n\n${datasetWords(prediction)}`,
    `**Does** Predicts ${ahead} ${period}s ahead from the last ${context} (season ${season}) with the active model version, and answers within its request. A build asks the trainer for models, scores them and may activate the best one.`,
    `**Trainer** ${trainerWords(prediction.trainer)} At most ${prediction.buildsPerDay} builds a day.`,
    `**Gate**\n\n${gateWords(prediction)}`,
    '**Model versions** are numbered from 1, apart from the versions of the document. `standing` shows the active one.',
  ];
}

function datasetWords({ dataset, period }: PredictionFunction): string {
  const { value, unit, known, observed, static: statics } = dataset;
  const named = (what: string, names: readonly string[]): string[] =>
    names.length === 0 ? [] : [`- ${what}: ${names.map(code).join(', ')}`];
  return [
    `A CSV file with one row per series and ${period}, and these columns:`,
    '',
    `- series and label of the ${period}: \`series\`, \`period\``,
    `- value: ${code(value)}${unit === undefined ? '' : ` in ${unit}`}`,
    ...named('numbers known for the future too', known),
    ...named('numbers known for the past only', observed),
    ...named('texts that stay the same for a series', statics),
  ].join('\n');
}

function trainerWords(trainer: Trainer): string {
  return 'inbox' in trainer
    ? `Asks ${code(trainer.inbox)} in the inbox and waits at most ${durationText(trainer.expires)}.`
    : `Asks through ${code(`interaction/${trainer.interaction}`)}.`;
}

function gateWords({ windows, coverage, activate, shadowPeriods }: PredictionFunction): string {
  const { beat, wins, coverage_within: within, approval } = activate;
  return [
    `Models are compared on up to ${windows} windows of the past; intervals are to hold ${percent(coverage)} of the values. A version is activated if it`,
    '',
    `- scores at least ${percent(beat)} better than the best baseline and the active version,`,
    `- wins ${percent(wins)} of the judge windows, rounded to whole windows,`,
    `- covers at least ${percent(Math.max(0, coverage - within))} of the values`,
    ...(shadowPeriods === 0 ? [] : [`- is no worse than the active version over ${shadowPeriods} new periods`]),
    ...(approval === 'none' ? [] : [`- is approved through ${code(`interaction/${approval.interaction}`)}`]),
  ].join('\n');
}

function percent(share: number): string {
  return `${Number((share * 100).toFixed(2))}%`;
}
