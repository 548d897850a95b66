import Type from 'typebox';
import { count, digest, optionalText, text } from './fields.ts';

const DATASET = { dataset: digest('SHA-256 of the dataset.') };
const CANDIDATE = { candidate: digest('SHA-256 of the model.') };
const VERSION = {
  function: text('Name of the prediction function.'),
  version: Type.Integer({ minimum: 1, description: 'The version of the model, from 1.' }),
};
const WHY = {
  because: optionalText('Why, as a word.'),
  detail: text('Why, in words.'),
};
const number = (description: string) => Type.Union([Type.Number(), Type.Null()], { description });

const ScoresSchema = Type.Object(
  {
    score: number('The mean scaled pinball loss; less is better.'),
    mase: number('The mean absolute scaled error.'),
    coverage: number('The share of values inside the interval; null where no window judges.'),
    width: number("The interval's mean width, scaled."),
  },
  { description: 'How it did on the windows it was scored on.' },
);
const SCORES = { scores: ScoresSchema };
const GRADE = {
  ...VERSION,
  ...DATASET,
  periods: count('Periods graded so far.'),
  score: number('The score of the version that waits.'),
  active_score: number('The score of the active version on the same periods.'),
};

export const PREDICTION_EVENTS = {
  dataset_assembled: Type.Object(
    {
      ...DATASET,
      bytes: count('Its size.'),
      rows: count('Its rows.'),
      series: count('Its series.'),
      period: text('The period of its labels.'),
    },
    { description: 'A build assembled its data.' },
  ),
  candidate_uploaded: Type.Object(
    { ...CANDIDATE, bytes: count('Its size.'), opset: count('Its ONNX operator set.') },
    { description: 'A trainer uploaded a candidate model to a build.' },
  ),
  candidate_refused: Type.Object({ ...CANDIDATE, ...WHY }, { description: 'A candidate was not taken.' }),
  candidate_scored: Type.Object({ ...CANDIDATE, ...SCORES }, { description: 'A candidate was scored.' }),
  candidate_disqualified: Type.Object(
    { ...CANDIDATE, ...WHY },
    { description: 'A candidate gave what no score can be made of.' },
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
      windows: count('Windows that the data gives; 3 are needed.'),
      detail: optionalText('Why, in words.'),
    },
    { description: 'The data gives too few windows to select and judge on.' },
  ),
  version_built: Type.Object(
    { ...VERSION, ...CANDIDATE, ...DATASET },
    { description: 'A candidate became a version of a prediction function.' },
  ),
  shadow_predicted: Type.Object(
    { ...VERSION, ...DATASET, predictions: count('Predictions kept for grading.') },
    { description: 'A version predicted beside the active one, to be graded later.' },
  ),
  shadow_graded: Type.Object(GRADE, { description: 'Shadow predictions were compared with the values that came.' }),
  shadow_passed: Type.Object(GRADE, { description: 'A version passed its shadow.' }),
  shadow_failed: Type.Object(GRADE, { description: 'A version failed its shadow.' }),
  version_activated: Type.Object(
    {
      ...VERSION,
      rule: Type.Enum(['gate', 'approval', 'shadow', 'caller'], { description: 'What let it through.' }),
    },
    { description: 'A version serves questions from now on.' },
  ),
  activation_refused: Type.Object(
    {
      ...VERSION,
      ...WHY,
      score: Type.Optional(number('The score of the version on the judge windows.')),
      bar: Type.Optional(number('The score of the best baseline on the same windows.')),
      active_score: Type.Optional(
        number('The score of the active version on the same windows; null where none is active.'),
      ),
      wins: Type.Optional(number('The share of the judge windows that it won.')),
      coverage: Type.Optional(number('The share of values inside the interval; null where no window judges.')),
    },
    { description: 'A version was built and does not serve.' },
  ),
  build_asked: Type.Object(
    { ...DATASET, trainer: text('Who was asked for candidates.') },
    { description: 'A trainer was asked for candidates.' },
  ),
  build_ended: Type.Object(
    {
      candidate: Type.Optional(CANDIDATE.candidate),
      version: Type.Optional(VERSION.version),
      activated: Type.Boolean({ description: 'Whether the version serves now.' }),
      detail: optionalText('Why not, in words.'),
    },
    { description: 'A build came to its end.' },
  ),
};
