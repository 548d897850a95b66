// A model setting is in the configuration file or, as JSON, in a variable, which takes precedence.
import { isJsonObject, type Json, type JsonObject } from '../../../shared/json.ts';
import { refuseUnknown } from '../refuse-unknown.ts';
import type { WrittenConfig } from '../entries.ts';
import { type Environment, environmentVariable } from '../environment.ts';
import { SettingsError } from '../settings-error.ts';
import { MODEL_KEYS, type ModelKey } from './keys.ts';

export interface WrittenSetting {
  /** What the sentences call it: `MODEL_ALIASES`, or `model_aliases in FILE`. */
  name: string;
  /** What a place within it is called: `model_aliases["a/b"] in FILE`. */
  at(place: string): string;
  value: Json;
  /** Puts variables into a text of the file; a text of a variable stays as it is. */
  expand(text: string, place: string): string;
  isVariable: boolean;
}

/** The setting; undefined if it is not set. @throws SettingsError for a variable that is not JSON */
export function writtenSetting(
  key: ModelKey,
  file: WrittenConfig,
  environment: Environment,
): WrittenSetting | undefined {
  const variable = MODEL_KEYS[key].variable;
  const text = environmentVariable(environment, variable);
  if (text !== undefined) {
    return {
      name: variable,
      at: (place) => `${variable}${place}`,
      value: parsed(variable, text),
      expand: (held) => held,
      isVariable: true,
    };
  }
  if (!Object.hasOwn(file.value, key)) return undefined;
  return {
    name: `${key} in ${file.name}`,
    at: (place) => `${key}${place} in ${file.name}`,
    value: file.value[key] ?? null,
    expand: (held, place) => file.expand(held, `${key}${place} in ${file.name}`),
    isVariable: false,
  };
}

function parsed(variable: string, text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    throw wrong(variable, 'is not valid', 'JSON');
  }
}

/** A broken rule of the settings of models. At the start, it stops it with `model_settings_invalid`. */
export class InvalidModelSetting extends SettingsError {
  /** What the sentence calls it, as in `WrittenSetting`. */
  readonly at: string;
  /** What is wrong with the value and what it must be, as the rest of a sentence. */
  readonly rest: string;

  constructor(at: string, rest: string) {
    super(`model_settings_invalid: ${at} ${rest}`);
    this.at = at;
    this.rest = rest;
  }
}

export function wrong(name: string, fault: string, expected: string): InvalidModelSetting {
  return new InvalidModelSetting(name, `${fault}; it must be ${expected}.`);
}

export function objectOf(written: WrittenSetting, expected: string): JsonObject {
  if (isJsonObject(written.value)) return written.value;
  throw wrong(written.name, kindWords(written.value), expected);
}

export function refuseUnknownFields(members: JsonObject, fields: readonly string[], holder: string): void {
  refuseUnknown(Object.keys(members), fields, holder);
}

const KINDS: Readonly<Record<string, string>> = { string: 'a string', number: 'a number', boolean: 'a boolean' };

/** What a value is, without the value. */
export function kindWords(value: Json | undefined): string {
  if (value === undefined) return 'is missing';
  if (value === null || value === '') return 'is empty';
  if (Array.isArray(value)) return 'is a list';
  return `is ${typeof value === 'object' ? 'an object' : KINDS[typeof value]}`;
}

/** A reference or a name, as it may be shown: it is short, and no secret is written so. */
export function shown(text: string): string {
  return JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}…` : text);
}
