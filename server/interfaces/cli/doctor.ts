import { listProvidersWithKeys } from '../../domain/models/index.ts';
import { statSync } from 'node:fs';
import { openLog, openSecrets } from '../../runtime/open-stores.ts';
import { systemClock } from '../../lib/clock.ts';
import {
  type EventLog,
  lookIntoPostgres,
  type LookedAtDatabase,
  refuseLost,
  type TableSize,
  tableSizes,
} from '../../kernel/log/index.ts';
import { KeyNotMade, NoDataKey } from '../../kernel/secrets/index.ts';
import {
  type Overrides,
  openSettings,
  readSettings,
  type Settings,
  SettingsError,
  type SettingsFiles,
  shownVariables,
} from '../../settings/index.ts';
import { claimDataDir } from './claim-data-dir.ts';
import { CommandFailure, EXIT, exitForStore, failed, misused } from './failure.ts';
import { exists } from './paths.ts';
import { progress, show } from './output.ts';
import { findRuntime, type RunningRuntime } from './runtime-file.ts';

export interface DoctorOptions extends Overrides {
  rebuild?: boolean | undefined;
  rotateKey?: boolean | undefined;
  json?: boolean | undefined;
}

/**
 * Prints the settings and the size of the database. With `rebuild`, rebuilds the read tables from the event log; with
 * `rotateKey`, re-encrypts every secret with a new data key.
 */
export async function doctor(options: DoctorOptions): Promise<void> {
  const used = openSettings(process.env, options);
  if (options.rebuild === true) return alone(used, rebuild);
  if (options.rotateKey === true) return alone(used, (log) => rotateKey(used, log));
  const settings = readable(options);
  if (settings instanceof SettingsError) return reportFault(settings, used, options);
  const running = await findRuntime(settings.dataDir);
  const { database } = settings;
  const found = await lookInto(settings, running !== undefined);
  const files = settings.files.read();
  const values = valuesOf(settings, files);
  const providers = settings.models().providers.map(({ prefix }) => prefix);
  const apiKeys = settings.apiKeys().length;
  const byKeptKey = (database.kind === 'sqlite' ? listProvidersWithKeys(database.file) : []).filter(
    (prefix) => !providers.includes(prefix),
  );
  const report = {
    settings: { ...nullsFor(values), ...files, modelProviders: providers, modelProvidersByKeptKey: byKeptKey },
    mode: settings.mode,
    apiKeys,
    runtime: running ?? null,
    ...found,
  };
  show(options, report, () =>
    [
      modeLine(settings.mode, apiKeys),
      ...Object.entries(values).map(
        ([name, value]) => `${name}: ${value === undefined ? 'not set' : JSON.stringify(value)}`,
      ),
      ...fileLines(files),
      `model providers: ${providers.length === 0 ? 'none' : providers.join(', ')}${byKeptKey.length === 0 ? '' : `; with a key saved in the studio: ${byKeptKey.join(', ')}`}`,
      runtimeLine(running),
      ...(running?.work === undefined ? [] : [activityLine(running.work)]),
      ...databaseLines(found),
    ].join('\n'),
  );
}

/** The settings, or why they cannot be read. */
function readable(options: DoctorOptions): Settings | SettingsError {
  try {
    return readSettings(process.env, options, listProvidersWithKeys);
  } catch (error) {
    if (error instanceof SettingsError) return error;
    throw error;
  }
}

/** Reports the invalid setting, and the facts that do not depend on it. */
async function reportFault({ message }: SettingsError, used: Settings, { json }: DoctorOptions): Promise<never> {
  const { dataDir } = used;
  const running = await findRuntime(dataDir);
  // An error of the database is reported once the settings are valid.
  const database = await lookInto(used, running !== undefined).catch(() => undefined);
  const found = {
    settings: { DATA_DIR: dataDir },
    runtime: running === undefined ? null : { ...running },
    ...database,
  };
  const lines = [
    `DATA_DIR: ${JSON.stringify(dataDir)}`,
    runtimeLine(running),
    ...(running === undefined ? [] : ['It keeps its previous settings.']),
    ...(database === undefined || database.tables === null ? [] : databaseLines(database)),
  ];
  // With --json, the failure below prints the report.
  if (json !== true) show({ json }, found, () => lines.join('\n'));
  throw new CommandFailure(message, EXIT.misused, { detail: message, ...found });
}

function modeLine(mode: Settings['mode'], apiKeys: number): string {
  return mode === 'local'
    ? 'mode: local; no credential is needed'
    : `mode: published; ${apiKeys} API ${apiKeys === 1 ? 'key' : 'keys'}`;
}

interface FoundDatabase {
  bytes: number;
  tables: TableSize[] | null;
  /** Present for PostgreSQL. */
  postgres?: Pick<LookedAtDatabase, 'version' | 'connections' | 'processes' | 'clockAhead'>;
}

function databaseLines({ bytes, tables, postgres }: FoundDatabase): string[] {
  return [
    `database: ${bytes} bytes. Events are never deleted.`,
    ...(postgres === undefined ? [] : [postgresLine(postgres)]),
    ...(tables ?? []).map(({ table, rows, bytes: size }) => `${table}: ${rows} rows, ${size} bytes`),
  ];
}

