// A prediction function: its document with the defaults filled in.
import type { Sources } from '../../lib/yaml/index.ts';
import { EXPIRES_DEFAULT } from '../document/index.ts';
import { type Period, type PredictionDocument, SEASONS } from './schema.ts';

type DatasetSection = PredictionDocument['dataset'];

/** Who is asked for candidates: a party in the inbox, or an interaction. */
export type Trainer = { inbox: string; expires: string } | { interaction: string };

/** What a document says, with the defaults of what it leaves out. */
export interface PredictionFunction {
  description: string | undefined;
  dataset: Required<Omit<DatasetSection, 'unit'>> & Pick<DatasetSection, 'unit'>;
  period: Period;
  season: number;
  context: number;
  /** The horizons that questions may name, rising. */
  horizons: readonly number[];
  /** The largest of them: how many periods a model predicts. */
  horizon: number;
  coverage: number;
  windows: number;
  trainer: Trainer;
  activate: Required<NonNullable<PredictionDocument['activate']>>;
  shadowPeriods: number;
  buildsPerDay: number;
}

export function functionOf({ dataset, horizon, ...document }: PredictionDocument): PredictionFunction {
  const horizons =
    typeof horizon === 'number' ? Array.from({ length: horizon }, (_, index) => index + 1) : horizon.toSorted(byNumber);
  return {
    description: document.description,
    dataset: { known: [], observed: [], static: [], ...dataset },
    period: document.period,
    season: document.season ?? SEASONS[document.period],
    context: document.context,
    horizons,
    horizon: Math.max(...horizons),
    coverage: document.coverage ?? 0.8,
    windows: document.windows ?? 6,
    trainer: trainerOf(document.trainer),
    activate: { beat: 0.02, wins: 0.6, coverage_within: 0.1, approval: 'none', ...document.activate },
    shadowPeriods: document.shadow?.periods ?? 0,
    buildsPerDay: document.builds_per_day ?? 20,
  };
}

/** The function that a version's source describes, which was checked when it was saved. */
export async function readFunction(source: string, sources: Pick<Sources, 'valueOf'>): Promise<PredictionFunction> {
  return functionOf((await sources.valueOf(source)) as unknown as PredictionDocument);
}

function trainerOf({ inbox = '', expires = EXPIRES_DEFAULT, interaction }: PredictionDocument['trainer']): Trainer {
  return interaction === undefined ? { inbox, expires } : { interaction };
}

function byNumber(a: number, b: number): number {
  return a - b;
}

/** The columns that a dataset must have beside `series` and `period`. */
export function columnsOf({ dataset }: Pick<PredictionFunction, 'dataset'>): string[] {
  return [dataset.value, ...dataset.known, ...dataset.observed, ...dataset.static];
}
