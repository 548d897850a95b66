import Type from 'typebox';
import { count, digest, optionalText, text } from './fields.ts';

const DATASET = { dataset: digest('SHA-256 of the dataset.') };
const CANDIDATE = { candidate: digest('SHA-256 of the model.') };
const VERSION = {
  function: text('Name of the prediction function.'),
  version: Type.Integer({ minimum: 1, description: 'The version of the model, from 1.' }),
};
const WHY = {
  because: optionalText('Why, as a code.'),
  detail: text('Why, as a message for people.'),
};
const number = (description: string) => Type.Union([Type.Number(), Type.Null()], { description });

const ScoresSchema = Type.Object(
  {
    score: number('The mean scaled pinball loss; lower is better.'),
    mase: number('The mean absolute scaled error.'),
    coverage: number('The share of values inside the interval; null if there is no judge window.'),
    width: number('The mean scaled width of the interval.'),
  },
  { description: 'The scores on the evaluation windows.' },
);
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
  active_version: Type.Optional(
    Type.Integer({ minimum: 1, description: 'The version that it was compared with; absent if none was active.' }),
  ),
  active_unscored: Type.Optional(
    Type.Object(WHY, { description: 'Why that version could not be scored on the same windows; absent if it was.' }),
  ),
};

export const PREDICTION_EVENTS = {
  dataset_assembled: Type.Object(
    {
      ...DATASET,
      bytes: count('Size in bytes.'),
      rows: count('The number of rows.'),
      series: count('The number of series.'),
      period: text('The period of the labels.'),
    },
    { description: 'A build assembled its dataset.' },
  ),
  candidate_uploaded: Type.Object(
    { ...CANDIDATE, bytes: count('Size in bytes.'), opset: count('The version of the ONNX operator set.') },
    { description: 'A trainer uploaded a candidate model to a build.' },
  ),
  candidate_refused: Type.Object({ ...CANDIDATE, ...WHY }, { description: 'A candidate was not accepted.' }),
  candidate_scored: Type.Object({ ...CANDIDATE, ...SCORES }, { description: 'A candidate was scored.' }),
  candidate_disqualified: Type.Object(
    { ...CANDIDATE, ...WHY },
    { description: 'A candidate returned predictions that cannot be scored.' },
  ),
  baseline_scored: Type.Object(
    {
      baseline: Type.Enum(['seasonal_naive', 'drift', 'theta'], { description: 'Which baseline.' }),
      ...SCORES,
    },
    { description: 'A baseline was scored on the same windows as the candidates.' },
  ),
  baseline_not_walked: Type.Object(
    {
      windows: count('The number of windows in the data; 3 are needed.'),
      detail: optionalText('Why, as a message for people.'),
    },
    { description: 'The data has too few windows to select and judge a model.' },
  ),
  version_built: Type.Object(
    { ...VERSION, ...CANDIDATE, ...DATASET },
    { description: 'A candidate became a version of a prediction function.' },
  ),
  shadow_predicted: Type.Object(
    {
      ...VERSION,
      ...DATASET,
      active_version: Type.Integer({ minimum: 1, description: 'The active version, which predicted the same.' }),
      origin: text('The last period of the dataset; the predictions begin after it.'),
      predictions: count('The number of predictions stored for grading.'),
    },
    { description: 'A version made predictions beside the active version, to be graded later.' },
  ),
  shadow_graded: Type.Object(
    { ...GRADE, until: text('The last period that was graded.') },
    { description: 'Shadow predictions were compared with the actual values.' },
  ),
  shadow_passed: Type.Object(GRADE, { description: 'A version passed its shadow evaluation.' }),
  shadow_failed: Type.Object({ ...GRADE, ...WHY }, { description: 'A version failed its shadow evaluation.' }),
  version_activated: Type.Object(
    {
      ...VERSION,
      rule: Type.Enum(['gate', 'approval', 'shadow', 'caller'], { description: 'What approved the version.' }),
      ...COMPARED,
    },
    { description: 'A version was activated.' },
  ),
  activation_refused: Type.Object(
    {
      ...VERSION,
      ...WHY,
      score: Type.Optional(number('The score of the version on the judge windows.')),
      bar: Type.Optional(number('The score of the best baseline on the same windows.')),
      active_score: Type.Optional(
        number(
          'The score of the active version on the same windows; null if none is active or it could not be scored.',
        ),
      ),
      wins: Type.Optional(number('The share of the judge windows on which the version was better.')),
      coverage: Type.Optional(number('The share of values inside the interval; null if there is no judge window.')),
      ...COMPARED,
    },
    { description: 'A version was built but not activated.' },
  ),
  build_asked: Type.Object(
    { ...DATASET, trainer: text('The trainer.') },
    { description: 'A trainer was asked for candidate models.' },
  ),
  build_ended: Type.Object(
    {
      candidate: Type.Optional(CANDIDATE.candidate),
      version: Type.Optional(VERSION.version),
      activated: Type.Boolean({ description: 'Whether the version was activated.' }),
      detail: optionalText('Why not, as a message for people.'),
    },
    { description: 'A build ended.' },
  ),
};
