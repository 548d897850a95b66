// Readers of single variables and options, with the messages for invalid values.
import { isIPv4 } from 'node:net';
import { type DataKey, KEY_FORM, readDataKeys } from '../kernel/secrets/index.ts';
import type { DatabaseSettings } from './database.ts';
import type { Mode } from './playbook-filter.ts';
import { SettingsError } from './settings-error.ts';

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Whether only this machine reaches the address. */
export function isLoopback(host: string): boolean {
  return ['localhost', '::1', '[::1]'].includes(host) || (isIPv4(host) && host.startsWith('127.'));
}

export function readHost(host: string, mode: Mode): string {
  if (isLoopback(host) || mode === 'published') return host;
  throw new SettingsError(
    `HOST is ${JSON.stringify(host)}; without keys or sign-in the server listens only on a loopback address. Use 127.0.0.1, ::1 or localhost, or set API_KEYS, or IDENTITY_ISSUER with PUBLIC_URL.`,
  );
}

export function readPort(text: string | undefined, name = 'PORT'): number | undefined {
  if (text === undefined) return undefined;
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port;
  throw new SettingsError(
    `${name} is ${JSON.stringify(text)}; it must be a whole number from 0 (any free port) to 65535.`,
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
  const invalid = text.includes('@') ? 'an address with @' : JSON.stringify(text);
  throw new SettingsError(
    `${name} contains ${invalid}; an origin has the form https://studio.example.com, without a path.`,
  );
}

/** The first key encrypts; further keys, after commas, decrypt older values. */
export function readSecretsKeys(text: string | undefined, database: DatabaseSettings['kind']): readonly DataKey[] {
  if (text === undefined && database === 'postgres') {
    throw new SettingsError(
      'SECRETS_KEY is not set; with PostgreSQL all servers need the same key. Create one with `openssl rand -base64 32` and set it for each of them.',
    );
  }
  const keys = text === undefined ? [] : readDataKeys(text);
  if (keys !== undefined) return keys;
  throw new SettingsError(
    `SECRETS_KEY is not a valid key; it must be ${KEY_FORM}, optionally followed by earlier keys, separated by commas.`,
  );
}

export function readLogLevel(text: string): LogLevel {
  const level = LOG_LEVELS.find((known) => known === text);
  if (level !== undefined) return level;
  throw new SettingsError(`LOG_LEVEL is ${JSON.stringify(text)}; it must be one of ${LOG_LEVELS.join(', ')}.`);
}

/** The base URL of an OpenTelemetry collector; its path is kept. */
export function readEndpoint(text: string | undefined): string | undefined {
  const url = text === undefined ? undefined : baseUrlOf(text);
  if (text === undefined || url !== undefined) return url;
  throw new SettingsError(
    `OTEL_EXPORTER_OTLP_ENDPOINT is not the base URL of a collector; it must be ${BASE_URL_FORM}.`,
  );
}

export const BASE_URL_FORM =
  'an http or https URL without user name, password, query and fragment, for example https://llm.example.com/v1';

/** The URL without trailing slashes; undefined if it is not a base URL. */
export function baseUrlOf(text: string): string | undefined {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) return undefined;
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') return undefined;
  return url.href.replace(/\/+$/, '');
}
