import type { Json } from '../../shared/json.ts';

/** An invalid setting, which stops the start. The message names it, its value, and what to write instead. */
export class SettingsError extends Error {
  constructor(detail: string) {
    super(detail);
    this.name = 'SettingsError';
  }
}

/** An invalid value, and where it is in the file. */
export class InvalidSetting extends SettingsError {
  /** For example `tool_servers.docs.headers.x-team`. */
  readonly path: string;
  /** What is wrong with the value, for example `is missing`. */
  readonly fault: string;
  /** What the value must be, for example `a number`. */
  readonly expected: string;

  constructor(path: string, file: { name: string }, fault: string, expected: string) {
    super(`${path} in ${file.name} ${fault}; it must be ${expected}.`);
    this.path = path;
    this.fault = fault;
    this.expected = expected;
  }
}

/** @param fault what is wrong with the value, as from `kindOf` or `quoted`; @param expected what it must be */
export function invalidSetting(path: string, file: { name: string }, fault: string, expected: string): InvalidSetting {
  return new InvalidSetting(path, file, fault, expected);
}

/** The kind of a value, without the value. */
export function kindOf(value: Json | undefined): string {
  if (value === undefined) return 'is missing';
  if (value === null || value === '') return 'is empty';
  if (Array.isArray(value)) return 'is a list';
  return `is ${typeof value === 'object' ? 'an object' : KINDS[typeof value]}`;
}

const KINDS: Readonly<Record<string, string>> = { string: 'a string', number: 'a number', boolean: 'a boolean' };

const MOST_SHOWN = 80;

/** A string as written, before variables are replaced; one that may contain a password is not shown. */
export function quoted(text: string): string {
  if (text === '') return 'is empty';
  if (text.includes('@')) return 'contains @';
  return `is ${JSON.stringify(text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text)}`;
}
