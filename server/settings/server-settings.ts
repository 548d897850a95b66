// The settings that are one value each. Each is described once: reference, `cuebook doctor`, options of `serve` and the
// members of `Settings` follow from it.
import { lazily } from '../lib/lazily.ts';
import type { ApiKey } from './api-keys.ts';
import { readDatabase, type DatabaseSettings } from './database.ts';
import { type Environment, environmentVariable } from './environment.ts';
import type { Mode } from './playbook-filter.ts';
import { readIssuer, readPublicUrl, readStudioSignIn } from './published.ts';
import { readRateLimit, readTrustedProxies } from './traffic.ts';
import { optionalOrigin, readEndpoint, readHost, readLogLevel, readOrigins, readPort } from './variables.ts';

export interface DescribedVariable {
  /** The option that takes precedence, with the command that has it. */
  option?: string;
  meaning: string;
  default: string;
}

/** What the reader of a setting may use beside its own text. */
export interface SettingSource {
  environment: Environment;
  dataDir: string;
  mode: () => Mode;
  apiKeys: () => readonly ApiKey[];
  issuer: () => string | undefined;
}

interface ServerSetting {
  variables: Readonly<Record<string, DescribedVariable>>;
  /** Its option of `serve`, which takes precedence over the first variable. Its name is in `optionName`. */
  option?: { argument: string; meaning: string };
  /** @param text of the option, else of the first variable. @throws SettingsError */
  read: (text: string | undefined, source: SettingSource) => unknown;
  /** What `cuebook doctor` shows, by variable; absent: the value as it is. */
  shown?: (value: never) => Readonly<Record<string, ShownValue>>;
}

export type ShownValue = string | number | readonly string[] | undefined;

