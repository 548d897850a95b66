// The brief of a build: everything that a trainer needs, in Markdown. It names no window that judges, and no value after
// the last period of training.
import { readFileSync } from 'node:fs';
import type { Dataset } from '../../../shared/schemas/index.ts';
import { LIMITS } from '../../../shared/limits.ts';
import { MIB } from '../../../shared/product.ts';
import {
  type Baseline,
  countRowColumns,
  type Evaluation,
  type ForecastSpec,
  MOST_ROWS,
  type PanelFacts,
  type Scores,
  signatureOf,
} from '../../lib/forecast/index.ts';
import { FORBIDDEN_OPERATORS, HIGHEST_IR_VERSION, HIGHEST_OPSET, LOWEST_OPSET } from '../../lib/onnx/index.ts';

const TRAINER = new URL('../../../resources/trainers/python/train.py', import.meta.url);

export interface BriefFacts {
  name: string;
  runId: string;
  description: string | undefined;
  unit: string | undefined;
  /** The address of the build's routes, without a slash at its end. */
  url: string;
  /** The address of the playbook's routes. */
  playbookUrl: string;
  /** The address to answer at, where the trainer is asked in the inbox. */
  answerUrl: string | undefined;
  spec: ForecastSpec;
  dataset: Dataset;
  panel: PanelFacts;
  baselines: Record<Baseline, Evaluation>;
  /** The scores of the active version, on the windows that selected it. */
  active: { version: number; scores: Scores } | undefined;
}

export function briefOf(facts: BriefFacts): string {
  const { name, description, runId } = facts;
  return `${[
    `# Train models for ${name}`,
    ...(description === undefined ? [] : [description.trim()]),
    `This is the build \`${runId}\`. Train one or more models on the training rows, upload each as ONNX, and answer with their digests. The best one becomes a version of the function.`,
    dataWords(facts),
    inputWords(facts.spec, facts.panel),
    formulas(facts.spec),
    rowWords(facts),
    scoreWords(facts),
    modelWords(),
    deliveryWords(facts),
    trainerWords(facts),
  ].join('\n\n')}\n`;
}

function dataWords({ spec, dataset, panel, unit }: BriefFacts): string {
  const count = (role: string): number => panel.windows.filter((window) => window.role === role).length;
  return `## Data

- ${dataset.series} series by ${spec.period}${unit === undefined ? '' : `, in ${unit}`}; season ${spec.season}; the dataset is \`${dataset.dataset}\` and ends with ${panel.last}.
- Training data ends with **${panel.trainedUntil}**. What follows is set aside in ${panel.windows.length} windows of ${spec.horizon} periods: ${count('calibrate')} calibrate, ${count('select')} select, ${count('judge')} judge.
- ${panel.unscored} series never change before the cut: they are not scored and have no rows.
- Coverage ${spec.coverage}: the share of values that intervals are to hold.
- Value: \`${spec.value}\`. Known for the future: ${listed(spec.known)}. Known for the past: ${listed(spec.observed)}. Static: ${listed(spec.static)}.`;
}

function listed(names: readonly string[]): string {
  return names.length === 0 ? 'none' : names.map((name) => `\`${name}\``).join(', ');
}

const MEANINGS: Readonly<Record<string, string>> = {
  past_target: 'the normalised values, missing = 0; required',
  past_observed: '1 where there is a value, else 0',
  past_time: 'sine and cosine of the phases of each past period',
  future_time: 'the same of each future period',
  past_covariates: 'known, then observed columns, normalised by their own mean and scale, missing = 0',
  future_covariates: 'known columns of the future periods, normalised as in the past',
  static: 'codes of the static columns, 0 is unseen',
  level: 'mean and scale of the context',
};

function inputWords(spec: ForecastSpec, { codes }: PanelFacts): string {
  const { inputs, output } = signatureOf(spec);
  const rows = inputs.map(
    ({ name, type, dims }) => `| \`${name}\` | ${type} [${dims.join(', ')}] | ${MEANINGS[name] ?? ''} |`,
  );
  const coded = Object.entries(codes).map(
    ([column, texts]) =>
      `- \`${column}\`: ${texts.length} codes, 1 to ${texts.length}, in code-point order of the texts`,
  );
  return `## What a model is fed

Declare \`past_target\` and any other of these inputs, with exactly these names, types and shapes. \`batch\` is symbolic.

| input | type and shape | meaning |
|---|---|---|
${rows.join('\n')}
| output \`${output.name}\` | ${output.type} [${output.dims.join(', ')}] | low, value and high of each step, normalised; low <= value <= high |${coded.length === 0 ? '' : `\n\n${coded.join('\n')}`}`;
}

const PHASE_WORDS: Readonly<Record<ForecastSpec['period'], string>> = {
  hour: 'hour of day / 24, day of week / 7, day of year / 366',
  day: 'day of week / 7, day of year / 366',
  week: 'ISO week / 53',
  month: 'month / 12',
  quarter: 'quarter / 4',
  year: 'none',
};

