import Type from 'typebox';
import { count, flag, integer, oneOf, open, optional, orNull, text } from '../fields.ts';
import { digest, optionalText } from './fields.ts';

const DATASET = { dataset: digest('SHA-256 of the dataset.') };
const CANDIDATE = { candidate: digest('SHA-256 of the model.') };
const VERSION = {
  function: text('Name of the prediction function.'),
  version: integer('The version of the model, from 1.', { minimum: 1 }),
};
const WHY = {
  because: optionalText('Why, as a code.'),
  detail: text('Why, as a message for people.'),
};
const number = (description: string) => orNull(description, Type.Number());

const ScoresSchema = open('The scores on the evaluation windows.', {
  score: number('The mean scaled pinball loss; lower is better.'),
  mase: number('The mean absolute scaled error.'),
  coverage: number('The share of values inside the interval; null if there is no judge window.'),
  width: number('The mean scaled width of the interval.'),
});
const SCORES = { scores: ScoresSchema };
const GRADE = {
  ...VERSION,
  ...DATASET,
  periods: count('The number of periods graded so far.'),
  values: count('The number of values graded so far.'),
  score: number('The score of the shadow version over all of them.'),
  active_score: number('The score of the active version over the same values; null if it could not predict them.'),
};
const COMPARED = {
  active_version: optional(
    integer('The version that it was compared with; absent if none was active.', { minimum: 1 }),
  ),
  active_unscored: optional(open('Why that version could not be scored on the same windows; absent if it was.', WHY)),
};

export const PREDICTION_EVENTS = {
  dataset_assembled: open('A build assembled its dataset.', {
    ...DATASET,
    bytes: count('Size in bytes.'),
    rows: count('The number of rows.'),
    series: count('The number of series.'),
    period: text('The period of the labels.'),
  }),
  candidate_uploaded: open('A trainer uploaded a candidate model to a build.', {
    ...CANDIDATE,
    bytes: count('Size in bytes.'),
    opset: count('The version of the ONNX operator set.'),
  }),
  candidate_refused: open('A candidate was not accepted.', { ...CANDIDATE, ...WHY }),
  candidate_scored: open('A candidate was scored.', { ...CANDIDATE, ...SCORES }),
  candidate_disqualified: open('A candidate returned predictions that cannot be scored.', { ...CANDIDATE, ...WHY }),
  baseline_scored: open('A baseline was scored on the same windows as the candidates.', {
    baseline: oneOf('Which baseline.', ['seasonal_naive', 'drift', 'theta']),
    ...SCORES,
  }),
  baseline_not_walked: open('The data has too few windows to select and judge a model.', {
    windows: count('The number of windows in the data; 3 are needed.'),
    detail: optionalText('Why, as a message for people.'),
  }),
  version_built: open('A candidate became a version of a prediction function.', {
    ...VERSION,
    ...CANDIDATE,
    ...DATASET,
  }),
  shadow_predicted: open('A version made predictions beside the active version, to be graded later.', {
    ...VERSION,
    ...DATASET,
    active_version: integer('The active version, which predicted the same.', { minimum: 1 }),
    origin: text('The last period of the dataset; the predictions begin after it.'),
    predictions: count('The number of predictions stored for grading.'),
  }),
  shadow_graded: open('Shadow predictions were compared with the actual values.', {
    ...GRADE,
    until: text('The last period that was graded.'),
  }),
  shadow_passed: open('A version passed its shadow evaluation.', GRADE),
  shadow_failed: open('A version failed its shadow evaluation.', { ...GRADE, ...WHY }),
  version_activated: open('A version was activated.', {
    ...VERSION,
    rule: oneOf('What approved the version.', ['gate', 'approval', 'shadow', 'caller']),
    ...COMPARED,
  }),
  activation_refused: open('A version was built but not activated.', {
    ...VERSION,
    ...WHY,
    score: optional(number('The score of the version on the judge windows.')),
    bar: optional(number('The score of the best baseline on the same windows.')),
    active_score: optional(
      number('The score of the active version on the same windows; null if none is active or it could not be scored.'),
    ),
    wins: optional(number('The share of the judge windows on which the version was better.')),
    coverage: optional(number('The share of values inside the interval; null if there is no judge window.')),
    ...COMPARED,
  }),
  build_asked: open('A trainer was asked for candidate models.', { ...DATASET, trainer: text('The trainer.') }),
  build_ended: open('A build ended.', {
    candidate: optional(CANDIDATE.candidate),
    version: optional(VERSION.version),
    activated: flag('Whether the version was activated.'),
    detail: optionalText('Why not, as a message for people.'),
  }),
};
