// How a prediction function stands: its dataset, its model versions and its builds.
import type { Definition, PredictionStanding } from '../../../shared/schemas/index.ts';
import { readFunction } from '../../kinds/prediction/index.ts';
import type { EventLog } from '../../kernel/log/index.ts';
import type { Sources } from '../../lib/yaml/index.ts';
import type { DefinitionKey } from '../definitions/index.ts';
import type { Datasets } from './datasets.ts';

export interface StandingOptions {
  log: EventLog;
  datasets: Pick<Datasets, 'newestOf'>;
  sources: Pick<Sources, 'valueOf'>;
}

/** How an active function stands; undefined for a retired one. */
export type ReadStanding = (
  key: DefinitionKey,
  definition: Pick<Definition, 'status' | 'source'>,
) => Promise<PredictionStanding | undefined>;

export function createStanding({ log, datasets, sources }: StandingOptions): ReadStanding {
  return async (key, { status, source }) => {
    if (status === 'retired') return undefined;
    const prediction = await readFunction(source, sources);
    const newest = await log.read((tx) => datasets.newestOf(tx, key, prediction));
    return {
      dataset: newest === undefined ? null : shownDataset(newest),
      active: null,
      pending: null,
      builds_today: 0,
      builds_left: prediction.buildsPerDay,
    };
  };
}

type ShownDataset = NonNullable<PredictionStanding['dataset']>;

function shownDataset({ dataset, series, first, last }: ShownDataset): ShownDataset {
  return { dataset, series, first, last };
}
