// The schema of a tool in a form that a provider or client takes, and the way back for arguments that a model wrote by it.
import type { Json, JsonObject } from '../../../shared/json.ts';
import { isWithin } from '../json-bounds.ts';
import { inlined } from './inline-references.ts';
import { subsetOf } from './keyword-subset.ts';
import { otherNames, type OtherNames, renamed, withOwnNames } from './rename-properties.ts';
import { repaired } from './repair-schema.ts';
import { mayBeObject, refusedAtTop, unwrapped, withRoot, wrapped, wrapperName } from './wrap-input.ts';

/** What a provider takes beside a plain object at the top. */
export interface SchemaRules {
  /** Names of properties; others are renamed. Absent: any. */
  propertyNames?: RegExp;
  /** No `$ref`: what it names stands in its place. */
  hasNoReferences?: true;
  /** Only Gemini's part of JSON Schema. */
  isSubset?: true;
  /** The only keywords at the top. Absent: any but alternatives. */
  topKeywords?: readonly string[];
}

/** What model providers take alike. */
export const COMMON_RULES: SchemaRules = { propertyNames: /^[a-zA-Z0-9_.-]{1,64}$/ };

export interface AdaptedSchema {
  /** `type: object`, without alternatives at the top. */
  schema: JsonObject;
  /** The member that contains the input, and the keyword for which it does. */
  wrapper?: { name: string; because: string };
  /** The other names of properties, by their own. */
  names: OtherNames;
  /** Whether the input may be an object. */
  isObject: boolean;
  /** The input by its own schema, of arguments that a model wrote by either of them. */
  restore: (args: Json) => Json;
  /** An input that is no longer wrapped, by its own names. */
  restoreNames: (input: Json) => Json;
}

/** Levels of JSON in a schema: at most four for each level of properties. */
const MOST_LEVELS = 500;

/** @returns undefined if the schema cannot be adapted: it is nested too deeply, or becomes too large without references */
export function adaptSchema(given: JsonObject, rules: SchemaRules): AdaptedSchema | undefined {
  if (!isWithin(given, Number.POSITIVE_INFINITY, MOST_LEVELS)) return undefined;
  const own = repaired(given);
  const plain = rules.hasNoReferences === true ? inlined(own) : own;
  if (plain === undefined) return undefined;
  const names = rules.propertyNames === undefined ? new Map<string, string>() : otherNames(own, rules.propertyNames);
  const named = renamed(plain, names);
  const root = withRoot(named);
  const because = refusedAtTop(root);
  const wrapper = because === undefined ? undefined : { name: wrapperName(own), because };
  const whole = wrapper === undefined ? root : wrapped(named, wrapper.name);
  const taken = rules.isSubset === true ? subsetOf(whole) : whole;
  const restoreNames = (input: Json): Json => withOwnNames(input, own, names);
  return {
    schema: { ...atTop(taken, rules.topKeywords), type: 'object', properties: taken['properties'] ?? {} },
    ...(wrapper === undefined ? {} : { wrapper }),
    names,
    isObject: mayBeObject(root),
    restore: (args) => restoreNames(wrapper === undefined ? args : unwrapped(args, wrapper.name)),
    restoreNames,
  };
}

function atTop(schema: JsonObject, keywords: readonly string[] | undefined): JsonObject {
  if (keywords === undefined) return schema;
  return Object.fromEntries(Object.entries(schema).filter(([keyword]) => keywords.includes(keyword)));
}
