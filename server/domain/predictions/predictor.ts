// What runs of prediction functions are given: the datasets, builds and versions of their playbook.
import type { Predictor } from '../../kinds/prediction/index.ts';
import type { EventLog } from '../../kernel/log/index.ts';
import type { ModelRunner } from '../../lib/onnx/index.ts';
import type { Builds } from './builds.ts';
import type { Candidates } from './candidates.ts';
import type { Datasets } from './datasets.ts';
import { selectCandidates } from './models-sql.ts';
import type { AskQuestion } from './questions.ts';
import { Scoring } from './scoring.ts';
import type { Versions } from './versions.ts';

export interface PredictorOptions {
  log: EventLog;
  datasets: Datasets;
  builds: Pick<Builds, 'begin'>;
  candidates: Pick<Candidates, 'read'>;
  versions: Versions;
  models: ModelRunner;
  ask: AskQuestion;
}

export function createPredictor({ builds, ask, ...options }: PredictorOptions): Predictor {
  return {
    ask,
    begin: (run, prediction, dataset) => builds.begin(run, prediction, dataset),
    async candidatesOf(run) {
      const rows = await options.log.read((tx) => selectCandidates(tx, run));
      return new Set(rows.map(({ candidate }) => candidate));
    },
    score: new Scoring(options).score,
  };
}
