// `unevaluatedItems` and `unevaluatedProperties` (JSON Schema 2020-12, sections 11.2 and 11.3). ajv decides while it
// writes code which members count as evaluated, and so miscounts where that depends on the value: `contains`, `if`
// without branches, and alternatives that did not match. Here the members are collected for each value.
import type { Ajv, ErrorObject, FuncKeywordDefinition, SchemaObjCxt, ValidateFunction } from 'ajv';
import { isJsonObject, type Json, type JsonObject } from '../../../shared/json.ts';
import { escapeToken } from '../json-pointer.ts';
import { lazily } from '../lazily.ts';
import { targetOf } from './references.ts';
import type { RegExpEngine } from './regular-expressions.ts';
import { type SchemaLocation, schemaLocations } from './subschemas.ts';

/** Under which `getSchema` of the ajv finds the whole schema. */
export const ROOT_KEY = 'schema';

type Schema = JsonObject | boolean;
type Members = ReadonlySet<string | number>;

/**
 * Replaces both keywords of an ajv that has one schema.
 * @param root the schema, which is added to the ajv under ROOT_KEY
 */
export function useUnevaluated(ajv: Ajv, root: JsonObject, regExp: RegExpEngine): void {
  const evaluation = createEvaluation(ajv, root, regExp);
  for (const [keyword, type] of [
    ['unevaluatedItems', 'array'],
    ['unevaluatedProperties', 'object'],
  ] as const) {
    ajv.removeKeyword(keyword);
    ajv.addKeyword({
      keyword,
      type,
      schemaType: ['object', 'boolean'],
      errors: 'full',
      compile: (schema: Schema, parentSchema: JsonObject, it: SchemaObjCxt) => {
        const at = { keyword, schema, parentSchema, schemaPath: `${it.errSchemaPath}/${keyword}` };
        const validate: ReturnType<NonNullable<FuncKeywordDefinition['compile']>> = (data: Json, context) => {
          const found = errorsOf(at, data, context?.instancePath ?? '', evaluation);
          validate.errors = found;
          return found.length === 0;
        };
        return validate;
      },
    });
  }
}

type KeywordPlace = Pick<ErrorObject, 'keyword' | 'schemaPath'> & { schema: Schema; parentSchema: JsonObject };

function errorsOf(
  { schema, parentSchema, ...place }: KeywordPlace,
  data: Json,
  instancePath: string,
  { membersOf, validatorOf }: Evaluation,
): ErrorObject[] {
  if (schema === true) return [];
  const evaluated = membersOf(parentSchema, data);
  const unevaluated = keysOf(data).filter((key) => !evaluated.has(key));
  const error = { ...place, instancePath, schema, parentSchema, data };
  if (schema !== false) {
    const validate = validatorOf(schema);
    return unevaluated.flatMap((key) => {
      const below = `${instancePath}/${escapeToken(String(key))}`;
      if (validate === undefined || validate(memberOf(data, key))) return [];
      return (validate.errors ?? []).map((one) => ({ ...one, instancePath: below + one.instancePath }));
    });
  }
  if (!Array.isArray(data)) return unevaluated.map((key) => ({ ...error, params: { unevaluatedProperty: key } }));
  const [first] = unevaluated;
  // The items behind the last one that was evaluated are too many; each of the others has a wrong index.
  if (unevaluated.length > 0 && unevaluated.length === data.length - Number(first))
    return [{ ...error, params: { len: first } }];
  return unevaluated.map((key) => ({ ...error, instancePath: `${instancePath}/${key}`, params: {} }));
}

interface Evaluation {
  /** The names or indexes that the keywords of a schema evaluated, without its own `unevaluated...`. */
  membersOf: (schema: JsonObject, data: Json) => Members;
  validatorOf: (schema: JsonObject) => ValidateFunction | undefined;
}

