// Other names for properties whose own names a provider refuses, at every depth, and the way back.
//
// 1. A name has one other name in the whole schema, which no property has as its own.
// 2. Arguments are renamed back only where the schema has the property: free-form data keeps its names.
import { isJsonObject, type Json, type JsonObject } from '../../../shared/json.ts';
import { mapMembers, mapSchemas, propertyNames, referenceOf, referenceTokens, referred } from './walk.ts';

/** By the property's own name. */
export type OtherNames = ReadonlyMap<string, string>;

const MOST_NAME = 64;

export function otherNames(schema: JsonObject, taken: RegExp): OtherNames {
  const own = propertyNames(schema);
  const used = new Set(own);
  const names = new Map<string, string>();
  for (const name of own) {
    if (taken.test(name)) continue;
    const other = freeName(name, taken, used);
    used.add(other);
    names.set(name, other);
  }
  return names;
}

function freeName(name: string, taken: RegExp, used: ReadonlySet<string>): string {
  // Letters without their accents, and what is no letter as an underscore.
  const plain = name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^A-Za-z0-9_]/g, '_')
    .slice(0, MOST_NAME);
  const base = [plain, `_${plain}`.slice(0, MOST_NAME)].find((one) => taken.test(one)) ?? 'field';
  for (let number = 2, free = base; ; number += 1) {
    if (!used.has(free)) return free;
    free = `${base.slice(0, MOST_NAME - String(number).length - 1)}_${number}`;
  }
}

export function renamed(root: JsonObject, names: OtherNames): JsonObject {
  const other = (name: string): string => names.get(name) ?? name;
  const byName = (members: JsonObject): JsonObject =>
    Object.fromEntries(Object.entries(members).map(([name, value]) => [other(name), value]));
  const renameOne = (schema: JsonObject): JsonObject => {
    const changed = { ...schema };
    const { properties, required, dependentRequired, dependentSchemas, $ref } = schema;
    if (isJsonObject(properties)) {
      changed['properties'] = byName(
        mapMembers(properties, (value, name) => (names.has(name) ? described(value, name) : value)),
      );
    }
    if (Array.isArray(required)) changed['required'] = required.map((name) => other(String(name)));
    if (isJsonObject(dependentSchemas)) changed['dependentSchemas'] = byName(dependentSchemas);
    if (isJsonObject(dependentRequired)) {
      const lists = mapMembers(dependentRequired, (list) =>
        Array.isArray(list) ? list.map((name) => other(String(name))) : list,
      );
      changed['dependentRequired'] = byName(lists);
    }
    const tokens = referenceTokens($ref);
    if (tokens !== undefined)
      changed['$ref'] = referenceOf(
        tokens.map((token, index) => (isOfProperties(tokens, index) ? other(token) : token)),
      );
    return mapSchemas(changed, renameOne);
  };
  return names.size === 0 ? root : renameOne(root);
}

function isOfProperties(tokens: readonly string[], index: number): boolean {
  const before = tokens[index - 1];
  return before === 'properties' || before === 'dependentSchemas';
}

function described(value: Json, name: string): Json {
  if (!isJsonObject(value)) return value;
  const { description } = value;
  const words = `The property ${JSON.stringify(name)}.`;
  return { ...value, description: typeof description === 'string' ? `${words} ${description}` : words };
}

/** Arguments under the properties' own names; those that have them already keep them. */
export function withOwnNames(value: Json, root: JsonObject, names: OtherNames): Json {
  const own = new Map([...names].map(([name, other]) => [other, name]));
  const rename = (one: Json, schemas: readonly JsonObject[]): Json => {
    if (typeof one !== 'object' || one === null) return one;
    const here = inPlace(schemas, root);
    if (Array.isArray(one))
      return one.map((item, index) =>
        rename(
          item,
          here.flatMap((schema) => itemsOf(schema, index)),
        ),
      );
    const nameOf = (name: string): string => {
      const meant = own.get(name);
      if (meant === undefined || Object.hasOwn(one, meant)) return name;
      return here.some(({ properties }) => isJsonObject(properties) && Object.hasOwn(properties, meant)) ? meant : name;
    };
    return Object.fromEntries(
      Object.entries(one).map(([name, member]) => {
        const ownName = nameOf(name);
        return [
          ownName,
          rename(
            member,
            here.flatMap((schema) => membersOf(schema, ownName)),
          ),
        ];
      }),
    );
  };
  return names.size === 0 ? value : rename(value, [root]);
}

/** The schemas, and all others that look at the same value. */
function inPlace(schemas: readonly JsonObject[], root: JsonObject): JsonObject[] {
  const found = new Set<JsonObject>();
  const waiting: (Json | undefined)[] = [...schemas];
  for (let next = waiting.pop(); next !== undefined || waiting.length > 0; next = waiting.pop()) {
    if (!isJsonObject(next) || found.has(next)) continue;
    found.add(next);
    const { anyOf = [], oneOf = [], allOf = [], dependentSchemas = {} } = next;
    waiting.push(...[anyOf, oneOf, allOf].flat(), ...Object.values(dependentSchemas as JsonObject));
    waiting.push(next['if'], next['then'], next['else'], referred(root, next['$ref']));
  }
  return [...found];
}

function membersOf({ properties, patternProperties, ...others }: JsonObject, name: string): JsonObject[] {
  if (isJsonObject(properties) && Object.hasOwn(properties, name)) return [properties[name]].filter(isJsonObject);
  const patterns = isJsonObject(patternProperties) ? Object.values(patternProperties) : [];
  return [...patterns, others['additionalProperties'], others['unevaluatedProperties']].filter(isJsonObject);
}

function itemsOf({ prefixItems, items, contains, unevaluatedItems }: JsonObject, index: number): JsonObject[] {
  const first = Array.isArray(prefixItems) ? prefixItems[index] : undefined;
  return [first ?? items, contains, unevaluatedItems].filter(isJsonObject);
}
