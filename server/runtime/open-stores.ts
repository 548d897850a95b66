// The first step of the composition: what is kept in the data directory.
import { mkdirSync } from 'node:fs';
import { connectionMigrations, connectionProjection } from '../domain/connections/index.ts';
import { definitionMigrations, definitionProjection } from '../domain/definitions/index.ts';
import { subscriptionMigrations } from '../domain/events/index.ts';
import { interactionMigrations, interactionProjection } from '../domain/interactions/index.ts';
import { playbookMigrations, playbookProjection } from '../domain/playbooks/index.ts';
import { predictionMigrations, predictionProjection } from '../domain/predictions/index.ts';
import { durableRunMigrations, runMigrations, runProjection } from '../domain/runs/index.ts';
import { triggerMigrations } from '../domain/triggers/index.ts';
import { viewMigrations } from '../domain/views/index.ts';
import { contentMigrations } from '../kernel/contents/index.ts';
import { createIds, type Ids } from '../kernel/ids.ts';
import {
  createEventLog,
  type EventLog,
  logMigrations,
  type Migration,
  openPostgresStore,
  openSqliteStore,
  type SqliteStoreOptions,
  type Store,
} from '../kernel/log/index.ts';
import {
  createKeyHome,
  createKeyKeeper,
  createKeylessKeeper,
  createSecretStore,
  type DataKey,
  type KeyHome,
  type KeyKeeper,
  type KeyWrapper,
  secretMigrations,
  type SecretStore,
} from '../kernel/secrets/index.ts';
import { taskMigrations } from '../kernel/tasks/index.ts';
import type { Clock } from '../lib/clock.ts';
import { Refused } from '../lib/rejection.ts';
import { type Settings, SettingsError } from '../settings/index.ts';

/** The schema of every store, in its order. */
export const MIGRATIONS: readonly Migration[] = [
  ...logMigrations,
  ...contentMigrations,
  ...taskMigrations,
  ...playbookMigrations,
  ...definitionMigrations,
  ...runMigrations,
  ...durableRunMigrations,
  ...subscriptionMigrations,
  ...triggerMigrations,
  ...interactionMigrations,
  ...viewMigrations,
  ...predictionMigrations,
  ...secretMigrations,
  ...connectionMigrations,
];
const PROJECTIONS = [
  playbookProjection,
  definitionProjection,
  runProjection,
  interactionProjection,
  predictionProjection,
  connectionProjection,
];

export interface StoreOptions {
  settings: Settings;
  clock: Clock;
  /** Called when a commit failed and it is unknown whether it happened: the process must exit. */
  onUnknownCommit: (sentence: string) => void;
  /** Opens the store on SQLite; absent: one that writes in a thread once it is busy. */
  openStore?: ((options: SqliteStoreOptions) => Store) | undefined;
  /** The operating system's own store, where a desktop app lends it. */
  keyWrapper?: KeyWrapper | undefined;
}

export interface Stores {
  log: EventLog;
  ids: Ids;
  secrets: SecretStore;
  /** Where the data key of the secret store is kept. */
  keyHome: KeyHome;
}

/** A server that is hardly used does without the thread and its memory. */
const COMMITS_BEFORE_THREAD = 50;
const openWithThread = (options: SqliteStoreOptions): Store =>
  openSqliteStore({ ...options, threadAfter: COMMITS_BEFORE_THREAD });

/** @throws UnusableStoreError */
export function openStores(options: StoreOptions): Stores {
  const { settings, clock, keyWrapper } = options;
  const log = openLog(settings, clock, options.onUnknownCommit, options.openStore ?? openWithThread);
  const { given, keeper } = openKeys(settings, keyWrapper);
  const secrets = createSecretStore(log, keeper);
  return {
    log,
    ids: createIds(clock),
    secrets,
    keyHome: createKeyHome({ given, dataDir: settings.dataDir, keeper, secrets, wrapper: keyWrapper }),
  };
}

/** A runtime for a command does without SECRETS_KEY, which it then refuses to use. */
function openKeys(
  settings: Settings,
  wrapper: KeyWrapper | undefined,
): { given: readonly DataKey[]; keeper: KeyKeeper } {
  try {
    const given = settings.secretsKeys();
    return { given, keeper: createKeyKeeper(given, settings.dataDir, wrapper) };
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return { given: [], keeper: createKeylessKeeper(error.message) };
  }
}

/** Opens the log alone, for what needs no server. The caller closes it. @throws UnusableStoreError */
export function openLog(
  settings: Pick<Settings, 'dataDir' | 'database'>,
  clock: Clock,
  onUnknownCommit: (sentence: string) => void,
  openStore = openSqliteStore,
): EventLog {
  mkdirSync(settings.dataDir, { recursive: true, mode: 0o700 });
  const { database } = settings;
  const common = { migrations: MIGRATIONS, clock, onUnknownCommit };
  const store =
    database.kind === 'sqlite'
      ? openStore({ ...common, file: database.file })
      : openPostgresStore({ ...common, ...database, url: database.url() });
  return createEventLog({ store, projections: PROJECTIONS, clock, ids: createIds(clock) });
}

/** The secret store of a log. Its key comes from SECRETS_KEY, or from the data directory. */
export function openSecrets(settings: Settings, log: EventLog): SecretStore {
  return createSecretStore(log, createKeyKeeper(settings.secretsKeys(), settings.dataDir));
}

/**
 * Several servers seal under one key: a server that does not have it would break what the others sealed.
 * @throws SettingsError
 */
export async function requireDataKeys(secrets: SecretStore, { database }: Settings): Promise<void> {
  if (database.kind === 'sqlite' || !(await secrets.lacksKey())) return;
  throw new SettingsError(
    'SECRETS_KEY does not open what is sealed in the database; set the key that the other servers use, or add the earlier key after a comma.',
  );
}