/** @throws UnusableStoreError */
async function lookInto({ database }: Settings, isServed: boolean): Promise<FoundDatabase> {
  if (database.kind === 'postgres') {
    const { bytes, tables, ...postgres } = await lookIntoPostgres({ url: database.url(), schema: database.schema });
    return { bytes, tables, postgres };
  }
  const tables = exists(database.file) ? tableSizes(database.file) : null;
  if (!isServed) refuseLost(database.file);
  return { bytes: bytesOf(database.file), tables };
}

function postgresLine({ version, connections, processes, clockAhead }: NonNullable<FoundDatabase['postgres']>): string {
  const seconds = (Math.abs(clockAhead) / 1000).toFixed(1);
  const clock = `its clock is ${seconds} seconds ${clockAhead < 0 ? 'behind' : 'ahead of'} this machine's`;
  return `PostgreSQL ${version}: ${connections} connections of Cuebook, ${processes} ${processes === 1 ? 'server' : 'servers'}; ${clock}. The numbers of rows are estimates.`;
}

function runtimeLine(running: RunningRuntime | undefined): string {
  return running === undefined
    ? 'runtime: not running'
    : `runtime: version ${running.version}, process ${running.pid}, listening on ${running.address}`;
}

function activityLine({ seconds, commits, statements }: NonNullable<RunningRuntime['work']>): string {
  const rate = (count: number): string => `${count} (${(count / Math.max(1, seconds)).toFixed(1)} per second)`;
  return `since it started ${Math.round(seconds)} seconds ago: commits ${rate(commits)}, SQL statements ${rate(statements)}`;
}

/** Settings with one value, by variable. Entries of the files are counted instead. */
function valuesOf(settings: Settings, { configFile }: SettingsFiles): ReturnType<typeof shownVariables> {
  return {
    DATA_DIR: settings.dataDir,
    ...shownVariables(settings, configFile.inVariables),
    SECRETS_KEY: settings.secretsKeys().length === 0 ? undefined : 'set',
  };
}

/** JSON has no undefined: a setting without a value is null. */
function nullsFor(values: ReturnType<typeof valuesOf>): object {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value ?? null]));
}

/** Paths and counts: the files may hold secrets. */
function fileLines({ envFile, configFile }: SettingsFiles): string[] {
  return [
    `env file: ${envFile.path} ${envFile.wasRead ? `(${envFile.variables} variables)` : '(not found)'}`,
    `configuration file: ${configFile.path} ${
      configFile.wasRead
        ? `(entries: ${Object.keys(configFile.entries)
            .map((key) => countWords(key, configFile))
            .join(', ')})`
        : '(not found)'
    }`,
  ];
}

function countWords(key: string, { entries, inVariables }: SettingsFiles['configFile']): string {
  const count = entries[key] ?? 0;
  return `${key} ${count}${count > 0 && inVariables.includes(key) ? ', ignored because its variable is set' : ''}`;
}

/** Calls `use` with the event log, while no runtime has it open. */
async function alone(settings: Settings, use: (log: EventLog) => Promise<void>): Promise<void> {
  await refuseServed(settings.database);
  const { running, opened: log } = await claimDataDir(settings.dataDir, () =>
    openLog(settings, systemClock, exitForStore),
  );
  if (running !== undefined) {
    throw misused(
      `A runtime at ${running.address} is using this data directory. Stop it, then run this command again.`,
    );
  }
  try {
    await use(log);
  } finally {
    await log.close();
  }
}

/** Refuses while servers on other machines use the same schema: the data directory does not show them. */
async function refuseServed(database: Settings['database']): Promise<void> {
  if (database.kind !== 'postgres') return;
  const { place: location, schema } = database;
  const { processes } = await lookIntoPostgres({ url: database.url(), schema });
  if (processes === 0) return;
  throw misused(
    `${processes === 1 ? 'A server uses' : `${processes} servers use`} the schema ${schema} of ${location}. Stop all servers, then run this command again; one that was killed counts for 15 seconds.`,
  );
}

async function rebuild(log: EventLog): Promise<void> {
  progress('Rebuilding the read tables from the event log.');
  const events = await log.rebuild();
  process.stdout.write(`Rebuilt the read tables from ${events} events.\n`);
}

async function rotateKey(settings: Settings, log: EventLog): Promise<void> {
  try {
    const { sealed, unreadable } = await openSecrets(settings, log).rotate();
    const unreadableWords = unreadable === 0 ? '' : ` ${unreadable} cannot be decrypted and were not changed.`;
    process.stdout.write(`Encrypted ${sealed} secrets with the new key.${unreadableWords}\n`);
  } catch (error) {
    if (error instanceof NoDataKey || error instanceof KeyNotMade) throw failed(error.message);
    throw error;
  }
}

function bytesOf(file: string): number {
  return ['', '-wal'].reduce((sum, suffix) => sum + (statSync(file + suffix, { throwIfNoEntry: false })?.size ?? 0), 0);
}
