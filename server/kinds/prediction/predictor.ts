// What runs of prediction functions need of the service: datasets, models and figures.
import type { Json, JsonObject } from '../../../shared/json.ts';
import type { PlaybookKey } from '../../kernel/log/index.ts';
import type { PerformingRun } from '../durable.ts';
import type { Ending, RunRequest } from '../run.ts';
import type { PredictionFunction } from './document.ts';

/** An event of a run. */
export interface Fact {
  type: string;
  data: JsonObject;
}

/** A build that may ask its trainer. */
export interface BegunBuild {
  dataset: string;
  briefUrl: string;
  rowsUrl: string;
  /** The id of the run that asks, where an interaction does. */
  askingRunId: string;
}

/** Who is asked: a prediction function of a playbook. */
export type AskedFunction = Pick<RunRequest, 'org' | 'playbook' | 'name' | 'signal'>;

export interface Predictor {
  /** Answers a question with the active version. @throws Refused */
  ask(
    asked: AskedFunction,
    prediction: PredictionFunction,
    question: { series: string; horizon: number | undefined },
  ): Promise<{ output: Json; record: JsonObject }>;
  /**
   * Assembles the dataset of a build and records it.
   * @param dataset the digest of the one that is asked for; undefined: the newest
   * @throws Refused
   */
  begin(run: RunRequest, prediction: PredictionFunction, dataset: string | undefined): Promise<BegunBuild>;
  /** The digests of the candidates that were uploaded to a build. */
  candidatesOf(run: PlaybookKey & { runId: string }): Promise<ReadonlySet<string>>;
  /** Scores candidates and decides on the best one. Doing it again gives the same, and the same version. */
  score(
    run: PerformingRun,
    prediction: PredictionFunction,
    build: { dataset: string; candidates: readonly string[] },
    signal: AbortSignal,
  ): Promise<{ facts: Fact[]; ending: Ending }>;
}
