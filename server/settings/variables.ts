// What single variables and options take, each with the sentence for what does not fit.
import { isIPv4 } from 'node:net';
import path from 'node:path';
import { type DataKey, KEY_FORM, readDataKeys } from '../kernel/secrets/index.ts';
import { SettingsError } from './settings-error.ts';

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export function readHost(host: string): string {
  const isLoopback = host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'));
  if (isLoopback) return host;
  throw new SettingsError(
    `HOST is ${JSON.stringify(host)}; without keys or sign-in the server listens only on a loopback address. Use 127.0.0.1, ::1 or localhost.`,
  );
}

export function readPort(text: string | undefined, name = 'PORT'): number | undefined {
  if (text === undefined) return undefined;
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port;
  throw new SettingsError(
    `${name} is ${JSON.stringify(text)}; it takes a whole number from 0 (any free port) to 65535.`,
  );
}

export function readDatabaseFile(url: string | undefined, dataDir: string): string {
  if (url === undefined) return path.join(dataDir, 'cuebook.db');
  if (url.startsWith('sqlite:') && url.length > 'sqlite:'.length) {
    return path.resolve(dataDir, url.slice('sqlite:'.length));
  }
  // The value is not quoted: an address of a database may hold a password.
  throw new SettingsError(
    'DATABASE_URL does not begin with `sqlite:`; write sqlite: and the path of the database file.',
  );
}

/** Origins separated by commas. */
export function readOrigins(name: string, text: string | undefined): string[] {
  return (text ?? '')
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
    .map((entry) => readOrigin(name, entry));
}

export function optionalOrigin(name: string, text: string | undefined): string | undefined {
  return text === undefined ? undefined : readOrigin(name, text);
}

function readOrigin(name: string, text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url !== undefined && /^https?:$/.test(url.protocol) && url.origin === text) return text;
  // There may be a password before an `@`.
  const held = text.includes('@') ? 'a text with @' : JSON.stringify(text);
  throw new SettingsError(
    `${name} holds ${held}; it takes origins such as https://studio.example.com, without a path.`,
  );
}

/** The first seals; more of them, behind commas, open what was sealed before it. */
export function readSecretsKeys(text: string | undefined): readonly DataKey[] {
  const keys = text === undefined ? [] : readDataKeys(text);
  if (keys !== undefined) return keys;
  throw new SettingsError(
    `SECRETS_KEY is not a valid key; it takes ${KEY_FORM}, followed by earlier keys separated by commas.`,
  );
}

export function readLogLevel(text: string): LogLevel {
  const level = LOG_LEVELS.find((known) => known === text);
  if (level !== undefined) return level;
  throw new SettingsError(`LOG_LEVEL is ${JSON.stringify(text)}; it takes one of ${LOG_LEVELS.join(', ')}.`);
}

/** The base URL of an OpenTelemetry collector; its path is kept. */
export function readEndpoint(text: string | undefined): string | undefined {
  const url = text === undefined ? undefined : baseUrlOf(text);
  if (text === undefined || url !== undefined) return url;
  throw new SettingsError(`OTEL_EXPORTER_OTLP_ENDPOINT is not the base URL of a collector; it takes ${BASE_URL_FORM}.`);
}

export const BASE_URL_FORM =
  'an http or https URL without userinfo, query and fragment, for example https://llm.example.com/v1';

/** Without slashes at the end; undefined for what is no base URL. */
export function baseUrlOf(text: string): string | undefined {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) return undefined;
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') return undefined;
  return url.href.replace(/\/+$/, '');
}
