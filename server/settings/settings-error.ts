import type { Json } from '../../shared/json.ts';

/** A setting that stops the start, in one sentence that names it, what it holds and what it takes. */
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
  readonly holds: string;
  readonly takes: string;

  constructor(path: string, file: { name: string }, holds: string, takes: string) {
    super(`${path} in ${file.name} ${holds}; it takes ${takes}.`);
    this.path = path;
    this.holds = holds;
    this.takes = takes;
  }
}

/** @param holds describes the value, as `kindOf` or `quoted` does; @param takes what to write instead */
export function invalidSetting(path: string, file: { name: string }, holds: string, takes: string): InvalidSetting {
  return new InvalidSetting(path, file, holds, takes);
}

/** What a value is, without the value. */
export function kindOf(value: Json | undefined): string {
  if (value === undefined) return 'is missing';
  if (value === null || value === '') return 'holds nothing';
  if (Array.isArray(value)) return 'holds a list';
  return `holds ${typeof value === 'object' ? 'an object' : KINDS[typeof value]}`;
}

const KINDS: Readonly<Record<string, string>> = { string: 'a text', number: 'a number', boolean: 'true or false' };

const MOST_SHOWN = 80;

/** A text as it is written, before variables are put in; one that may hold a password is not shown. */
export function quoted(text: string): string {
  if (text === '') return 'holds nothing';
  if (text.includes('@')) return 'holds a text with @';
  return `holds ${JSON.stringify(text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text)}`;
}
