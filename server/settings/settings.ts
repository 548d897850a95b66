// Settings come from the command line, then the environment, then the files, then defaults. A server checks all of them
// before it starts; a command reads those that it uses.
import path from 'node:path';
import type { DataKey } from '../kernel/secrets/index.ts';
import { lazily } from '../lib/lazily.ts';
import type { DatabaseSettings } from './database.ts';
import { type KeptProviders, type LiveFiles, openFiles } from './files.ts';
import { type Environment, environmentVariable } from './environment.ts';
import type { Mode } from './playbook-filter.ts';
import { readIssuer, readPublicUrl, readStudioSignIn, type StudioSignIn } from './published.ts';
import {
  type LogLevel,
  optionalOrigin,
  readEndpoint,
  readHost,
  readLogLevel,
  readOrigins,
  readPort,
  readSecretsKeys,
} from './variables.ts';
import { readRateLimit, readTrustedProxies } from './traffic.ts';
import os from 'node:os';

export interface Settings
  extends Pick<
    LiveFiles,
    | 'workflowHosts'
    | 'workflowNamedHosts'
    | 'workflowSecrets'
    | 'toolServers'
    | 'mcpAnswers'
    | 'models'
    | 'connectionRules'
    | 'apiKeys'
  > {
  mode: Mode;
  /** A loopback address in local mode. */
  host: string;
  /** The port asked for, 0 for any free one; undefined: the data directory's, else 4747 or the next free one. */
  port: number | undefined;
  dataDir: string;
  database: DatabaseSettings;
  /** Origins of pages that may call beside the server's own. */
  allowedOrigins: readonly string[];
  studioOrigin: string | undefined;
  /** The origin under which clients reach a published server; undefined: its own address. */
  publicUrl: string | undefined;
  /** The identity service whose tokens are accepted; undefined: nobody signs in. */
  identityIssuer: string | undefined;
  studioSignIn: StudioSignIn;
  /** Commands that a caller of a published server may send in a minute; 0: any number. */
  rateLimit: number;
  /** Addresses and networks of the reverse proxies before the server. */
  trustedProxies: readonly string[];
  logLevel: LogLevel;
  /** Where traces and metrics are sent; undefined: nowhere. */
  telemetryEndpoint: string | undefined;
  /** The data keys of SECRETS_KEY; if empty, they are in the data directory. */
  secretsKeys: () => readonly DataKey[];
  /** The env file and the configuration file; `workflowHosts`, `workflowSecrets`, `toolServers`, `models` and `connectionRules` say what they give now. */
  files: LiveFiles;
}

/** What the command line says, where it says it. */
export interface Overrides {
  host?: string | undefined;
  port?: string | undefined;
  dataDir?: string | undefined;
}

/** The data directory, which no file of settings says: what lives there is found also where one of them does not fit. */
export function readDataDir(own: Environment, { dataDir }: Pick<Overrides, 'dataDir'> = {}): string {
  return path.resolve(dataDir ?? environmentVariable(own, 'DATA_DIR') ?? defaultDataDir(own));
}

/**
 * The settings, of which each is read when it is first used: a command is stopped by what it uses, and by nothing else. A
 * setting that does not fit throws SettingsError whenever it is used.
 * @param keptProviders absent: no key is kept; models that are allowed must then be of a provider that is configured
 */
export function openSettings(
  own: Environment,
  overrides: Overrides = {},
  keptProviders: KeptProviders = () => [],
): Settings {
  const dataDir = readDataDir(own, overrides);
  const { environment, database, mode, files } = openFiles(own, dataDir, keptProviders);
  const given = <T>(read: (variables: Environment) => T) => lazily(() => read(environment()));
  const issuer = given(readIssuer);
  const secretsKeys = given((all) => readSecretsKeys(environmentVariable(all, 'SECRETS_KEY'), database().kind));
  return withMembers({
    dataDir: () => dataDir,
    database,
    mode,
    identityIssuer: issuer,
    host: given((all) => readHost(overrides.host ?? environmentVariable(all, 'HOST') ?? '127.0.0.1', mode())),
    port: given((all) => readPort(overrides.port ?? environmentVariable(all, 'PORT'))),
    allowedOrigins: given((all) => readOrigins('ALLOWED_ORIGINS', environmentVariable(all, 'ALLOWED_ORIGINS'))),
    studioOrigin: given((all) => optionalOrigin('STUDIO_ORIGIN', environmentVariable(all, 'STUDIO_ORIGIN'))),
    publicUrl: given((all) => readPublicUrl(all, mode(), { keys: files.apiKeys(), issuer: issuer() })),
    studioSignIn: given((all) => readStudioSignIn(all, issuer())),
    rateLimit: given((all) => readRateLimit(environmentVariable(all, 'RATE_LIMIT'))),
    trustedProxies: given((all) => readTrustedProxies(environmentVariable(all, 'TRUSTED_PROXIES'))),
    logLevel: given((all) => readLogLevel(environmentVariable(all, 'LOG_LEVEL') ?? 'info')),
    telemetryEndpoint: given((all) => readEndpoint(environmentVariable(all, 'OTEL_EXPORTER_OTLP_ENDPOINT'))),
    secretsKeys: () => secretsKeys,
    files: () => files,
    workflowHosts: () => files.workflowHosts,
    workflowNamedHosts: () => files.workflowNamedHosts,
    workflowSecrets: () => files.workflowSecrets,
    toolServers: () => files.toolServers,
    mcpAnswers: () => files.mcpAnswers,
    models: () => files.models,
    connectionRules: () => files.connectionRules,
    apiKeys: () => files.apiKeys,
  });
}

/** The settings of a server, all of them checked. @throws SettingsError for the first setting that does not fit */
export function readSettings(own: Environment, overrides?: Overrides, keptProviders?: KeptProviders): Settings {
  const settings = openSettings(own, overrides, keptProviders);
  checkSettings(settings);
  return settings;
}

/** Reads every setting. @throws SettingsError for the first one that does not fit */
export function checkSettings(settings: Settings): void {
  void settings.database;
  settings.files.readAgain();
  settings.secretsKeys();
  for (const name of Object.keys(settings)) void settings[name as keyof Settings];
}

/** An object whose members are read when they are used. */
function withMembers<T extends object>(readers: { [Name in keyof T]: () => T[Name] }): T {
  const members = Object.entries<() => unknown>(readers).map(
    ([name, read]) => [name, { get: read, enumerable: true }] as const,
  );
  return Object.defineProperties({}, Object.fromEntries(members)) as T;
}

/** The platform's folder for data of programs, and `cuebook` in it. */
export function defaultDataDir(environment: Environment, platform: NodeJS.Platform = process.platform): string {
  const home = os.homedir();
  switch (platform) {
    case 'darwin':
      return path.join(home, 'Library', 'Application Support', 'cuebook');
    case 'win32':
      return path.join(
        environmentVariable(environment, 'LOCALAPPDATA') ?? path.join(home, 'AppData', 'Local'),
        'cuebook',
      );
    default:
      return path.join(
        environmentVariable(environment, 'XDG_DATA_HOME') ?? path.join(home, '.local', 'share'),
        'cuebook',
      );
  }
}
