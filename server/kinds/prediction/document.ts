// The document of a prediction function: as it is written, and with what it leaves out filled in.
import type { Sources } from '../../lib/yaml/index.ts';
import type { Example } from '../checked.ts';
import { EXPIRES_DEFAULT } from '../document/index.ts';

/** The lengths of a period, shortest first, each with the season that is usual for it, in periods. */
const SEASONS = { hour: 24, day: 7, week: 1, month: 12, quarter: 4, year: 1 } as const;

export type Period = keyof typeof SEASONS;
export const PERIODS = Object.keys(SEASONS) as readonly string[] as readonly Period[];

export interface DatasetSection {
  /** The column of the values. */
  value: string;
  /** The unit of the values, for people. */
  unit?: string;
  /** Columns of numbers that are known for the future too. */
  known?: string[];
  /** Columns of numbers that are known for the past alone. */
  observed?: string[];
  /** Columns of texts that stay the same for a series. */
  static?: string[];
}

/** Who is asked for candidates: a party in the inbox, or an interaction; one of them. */
export interface TrainerSection {
  inbox?: string;
  expires?: string;
  interaction?: string;
}

/** The same once it is checked. */
export type Trainer = { inbox: string; expires: string } | { interaction: string };

export interface ActivateSection {
  beat?: number;
  wins?: number;
  coverage_within?: number;
  approval?: 'none' | { interaction: string };
}

export interface PredictionDocument {
  description?: string;
  dataset: DatasetSection;
  period: Period;
  season?: number;
  context: number;
  /** The last horizon of 1 to it, or the horizons themselves. */
  horizon: number | number[];
  coverage?: number;
  windows?: number;
  trainer: TrainerSection;
  activate?: ActivateSection;
  shadow?: { periods?: number };
  builds_per_day?: number;
  examples?: Example[];
  expose?: boolean;
}

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
  activate: Required<ActivateSection>;
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

function trainerOf({ inbox = '', expires = EXPIRES_DEFAULT, interaction }: TrainerSection): Trainer {
  return interaction === undefined ? { inbox, expires } : { interaction };
}

function byNumber(a: number, b: number): number {
  return a - b;
}

/** The columns that a dataset must have beside `series` and `period`. */
export function columnsOf({ dataset }: Pick<PredictionFunction, 'dataset'>): string[] {
  return [dataset.value, ...dataset.known, ...dataset.observed, ...dataset.static];
}