function formulas({ period, coverage, season }: ForecastSpec): string {
  const [low, high] = [(1 - coverage) / 2, (1 + coverage) / 2].map((level) => Number(level.toFixed(6)));
  return `## Formulas

- A window is normalised over its observed context: mean, and scale s = sqrt(mean((x - mean)^2)), or |mean|, or 1 where s <= 1e-6 |mean|. The served value is mean + s * output.
- Time features are sin(2 pi p) and cos(2 pi p) of the phases p: ${PHASE_WORDS[period]}. Each index counts from 0, Monday first, in UTC.
- d of a series is mean |y_t - y_(t - ${season})| up to the cut; else with season 1; else the series is not scored.
- pinball_q(y, f) = max(q (y - f), (q - 1)(y - f)), for q = ${low}, 0.5 and ${high}.
- **Score S = mean over all present values of 1/3 of the sum over q of 2 pinball_q / d.** Lower is better. The middle term is MASE.
- Intervals are calibrated before they are scored: per step, e = max(low - y, y - high) / s of earlier windows; Q is the ceil((n + 1) ${coverage})-th smallest of these n; where n is too small, that of all steps together; where that is too small, the largest e. Then low' = min(low - Q s, value) and high' = max(high + Q s, value).`;
}

function rowWords({ spec, panel: { rowStride }, url }: BriefFacts): string {
  const chosen =
    rowStride === 1
      ? 'Every origin up to the cut has a row'
      : `There are too many origins, so one of every ${rowStride} has a row, counted over one series after the other. ${rowStride} has no divisor in common with the season, so that every phase of it has rows. An origin that is counted has a row`;
  return `## Training rows

\`GET ${url}/rows\` streams CSV with a header, at most ${MOST_ROWS} rows. Each row is one window of one series, normalised as a model is fed:

- \`series\`, \`origin\` (label of the last known period), \`center\` (mean), \`scale\` (s), \`weight\` (s / d: with it the pinball loss of normalised values is the score)
- \`x1\` to \`x${spec.context}\`: the context; \`m1\` to \`m${spec.context}\`: its mask
- then, where the function has them: \`t...\` time features of context and horizon, \`p...\` past covariates, \`f...\` future covariates, \`s...\` static codes; the tensors above, flattened
- \`y1\` to \`y${spec.horizon}\`: the targets, normalised; empty where missing or after the cut

There are ${countRowColumns(spec)} columns. ${chosen}, if the series has a value in the context and one among the targets.`;
}

function scoreWords({ spec: { season }, baselines, active }: BriefFacts): string {
  const figure = (value: number | null): string => (value === null ? '-' : value.toFixed(4));
  const row = (name: string, scores: Scores): string =>
    `| ${name} | ${figure(scores.score)} | ${figure(scores.mase)} | ${figure(scores.coverage)} | ${figure(scores.width)} |`;
  return `## Scores to beat

On the windows that select, calibrated like a candidate:

| | S | MASE | coverage | width |
|---|---|---|---|---|
${[
  ...Object.entries(baselines).map(([name, { select }]) => row(name, select)),
  ...(active === undefined ? [] : [row(`active version ${active.version}, when it was built`, active.scores)]),
].join('\n')}

The baselines forecast y_(T + h) from the observed values y_1 to y_T of a series up to the origin T, with low = value = high before the calibration:

- \`seasonal_naive\`: the value of the same phase in the last season, ${season} periods or a multiple of that before; a missing one is taken from the season before.
- \`drift\`: y_T + h (y_T - y_1) / (n - 1), where n values are observed.
- \`theta\`: missing values are interpolated, which leaves n values. With m = ${season}, the series is divided by the factors of its classical multiplicative decomposition if m > 1, n > 2 m, all values are positive and |r_m| / sqrt((1 + 2 (r_1^2 + ... + r_(m-1)^2)) / n) > 1.645, where r_k is the autocorrelation at lag k. Simple exponential smoothing with the alpha and the first level of least squares of the result ends at the level l, and b is the slope of its line of least squares. The forecast is l + b/2 (h - 1 + (1 - (1 - alpha)^n) / alpha), times the factor of its phase.`;
}

function modelWords(): string {
  return `## Limits of a model

- ONNX, opset ${LOWEST_OPSET} to ${HIGHEST_OPSET}, IR version up to ${HIGHEST_IR_VERSION}, the default domain (\`""\`) and \`ai.onnx.ml\`, at most ${LIMITS.candidateBytes / MIB} MiB; no external data, no local functions.
- Refused operators, in subgraphs too: ${FORBIDDEN_OPERATORS.map((name) => `\`${name}\``).join(', ')}.
- It is run with zeros, with ones and with real windows, alone and in batches: every output is finite and in order, a row's output does not depend on its batch, and running again gives the same. This is checked while it is scored, too.`;
}

function deliveryWords({ url, answerUrl }: BriefFacts): string {
  const answer =
    answerUrl === undefined
      ? 'Then answer the request that brought you this brief with `{ "candidates": ["SHA-256", ...] }`.'
      : `Then answer: \`POST ${answerUrl}\` with \`{ "answer": { "candidates": ["SHA-256", ...] } }\`.`;
  return `## Upload and answer

\`POST ${url}/candidates\` with \`Content-Type: application/octet-stream\` and \`Content-Length\`, at most ${LIMITS.candidates} candidates. The response has the digest as \`candidate\`; a model that is refused says why. ${answer}`;
}

function trainerWords({ playbookUrl }: BriefFacts): string {
  return `## A complete trainer

A linear model and a small neural network, in Python, for every open build of the playbook. Save it as \`train.py\` and run \`python3 train.py ${playbookUrl}\`.

\`\`\`python
${readFileSync(TRAINER, 'utf8').trimEnd()}
\`\`\``;
}