const DESCRIBED = {
  /** A loopback address in local mode. */
  host: {
    variables: {
      HOST: {
        meaning: 'The address to listen on; a loopback address unless API keys are configured.',
        default: '`127.0.0.1`',
      },
    },
    option: {
      argument: 'address',
      meaning: 'the address to listen on, instead of HOST; a loopback address without API keys',
    },
    read: (text, { mode }) => readHost(text ?? '127.0.0.1', mode()),
  },
  /** The port asked for, 0 for any free one; undefined: the data directory's, else 4747 or the next free one. */
  port: {
    variables: {
      PORT: {
        meaning: 'The port; 0 selects any free port.',
        default: 'the port that this data directory last used, otherwise 4747 or the next free port',
      },
    },
    option: { argument: 'number', meaning: 'the port, instead of PORT; 0 picks a free port' },
    read: (text) => readPort(text),
  },
  database: {
    variables: {
      DATABASE_URL: {
        meaning:
          'The database: `sqlite:` and a path, relative to the data directory, or `postgres://USER:PASSWORD@HOST:PORT/DATABASE` for [several servers](../teams.md#postgresql). PostgreSQL requires `SECRETS_KEY`.',
        default: '`sqlite:cuebook.db`',
      },
      DATABASE_SCHEMA: {
        meaning: 'The schema of a PostgreSQL database that contains the tables. It is created if it does not exist.',
        default: '`cuebook`',
      },
      DATABASE_POOL: {
        meaning:
          'Connections to PostgreSQL that a server keeps at most for writing, and as many for reading; it keeps four more for itself. From 3 to 200.',
        default: '`10`',
      },
    },
    read: (_text, { environment, dataDir }) => readDatabase(environment, dataDir),
    // The address is shown without its credentials.
    shown: (database: DatabaseSettings) =>
      database.kind === 'sqlite'
        ? { DATABASE_URL: `sqlite:${database.file}` }
        : {
            DATABASE_URL: `postgres://${database.place}`,
            DATABASE_SCHEMA: database.schema,
            DATABASE_POOL: database.poolSize,
          },
  },
  /** The identity service whose tokens are accepted; undefined: nobody signs in. */
  identityIssuer: {
    variables: {
      IDENTITY_ISSUER: {
        meaning:
          'The identity service that signs people in, for example `https://id.example.com`: its tokens are accepted. Requires `PUBLIC_URL`.',
        default: 'nobody signs in',
      },
    },
    read: (text) => readIssuer(text),
  },
  /** The origin under which clients reach a published server; undefined: its own address. */
  publicUrl: {
    variables: {
      PUBLIC_URL: {
        meaning: 'The origin under which clients reach a published server, for example `https://cuebook.example.com`.',
        default: "the server's own address",
      },
    },
    read: (text, { mode, apiKeys, issuer }) => readPublicUrl(text, mode(), { keys: apiKeys(), issuer: issuer() }),
  },
  studioSignIn: {
    variables: {
      STUDIO_CLIENT_ID: {
        meaning:
          'The client ID under which the studio is registered at the identity service: people sign in to the studio with [OpenID Connect](../teams.md#sign-in). Requires `IDENTITY_ISSUER`.',
        default: 'people sign in with a key or the session module',
      },
      STUDIO_SESSION_MODULE: {
        meaning:
          'The https address of an ES module through which people sign in to the studio with a [session of the identity service](../teams.md#session-module). Requires `IDENTITY_ISSUER`.',
        default: 'people sign in with a key or OpenID Connect',
      },
    },
    read: (_text, { environment, issuer }) => readStudioSignIn(environment, issuer()),
    shown: ({ clientId, sessionModule }: ReturnType<typeof readStudioSignIn>) => ({
      STUDIO_CLIENT_ID: clientId,
      STUDIO_SESSION_MODULE: sessionModule,
    }),
  },
  /** Origins of pages that may call beside the server's own. */
  allowedOrigins: {
    variables: {
      ALLOWED_ORIGINS: {
        meaning: 'Origins of pages that may call the server, separated by commas.',
        default: "only the server's own",
      },
    },
    read: (text) => readOrigins('ALLOWED_ORIGINS', text),
  },
  studioOrigin: {
    variables: {
      STUDIO_ORIGIN: {
        meaning:
          'Another allowed origin: the studio to which links for people lead, such as connect links and the `url` of a request.',
        default: "none; links lead to the server's own address",
      },
    },
    read: (text) => optionalOrigin('STUDIO_ORIGIN', text),
  },
  /** Commands that a caller of a published server may send in a minute; 0: any number. */
  rateLimit: {
    variables: {
      RATE_LIMIT: {
        meaning:
          'The commands (all requests but reads) that a caller of a published server may send in a minute. 0 turns off this limit and those of 60 refused credentials a minute and address, and of 200 open event streams a caller.',
        default: '300',
      },
    },
    read: (text) => readRateLimit(text),
  },
  /** Addresses and networks of the reverse proxies before the server. */
  trustedProxies: {
    variables: {
      TRUSTED_PROXIES: {
        meaning:
          'The IP addresses and networks of the reverse proxies in front of a published server, separated by commas. Only their `X-Forwarded-For` is used as the address of a client.',
        default: 'none',
      },
    },
    read: (text) => readTrustedProxies(text),
  },
  logLevel: {
    variables: {
      LOG_LEVEL: {
        meaning: '`fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`; logs go to stderr.',
        default: '`info`',
      },
    },
    read: (text) => readLogLevel(text ?? 'info'),
  },
  /** Where traces and metrics are sent; undefined: nowhere. */
  telemetryEndpoint: {
    variables: {
      OTEL_EXPORTER_OTLP_ENDPOINT: {
        meaning: 'The endpoint for metrics of the server and traces of model calls, sent with OTLP over HTTP.',
        default: 'nowhere',
      },
    },
    read: (text) => readEndpoint(text),
  },
} as const satisfies Record<string, ServerSetting>;

type SettingName = keyof typeof DESCRIBED;
export const SETTING_NAMES = Object.keys(DESCRIBED) as SettingName[];
export const SERVER_SETTINGS: Readonly<Record<SettingName, ServerSetting>> = DESCRIBED;

/** The value of each. */
export type ServerSettings = { [Name in SettingName]: ReturnType<(typeof DESCRIBED)[Name]['read']> };

/** The member's name in kebab case: the command line names the value of an option after the option. */
export function optionName(name: SettingName): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** What `serve` has as options, by the names of the settings. */
export type SettingOptions = { [Name in SettingName]?: string | undefined };

/** Each setting as a function that reads it. */
export function settingReaders(
  source: () => SettingSource,
  options: SettingOptions,
): { [Name in SettingName]: () => ServerSettings[Name] } {
  const readers = SETTING_NAMES.map((name) => {
    const { variables, read } = SERVER_SETTINGS[name];
    const [variable = ''] = Object.keys(variables);
    const reader = lazily(() => read(options[name] ?? environmentVariable(source().environment, variable), source()));
    return [name, reader] as const;
  });
  return Object.fromEntries(readers) as ReturnType<typeof settingReaders>;
}

/** What holds in local mode where nothing is set. */
export function defaultSettings(dataDir: string): ServerSettings {
  const source: SettingSource = {
    environment: {},
    dataDir,
    mode: () => 'local',
    apiKeys: () => [],
    issuer: () => undefined,
  };
  const values = SETTING_NAMES.map((name) => [name, SERVER_SETTINGS[name].read(undefined, source)]);
  return Object.fromEntries(values) as ServerSettings;
}