function createEvaluation(ajv: Ajv, root: JsonObject, regExp: RegExpEngine): Evaluation {
  // Most schemas have neither keyword, and are never looked through.
  const locations = lazily(
    () =>
      schemaLocations(root, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY) ?? new Map<string, SchemaLocation>(),
  );
  const pointers = lazily(() => new Map([...locations().values()].map(({ schema, pointer }) => [schema, pointer])));
  const matchers = new Map<string, ReturnType<RegExpEngine>>();

  function validatorOf(schema: JsonObject): ValidateFunction | undefined {
    const tokens = (pointers().get(schema) ?? '').split('/').map(encodeURIComponent);
    return ajv.getSchema(`${ROOT_KEY}#${tokens.join('/')}`);
  }
  const isValid = (schema: Schema, data: Json): boolean =>
    typeof schema === 'boolean' ? schema : validatorOf(schema)?.(data) === true;

  function matcherOf(pattern: string): ReturnType<RegExpEngine> {
    const matcher = matchers.get(pattern) ?? regExp(pattern);
    matchers.set(pattern, matcher);
    return matcher;
  }

  function collect(schema: Schema | undefined, data: Json, into: Set<string | number>): void {
    if (schema === undefined || typeof schema === 'boolean') return;
    const isWhole = Array.isArray(data) ? 'unevaluatedItems' in schema : 'unevaluatedProperties' in schema;
    if (isWhole) addAll(into, keysOf(data));
    else collectOwn(schema, data, into);
  }

  function collectOwn(schema: JsonObject, data: Json, into: Set<string | number>): void {
    if (Array.isArray(data)) addAll(into, evaluatedItems(schema, data));
    else if (isJsonObject(data)) addAll(into, evaluatedNames(schema, data));
    for (const applied of applicableTo(schema, data)) collect(applied, data, into);
  }

  function evaluatedItems(schema: JsonObject, data: readonly Json[]): Iterable<number> {
    if ('items' in schema) return data.keys();
    const { prefixItems, contains } = schema as { prefixItems?: Schema[]; contains?: Schema };
    const count = prefixItems?.length ?? 0;
    return [...data.keys()].filter(
      (index) => index < count || (contains !== undefined && isValid(contains, data[index] as Json)),
    );
  }

  function evaluatedNames(schema: JsonObject, data: JsonObject): Iterable<string> {
    if ('additionalProperties' in schema) return Object.keys(data);
    const { properties = {}, patternProperties = {} } = schema as Record<string, JsonObject | undefined>;
    const patterns = Object.keys(patternProperties).map(matcherOf);
    return Object.keys(data).filter(
      (name) => Object.hasOwn(properties, name) || patterns.some((pattern) => pattern.test(name)),
    );
  }

  /** The schemas inside one that look at the same value, and matched it. */
  function* applicableTo(schema: JsonObject, data: Json): Iterable<Schema | undefined> {
    const target = targetOf(schema['$ref']);
    if (target !== undefined) yield locations().get(target)?.schema;
    const { allOf = [], anyOf = [], oneOf = [] } = schema as Record<string, Schema[] | undefined>;
    yield* allOf;
    for (const one of [...anyOf, ...oneOf]) if (isValid(one, data)) yield one;
    const { if: condition, then, else: otherwise } = schema as Record<string, Schema | undefined>;
    if (condition !== undefined) {
      if (isValid(condition, data)) yield* [condition, then];
      else yield otherwise;
    }
    const dependent = Object.entries((schema['dependentSchemas'] ?? {}) as Record<string, Schema>);
    for (const [name, one] of dependent) if (isJsonObject(data) && Object.hasOwn(data, name)) yield one;
  }

  return {
    membersOf(schema, data) {
      const members = new Set<string | number>();
      collectOwn(schema, data, members);
      return members;
    },
    validatorOf,
  };
}

function keysOf(data: Json): (string | number)[] {
  if (Array.isArray(data)) return [...data.keys()];
  return isJsonObject(data) ? Object.keys(data) : [];
}

function memberOf(data: Json, key: string | number): Json | undefined {
  return (data as Record<string | number, Json>)[key];
}

function addAll<T>(into: Set<T>, from: Iterable<T>): void {
  for (const one of from) into.add(one);
}
