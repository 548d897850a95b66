// Prediction functions beside their definitions: datasets, builds with their candidates, and model versions.
import type { Logger } from 'pino';
import { LIMITS } from '../../../shared/limits.ts';
import type { Predictor } from '../../kinds/prediction/index.ts';
import type { TaskHandler, Tasks } from '../../kernel/tasks/index.ts';
import { createForecaster } from '../../lib/forecast/index.ts';
import { createModelRunner } from '../../lib/onnx/index.ts';
import { conflict } from '../../lib/rejection.ts';
import type { Operation } from '../../operations/index.ts';
import type { PlaybookKey, WriteTransaction } from '../../kernel/log/index.ts';
import type { DefinitionHooks } from '../definitions/index.ts';
import type { Playbooks } from '../playbooks/index.ts';
import { browsingOperations } from './browse-operations.ts';
import { type BuildsOptions, createBuilds } from './builds.ts';
import { Candidates } from './candidates.ts';
import { createDatasets } from './datasets.ts';
import { predictionOperations } from './operations.ts';
import { Pending, createWake, type PendingOptions, type Wake, wakeShadows } from './pending.ts';
import { createPieces } from './pieces.ts';
import { createPredictor } from './predictor.ts';
import { createQuestions } from './questions.ts';
import { Shadows } from './shadow.ts';
import { countFunctions } from './sql.ts';
import { createStanding, type ReadStanding } from './standing.ts';
import { createTraining } from './training.ts';
import { createVersions } from './versions.ts';

export { PENDING_LANE } from './pending.ts';
export { predictionProjection } from './projection.ts';
export { predictionMigrations } from './sql.ts';

export interface Predictions {
  predictor: Predictor;
  standing: ReadStanding;
  operations(playbooks: Playbooks): Operation[];
  definitions: DefinitionHooks;
  /** Continues pending versions. */
  handlers: Readonly<Record<string, TaskHandler>>;
  /** Removes what uploads and model processes of an earlier process start left behind, and continues pending versions. */
  start(): Promise<void>;
  /** Ends the worker of forecasts and the processes of models. */
  close(): Promise<void>;
}

export interface PredictionsOptions
  extends Omit<BuildsOptions, 'datasets' | 'models'>,
    Pick<PendingOptions, 'runs' | 'stopping'> {
  tasks: Tasks;
  logger: Pick<Logger, 'error' | 'warn'>;
}

export function createPredictions({ logger, ...options }: PredictionsOptions): Predictions {
  const { log, clock, sources, urlOf } = options;
  const forecaster = createForecaster({
    clock,
    onFailure: (message) => logger.error({ failure: message }, 'The worker of forecasts failed.'),
  });
  const models = createModelRunner({ clock });
  const pieces = createPieces(options);
  const wake = createWake(options.tasks, clock);
  const stored = (tx: WriteTransaction, playbookKey: PlaybookKey): Promise<void> => wakeShadows(tx, playbookKey, wake);
  const datasets = createDatasets({ log, clock, pieces, forecaster, stored });
  const versions = createVersions({ log, activated: wake });
  const builds = createBuilds({ ...options, datasets, models });
  const candidates = new Candidates({ log, clock, pieces, builds, models });
  const shadows = new Shadows({ log, datasets, candidates, versions, models, logger });
  const pending = new Pending({ ...options, datasets, versions, shadows, wake });
  const training = createTraining({ log, builds, datasets, versions, urlOf });
  const ask = createQuestions({ log, datasets, candidates, versions, models });
  return {
    predictor: createPredictor({ log, datasets, builds, candidates, versions, models, ask }),
    standing: createStanding({ log, clock, datasets, versions, sources }),
    operations: (playbooks) => [
      ...predictionOperations({ playbooks, datasets, candidates, training, versions }),
      ...browsingOperations({ log, sources, datasets, versions, ask }),
    ],
    definitions: hooksOf(wake),
    handlers: pending.handlers,
    async start() {
      await Promise.all([pieces.removeUnfinished(), models.removeLeft()]);
      await pending.start();
    },
    async close() {
      await Promise.all([forecaster.close(), models.close()]);
    },
  };
}

/** Holds a playbook to its number of active prediction functions, and ends the wait of a version whose function is retired. */
function hooksOf(wake: Wake): DefinitionHooks {
  return {
    async saved(tx, key, version) {
      if (key.type !== 'prediction' || version > 1) return;
      if ((await countFunctions(tx, key, 1)) <= LIMITS.predictionFunctions) return;
      throw conflict(
        `The playbook ${key.playbook} has ${LIMITS.predictionFunctions} active prediction functions, which is the limit; retire one first.`,
      );
    },
    async retired(tx, key) {
      if (key.type !== 'prediction') return;
      await countFunctions(tx, key, -1);
      await wake(tx, key);
    },
  };
}
