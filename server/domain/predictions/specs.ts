// What figures depend on: of a function, and of the version that was built for it.
import type { Scores, Calibration, ForecastSpec, StaticCodes } from '../../lib/forecast/index.ts';
import type { PredictionFunction } from '../../kinds/prediction/index.ts';

/** What a version was built with, and what it serves with. */
export interface VersionDetails {
  spec: ForecastSpec;
  codes: StaticCodes;
  calibration: Calibration;
  scores: { select: Scores; judge: Scores };
  /** Whether there were enough windows to measure its coverage. */
  isJudged: boolean;
  /** The last period of the dataset that it was built with. */
  last: string;
}

export function specOf(prediction: PredictionFunction): ForecastSpec {
  const { dataset, period, season, context, horizon, coverage, windows } = prediction;
  const { value, known, observed, static: statics } = dataset;
  return { value, known, observed, static: statics, period, season, context, horizon, coverage, windows };
}

/** Whether a model that was built for one spec is fed the same by another one. */
export function isFedAlike(one: ForecastSpec, other: ForecastSpec): boolean {
  return fed(one) === fed(other);
}

function fed({ value, known, observed, static: statics, period, context, horizon }: ForecastSpec): string {
  return JSON.stringify([value, known, observed, statics, period, context, horizon]);
}
