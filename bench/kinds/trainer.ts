// Scores the models of the Node trainer on eight real data sets, as a build does, for three coverages. Prints the figures of
// docs/prediction.md.
import { createReadStream } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { fitForecasts } from '../../resources/trainers/node/fit.ts';
import { linearModel } from '../../resources/trainers/node/linear-model.ts';
import { readRows } from '../../resources/trainers/node/read-rows.ts';
import { systemClock } from '../../server/lib/clock.ts';
import {
  chooseBar,
  chooseBest,
  type Contender,
  createForecaster,
  type Evaluation,
  type Forecaster,
  type ForecastSpec,
  type GateVerdict,
  type Panel,
  passGate,
  type Period,
  signatureOf,
} from '../../server/lib/forecast/index.ts';
import { createModelRunner, type ModelRunner } from '../../server/lib/onnx/index.ts';
import type { Bench } from '../serve.ts';

type Case = Pick<ForecastSpec, 'period' | 'context' | 'horizon'> &
  Partial<ForecastSpec> & { name: string; file?: string };

const SEASONS: Readonly<Partial<Record<Period, number>>> = { day: 7, month: 12, quarter: 4 };
/** The coverage of the table; with the others it is only counted which models pass the gate. */
const COVERAGE = 0.8;
const COVERAGES = [0.5, COVERAGE, 0.9];
const RULES = { beat: 0.02, wins: 0.6, coverageWithin: 0.1 };
const CASES: readonly Case[] = [
  {
    name: 'strikes',
    file: '../../resources/samples/wildlife-strikes/data/monthly-reports.csv',
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

const show = (figure: number | null | undefined): string => (figure ?? Number.NaN).toFixed(3);

/** @throws Error if the model cannot be scored */
async function scoreModel(
  runner: ModelRunner,
  panel: Panel,
  spec: ForecastSpec,
  model: Uint8Array,
): Promise<Evaluation> {
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

interface Engines {
  forecaster: Forecaster;
  runner: ModelRunner;
}

interface Outcome {
  winner: Evaluation;
  verdict: GateVerdict;
  line: string;
}

async function evaluate(
  { forecaster, runner }: Engines,
  { name, file, ...given }: Case,
  coverage: number,
): Promise<Outcome> {
  const spec: ForecastSpec = {
    value: 'value',
    known: [],
    observed: [],
    static: [],
    season: SEASONS[given.period] ?? 1,
    coverage,
    windows: 6,
    ...given,
  };
  const dataset = fileURLToPath(new URL(file ?? `../series/${name}.csv`, import.meta.url));
  const panel = await forecaster.open(name, spec, () => createReadStream(dataset));
  const baselines = await panel.baselines();
  const { layout, rows } = await readRows(panel.trainingRows());
  const contenders: (Contender & { evaluation: Evaluation })[] = [];
  for (const { base, steps } of fitForecasts(rows, { layout, season: spec.season, coverage })) {
    const model = linearModel(layout, steps);
    const evaluation = await scoreModel(runner, panel, spec, model);
    contenders.push({ scores: evaluation.select, bytes: model.length, digest: base, evaluation });
  }
  const best = chooseBest(contenders);
  if (best === undefined) throw new Error(`${name}: the trainer made no model.`);
  const { judge } = best.evaluation;
  const barName = chooseBar(baselines) ?? 'seasonal_naive';
  const verdict = passGate(best.evaluation, baselines[barName], undefined, RULES, coverage);
  const figures = [
    panel.facts.series,
    panel.facts.windows.length,
    show(baselines.seasonal_naive.judge.score),
    show(baselines.drift.judge.score),
    show(baselines.theta.judge.score),
    show(judge.score),
    best.digest,
    barName,
    show(judge.coverage),
    verdict.passes ? 'passed' : verdict.missed.join(', '),
  ];
  return { winner: best.evaluation, verdict, line: `| ${name} | ${figures.join(' | ')} |` };
}

export async function run({ defer }: Bench): Promise<void> {
  const engines = {
    forecaster: createForecaster({ clock: systemClock }),
    runner: createModelRunner({ clock: systemClock }),
  };
  defer(() => engines.runner.close());
  defer(() => engines.forecaster.close());
  console.log(
    '| data set | series | windows | seasonal naive | drift | Theta | model | base | bar | coverage | gate |',
  );
  console.log('|---|---|---|---|---|---|---|---|---|---|---|');
  const measured: number[] = [];
  const verdicts: GateVerdict[] = [];
  for (const coverage of COVERAGES) {
    for (const each of CASES) {
      const { winner, verdict, line } = await evaluate(engines, each, coverage);
      verdicts.push(verdict);
      if (coverage !== COVERAGE) continue;
      console.log(line);
      measured.push(winner.judge.coverage ?? Number.NaN);
    }
  }
  const mean = measured.reduce((sum, one) => sum + one, 0) / measured.length;
  console.log(`Mean coverage ${show(mean)}, wanted ${COVERAGE}.`);
  const good = verdicts.filter(({ missed }) => !missed.includes('bar'));
  const missed = (rule: 'wins' | 'coverage'): number => good.filter((one) => one.missed.includes(rule)).length;
  console.log(
    `Of ${verdicts.length} builds with the coverages ${COVERAGES.join(', ')}, ${good.length} beat the bar, and ${good.filter(({ passes }) => passes).length} of them passed; ${missed('coverage')} missed the coverage and ${missed('wins')} the windows.`,
  );
}
