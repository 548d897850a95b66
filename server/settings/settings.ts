// Settings come from the command line, then the environment, then the files, then defaults, and are all checked before
// anything starts.
import path from 'node:path';
import type { DataKey } from '../kernel/secrets/index.ts';
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
 * @param keptProviders absent: no key is kept; models that are allowed must then be of a provider that is configured
 * @throws SettingsError for the first setting that does not fit
 */
export function readSettings(
  own: Environment,
  overrides: Overrides = {},
  keptProviders: KeptProviders = () => [],
): Settings {
  const dataDir = readDataDir(own, overrides);
  const { environment, database, mode, files } = openFiles(own, dataDir, keptProviders);
  const identityIssuer = readIssuer(environment);
  const secretsKeys = readSecretsKeys(environmentVariable(environment, 'SECRETS_KEY'));
  return {
    mode,
    host: readHost(overrides.host ?? environmentVariable(environment, 'HOST') ?? '127.0.0.1', mode),
    port: readPort(overrides.port ?? environmentVariable(environment, 'PORT')),
    dataDir,
    database,
    allowedOrigins: readOrigins('ALLOWED_ORIGINS', environmentVariable(environment, 'ALLOWED_ORIGINS')),
    studioOrigin: optionalOrigin('STUDIO_ORIGIN', environmentVariable(environment, 'STUDIO_ORIGIN')),
    publicUrl: readPublicUrl(environment, mode, { keys: files.apiKeys(), issuer: identityIssuer }),
    identityIssuer,
    studioSignIn: readStudioSignIn(environment, identityIssuer),
    rateLimit: readRateLimit(environmentVariable(environment, 'RATE_LIMIT')),
    trustedProxies: readTrustedProxies(environmentVariable(environment, 'TRUSTED_PROXIES')),
    logLevel: readLogLevel(environmentVariable(environment, 'LOG_LEVEL') ?? 'info'),
    secretsKeys: () => secretsKeys,
    files,
    workflowHosts: files.workflowHosts,
    workflowNamedHosts: files.workflowNamedHosts,
    workflowSecrets: files.workflowSecrets,
    toolServers: files.toolServers,
    mcpAnswers: files.mcpAnswers,
    models: files.models,
    telemetryEndpoint: readEndpoint(environmentVariable(environment, 'OTEL_EXPORTER_OTLP_ENDPOINT')),
    connectionRules: files.connectionRules,
    apiKeys: files.apiKeys,
  };
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
