// Questions: what the active version predicts for a series.
import type { Json, JsonObject } from '../../../shared/json.ts';
import type { AskedFunction, PredictionFunction } from '../../kinds/prediction/index.ts';
import type { EventLog } from '../../kernel/log/index.ts';
import {
  intervalAt,
  type Panel,
  type Question,
  rawFault,
  serveForecasts,
  signatureOf,
} from '../../lib/forecast/index.ts';
import type { ModelRunner } from '../../lib/onnx/index.ts';
import { invalidInput, Refused, unavailable } from '../../lib/rejection.ts';
import type { Candidates } from './candidates.ts';
import type { Datasets } from './datasets.ts';
import { lastBuildWords } from './last-build.ts';
import { isFedAlike, specOf } from './specs.ts';
import type { ActiveVersion, Versions } from './versions.ts';

export interface QuestionsOptions {
  log: EventLog;
  datasets: Datasets;
  candidates: Pick<Candidates, 'read'>;
  versions: Pick<Versions, 'active'>;
  models: Pick<ModelRunner, 'ask'>;
}

export type AskQuestion = (
  run: AskedFunction,
  prediction: PredictionFunction,
  asked: { series: string; horizon: number | undefined },
) => Promise<{ output: Json; record: JsonObject }>;

export function createQuestions({ log, datasets, candidates, versions, models }: QuestionsOptions): AskQuestion {
  async function predict(run: AskedFunction, { candidate, details }: ActiveVersion, question: Question) {
    const { org, playbook } = run;
    const key = `${org}/${playbook}/${candidate}`;
    const read = () => candidates.read({ org, playbook }, candidate);
    const signature = signatureOf(details.spec);
    const { fault, value: output } = await models.ask({ key, signature, read }, () => question, {
      playbookKey: run,
      signal: run.signal,
    });
    if (fault !== undefined) throw refusedAnswer(fault.kind, fault.detail);
    const wrong = rawFault(output);
    if (wrong !== undefined) throw refusedAnswer(wrong.because, wrong.detail);
    return serveForecasts(output, [question.level], details.calibration);
  }

  return async (run, prediction, { series, horizon }) => {
    const key = { org: run.org, playbook: run.playbook, name: run.name };
    const { active, dataset, lastBuild } = await log.read(async (tx) => {
      const found = await versions.active(tx, key);
      return {
        active: found,
        dataset: await datasets.newestOf(tx, run, prediction),
        lastBuild: found === undefined ? await lastBuildWords(tx, key) : undefined,
      };
    });
    const spec = specOf(prediction);
    if (active === undefined) {
      throw noVersion(
        `prediction/${run.name} has no active model version. ${lastBuild ?? 'Build one with the input { "build": {} }.'}`,
      );
    }
    if (!isFedAlike(active.details.spec, spec)) {
      throw noVersion(
        `Version ${active.version}, the active one, was built for other columns, context or horizon than prediction/${run.name} has now; build a new one.`,
      );
    }
    if (dataset === undefined) throw noVersion(`The playbook has no dataset for prediction/${run.name}; upload one.`);
    const panel = await datasets.at(run, dataset.dataset, spec);
    const { codes } = active.details;
    const question = await panel.question(series, { codes, signal: run.signal }).catch((error: unknown) => {
      throw refusedDataset(run, error);
    });
    if (question === undefined || question.level.count === 0) {
      const others = async () => othersOf(await datasets.open(run, dataset.dataset, spec), series, run.signal);
      const why =
        question === undefined
          ? `The dataset has no series ${JSON.stringify(series)}; ${await others()}.`
          : `The series ${JSON.stringify(series)} has no value in the last ${spec.context} periods of the dataset.`;
      throw invalidInput([{ pointer: '/input/series', detail: why }]);
    }
    const figures = await predict(run, active, question);
    const named = horizon === undefined ? prediction.horizons : [horizon];
    const predicted = named.map((step) => ({ at: question.future[step - 1] ?? '', ...intervalAt(figures, step - 1) }));
    const observed = question.observed.map(({ period, value }) => ({ at: period, value }));
    const { unit } = prediction.dataset;
    return {
      output: {
        ...(unit === undefined ? {} : { unit }),
        lines: [
          { name: 'observed', points: observed },
          { name: 'predicted', points: predicted },
        ],
      },
      record: {
        version: active.version,
        // The document may have another one since; the intervals have that of the build.
        coverage: active.details.isJudged ? active.details.spec.coverage : null,
        dataset: dataset.dataset,
      },
    };
  };
}

/** The refusal of a dataset that has the columns, but not the values that a function needs: the caller cannot mend it. */
function refusedDataset({ name }: AskedFunction, error: unknown): unknown {
  if (!(error instanceof Refused) || error.rejection.reason !== 'invalid_input') return error;
  const { detail } = error.rejection;
  return unavailable(`The newest dataset does not fit prediction/${name}. ${detail}`, { because: 'dataset' });
}

/** Names of series that exist: those that contain the one that was asked for, or the first ones. */
async function othersOf(panel: Panel, series: string, signal: AbortSignal): Promise<string> {
  const page = { after: undefined, limit: 3, periods: 1 };
  const alike = await panel.series({ ...page, search: series }, { signal });
  const { items } = alike.items.length > 0 ? alike : await panel.series({ ...page, search: undefined }, { signal });
  const names = items.map((item) => JSON.stringify(item.series)).join(', ');
  return `it has ${panel.facts.series}, such as ${names}`;
}

function noVersion(detail: string): Refused {
  return unavailable(detail, { because: 'no_active_version' });
}

/** A served answer is never tried again: the same model gives the same. */
function refusedAnswer(fault: string, detail: string): Refused {
  return unavailable(detail, { because: fault === 'disorder' ? 'not_in_order' : fault });
}
