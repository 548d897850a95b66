// How a prediction function stands: its dataset, its model versions and its builds.
import type { Definition, PredictionStanding } from '../../../shared/schemas/index.ts';
import { readFunction } from '../../kinds/prediction/index.ts';
import type { EventLog } from '../../kernel/log/index.ts';
import type { Sources } from '../../lib/yaml/index.ts';
import type { DefinitionKey } from '../definitions/index.ts';
import { type Clock, isoTime } from '../../lib/clock.ts';
import type { Datasets } from './datasets.ts';
import { countBuilds } from './models-sql.ts';
import { selectPending } from './pending-sql.ts';
import { dayOf } from './projection.ts';
import type { ActiveVersion, Versions } from './versions.ts';

export interface StandingOptions {
  log: EventLog;
  clock: Clock;
  datasets: Pick<Datasets, 'newestOf'>;
  versions: Pick<Versions, 'active'>;
  sources: Pick<Sources, 'valueOf'>;
}

/** How an active function stands; undefined for a retired one. */
export type ReadStanding = (
  key: DefinitionKey,
  definition: Pick<Definition, 'status' | 'source'>,
) => Promise<PredictionStanding | undefined>;

export function createStanding({ log, clock, datasets, versions, sources }: StandingOptions): ReadStanding {
  return async (key, { status, source }) => {
    if (status === 'retired') return undefined;
    const prediction = await readFunction(source, sources);
    const place = { org: key.org, playbook: key.playbook, name: key.name };
    const { newest, active, pending, started } = await log.read(async (tx) => ({
      newest: await datasets.newestOf(tx, key, prediction),
      active: await versions.active(tx, place),
      pending: await selectPending(tx, place),
      started: await countBuilds(tx, place, dayOf(isoTime(clock.now()))),
    }));
    return {
      dataset: newest === undefined ? null : shownDataset(newest),
      active: active === undefined ? null : shownVersion(active),
      pending: pending === undefined ? null : { version: pending.version, for: pending.for, since: pending.since },
      builds_today: started,
      builds_left: Math.max(0, prediction.buildsPerDay - started),
    };
  };
}

function shownVersion({ version, at, rule, details }: ActiveVersion): NonNullable<PredictionStanding['active']> {
  return { version, activated_at: at, rule, scores: { ...details.scores.judge } };
}

type ShownDataset = NonNullable<PredictionStanding['dataset']>;

function shownDataset({ dataset, series, first, last }: ShownDataset): ShownDataset {
  return { dataset, series, first, last };
}
