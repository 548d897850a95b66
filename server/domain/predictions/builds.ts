// Builds: how one starts, and what can still be done with it.
import { type PredictionFunction, columnsOf, readFunction, type BegunBuild } from '../../kinds/prediction/index.ts';
import type { RunRequest } from '../../kinds/run.ts';
import type { Dataset } from '../../../shared/schemas/index.ts';
import { type Clock, isoTime } from '../../lib/clock.ts';
import type { Ids } from '../../kernel/ids.ts';
import type { EventLog, PlaybookKey, ReadTransaction } from '../../kernel/log/index.ts';
import type { Panel } from '../../lib/forecast/index.ts';
import type { ModelRunner } from '../../lib/onnx/index.ts';
import { conflict, invalidInput, Refused, unavailable } from '../../lib/rejection.ts';
import type { Sources } from '../../lib/yaml/index.ts';
import { readVersion } from '../definitions/index.ts';
import { attemptOf, metadataOf, requireRun, type RunRow, streamOf } from '../runs/index.ts';
import type { Datasets } from './datasets.ts';
import { countBuilds, selectBuild } from './models-sql.ts';
import { dayOf } from './projection.ts';
import { specOf } from './specs.ts';

/** A build that waits for its trainer. */
export interface OpenBuild extends PlaybookKey {
  runId: string;
  name: string;
  dataset: string;
  prediction: PredictionFunction;
  /** The description of the function. */
  description: string | undefined;
}

export interface Builds {
  /** Assembles the dataset and records it. @throws Refused */
  begin(run: RunRequest, prediction: PredictionFunction, digest: string | undefined): Promise<BegunBuild>;
  /** @throws Refused `not_found`, or `conflict` of the kinds `not_a_build` and `build_ended` */
  requireOpen(playbookKey: PlaybookKey, runId: string): Promise<OpenBuild>;
  /** The same within a transaction, without the function. */
  requireOpenIn(tx: ReadTransaction, playbookKey: PlaybookKey, runId: string): Promise<RunRow>;
  panelOf(build: OpenBuild, signal?: AbortSignal): Promise<Panel>;
}

export interface BuildsOptions {
  log: EventLog;
  clock: Clock;
  ids: Ids;
  sources: Pick<Sources, 'valueOf'>;
  datasets: Datasets;
  models: Pick<ModelRunner, 'availability'>;
  /** Whether a run expects uploads. */
  expectsUploads: (tx: ReadTransaction, run: RunRow) => Promise<boolean>;
  /** The address of a route below a playbook. */
  urlOf: (playbookKey: PlaybookKey, route: string) => string;
}

export function createBuilds(options: BuildsOptions): Builds {
  const { log, clock, ids, sources, datasets, models, expectsUploads, urlOf } = options;

  async function choose(run: RunRequest, prediction: PredictionFunction, digest: string | undefined): Promise<Dataset> {
    if (digest === undefined) {
      const newest = await log.read((tx) => datasets.newestOf(tx, run, prediction));
      if (newest !== undefined) return newest;
      const columns = columnsOf(prediction).join(', ');
      throw conflict(
        `The playbook has no dataset by ${prediction.period} with the columns ${columns}; upload one first.`,
        'no_dataset',
      );
    }
    const found = await log.read((tx) => datasets.fitOf(tx, run, prediction, digest));
    if (found === undefined) throw wrongDataset(`The playbook has no dataset ${digest}; upload it first.`);
    const { dataset, hasPeriod, missing } = found;
    if (!hasPeriod) {
      throw wrongDataset(
        `The period of the dataset is ${dataset.period}, and that of the function ${prediction.period}.`,
      );
    }
    if (missing !== undefined) {
      throw wrongDataset(`The dataset has no column \`${missing}\`; it has ${dataset.columns.join(', ')}.`);
    }
    return dataset;
  }

  async function requireOpenIn(tx: ReadTransaction, playbookKey: PlaybookKey, runId: string): Promise<RunRow> {
    const row = await requireRun(tx, playbookKey, runId);
    const build = await selectBuild(tx, { ...keyOf(playbookKey), runId: row.run_id });
    if (build === undefined) throw notABuild(row.run_id);
    if (!(await expectsUploads(tx, row))) throw buildEnded(row.run_id);
    return row;
  }

  return {
    async begin(run, prediction, digest) {
      // Otherwise the first to know would be the trainer, once it has trained.
      if (!models.availability.isAvailable) {
        throw unavailable(models.availability.reason, { because: 'no_model_runtime' });
      }
      const dataset = await choose(run, prediction, digest);
      try {
        await datasets.open(run, dataset.dataset, specOf(prediction), run.signal);
      } catch (error) {
        throw error instanceof Refused && error.rejection.reason === 'invalid_input'
          ? wrongDataset(error.rejection.detail)
          : error;
      }
      await log.write(run, async (tx) => {
        const day = dayOf(isoTime(clock.now()));
        const started = await countBuilds(tx, { ...keyOf(run), name: run.name }, day, run.runId);
        if (started >= prediction.buildsPerDay) {
          throw unavailable(
            `prediction/${run.name} has reached its limit of builds per day (UTC), \`builds_per_day: ${prediction.buildsPerDay}\`. Wait until tomorrow, or raise it.`,
            { because: 'builds_of_the_day' },
          );
        }
        const row = await requireRun(tx, run, run.runId);
        const { bytes, rows, series, period } = dataset;
        await log.append(tx, {
          ...keyOf(run),
          stream: streamOf(run.runId),
          events: [
            {
              type: 'dataset_assembled',
              data: { dataset: dataset.dataset, bytes, rows, series, period },
              metadata: { ...metadataOf(attemptOf(row)), causation_id: row.attempt_event_id },
            },
          ],
        });
      });
      const route = `/runs/${run.runId}/build`;
      return {
        dataset: dataset.dataset,
        briefUrl: urlOf(run, `${route}/brief`),
        rowsUrl: urlOf(run, `${route}/rows`),
        askingRunId: ids(),
      };
    },
    requireOpenIn,
    async requireOpen(playbookKey, runId) {
      const { row, build, source } = await log.read(async (tx) => {
        const run = await requireOpenIn(tx, playbookKey, runId);
        const version = await readVersion(tx, run, Number(run.definition_version));
        const key = { ...keyOf(playbookKey), runId: run.run_id };
        return { row: run, build: await selectBuild(tx, key), source: version.source };
      });
      if (build === undefined) throw notABuild(row.run_id);
      const prediction = await readFunction(source, sources);
      return { ...keyOf(playbookKey), runId: row.run_id, ...build, prediction, description: prediction.description };
    },
    panelOf: (build, signal) => datasets.open(build, build.dataset, specOf(build.prediction), signal),
  };
}

function keyOf({ org, playbook }: PlaybookKey): PlaybookKey {
  return { org, playbook };
}

/** The dataset that a build is to use does not fit. */
function wrongDataset(detail: string): Refused {
  return invalidInput([{ pointer: '/input/build/dataset', detail }]);
}

function notABuild(runId: string): Refused {
  return conflict(`The run ${runId} is not a build.`, 'not_a_build');
}

function buildEnded(runId: string): Refused {
  return conflict(`The build ${runId} has its answer or has ended; start a new one.`, 'build_ended');
}
