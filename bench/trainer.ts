// Scores the models of the Node trainer on eight real data sets, as a build does. Prints the table of docs/prediction.md.
import { createReadStream } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { fitForecasts } from '../resources/trainers/node/fit.ts';
import { linearModel } from '../resources/trainers/node/linear-model.ts';
import { readRows } from '../resources/trainers/node/read-rows.ts';
import { systemClock } from '../server/lib/clock.ts';
import {
  chooseBar,
  chooseBest,
  type Contender,
  createForecaster,
  type Evaluation,
  type ForecastSpec,
  type Panel,
  type Period,
  signatureOf,
} from '../server/lib/forecast/index.ts';
import { createModelRunner } from '../server/lib/onnx/index.ts';

type Case = Pick<ForecastSpec, 'period' | 'context' | 'horizon'> &
  Partial<ForecastSpec> & { name: string; file?: string };

const SEASONS: Readonly<Partial<Record<Period, number>>> = { day: 7, month: 12, quarter: 4 };
const COVERAGE = 0.8;
const CASES: readonly Case[] = [
  {
    name: 'strikes',
    file: '../resources/samples/wildlife-strikes/data/monthly-reports.csv',
    value: 'reports',
    static: ['state'],
    period: 'month',
    context: 36,
    horizon: 6,
  },
  { name: 'employment', period: 'month', context: 24, horizon: 6 },
  { name: 'unemployment', period: 'month', context: 24, horizon: 6 },
  { name: 'seattle', period: 'day', context: 56, horizon: 7, windows: 24 },
  { name: 'air-passengers', period: 'month', context: 24, horizon: 6 },
  { name: 'lung-deaths', period: 'month', context: 24, horizon: 6 },
  { name: 'nottingham', period: 'month', context: 36, horizon: 6, windows: 12 },
  { name: 'uk-gas', period: 'quarter', context: 12, horizon: 4 },
];

const forecaster = createForecaster({ clock: systemClock });
const runner = createModelRunner({ clock: systemClock });

const show = (figure: number | null | undefined): string => (figure ?? Number.NaN).toFixed(3);

/** @throws Error if the model cannot be scored */
async function scoreModel(panel: Panel, spec: ForecastSpec, model: Uint8Array): Promise<Evaluation> {
  const { fault, value: open } = await runner.open(model, signatureOf(spec));
  if (fault !== undefined) throw new Error(fault.detail);
  try {
    const scored = await panel.score(async (batch) => {
      const run = await open.run(batch);
      if (run.fault !== undefined) throw new Error(run.fault.detail);
      return run.value;
    });
    if (scored === undefined || 'because' in scored) throw new Error(scored?.detail);
    return scored;
  } finally {
    await open.close();
  }
}

async function evaluate({ name, file, ...given }: Case): Promise<{ winner: Evaluation; line: string }> {
  const spec: ForecastSpec = {
    value: 'value',
    known: [],
    observed: [],
    static: [],
    season: SEASONS[given.period] ?? 1,
    coverage: COVERAGE,
    windows: 6,
    ...given,
  };
  const dataset = fileURLToPath(new URL(file ?? `series/${name}.csv`, import.meta.url));
  const panel = await forecaster.open(name, spec, () => createReadStream(dataset));
  const baselines = await panel.baselines();
  const { layout, rows } = await readRows(panel.trainingRows());
  const contenders: (Contender & { evaluation: Evaluation })[] = [];
  for (const { base, steps } of fitForecasts(rows, { layout, season: spec.season, coverage: COVERAGE })) {
    const model = linearModel(layout, steps);
    const evaluation = await scoreModel(panel, spec, model);
    contenders.push({ scores: evaluation.select, bytes: model.length, digest: base, evaluation });
  }
  const best = chooseBest(contenders);
  if (best === undefined) throw new Error(`${name}: the trainer made no model.`);
  const { judge } = best.evaluation;
  const figures = [
    panel.facts.series,
    panel.facts.windows.length,
    show(baselines.seasonal_naive.judge.score),
    show(baselines.drift.judge.score),
    show(baselines.theta.judge.score),
    show(judge.score),
    best.digest,
    chooseBar(baselines) ?? '',
    show(judge.coverage),
  ];
  return { winner: best.evaluation, line: `| ${name} | ${figures.join(' | ')} |` };
}

console.log('| data set | series | windows | seasonal naive | drift | Theta | model | base | bar | coverage |');
console.log('|---|---|---|---|---|---|---|---|---|---|');
const coverages: number[] = [];
try {
  for (const each of CASES) {
    const { winner, line } = await evaluate(each);
    console.log(line);
    coverages.push(winner.judge.coverage ?? Number.NaN);
  }
  const mean = coverages.reduce((sum, coverage) => sum + coverage, 0) / coverages.length;
  console.log(`Mean coverage ${show(mean)}, wanted ${COVERAGE}.`);
} finally {
  await Promise.all([forecaster.close(), runner.close()]);
}
