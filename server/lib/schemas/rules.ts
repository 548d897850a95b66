import type { ErrorObject } from 'ajv';
import { isJsonObject } from '../../../shared/json.ts';
import { nearestName } from '../../../shared/nearest-name.ts';
import { IN_PLACE } from './keywords.ts';
import { patternWords } from './pattern-words.ts';
import { annotation, formatWords, formsWords, shownJson, shownName, typeWord } from './wording.ts';

const MOST_LISTED = 12;
/** Names that an unknown one is compared with. */
const MOST_COMPARED = 200;

/** The broken rule, as the end of a sentence whose subject is the field. */
export function ruleOf({ keyword, params, parentSchema, schema }: ErrorObject): string {
  const given = params as Record<string, unknown>;
  const limit = String(given['limit']);
  switch (keyword) {
    case 'type':
      return `must be ${joined([given['type']].flat().map(typeWord))}${objectWords(given['type'], parentSchema)}`;
    case 'enum':
      return (given['allowedValues'] as unknown[]).length === 0
        ? 'is not allowed here'
        : `must be ${oneOf(given['allowedValues'] as unknown[])}`;
    case 'const':
      return `must be ${shownJson(given['allowedValue'])}`;
    case 'alternatives':
      return alternativesWords(given as { types: unknown[]; values: unknown[] });
    case 'minimum':
      return `must be at least ${limit}`;
    case 'maximum':
      return `must be at most ${limit}`;
    case 'exclusiveMinimum':
      return `must be more than ${limit}`;
    case 'exclusiveMaximum':
      return `must be less than ${limit}`;
    case 'multipleOf':
      return `must be a multiple of ${String(given['multipleOf'])}`;
    case 'minLength':
      return `must have at least ${counted(limit, 'character')}`;
    case 'maxLength':
      return `must have at most ${counted(limit, 'character')}`;
    case 'pattern':
      return `must ${patternWords(String(given['pattern']))}`;
    case 'format':
      return `must be ${formatWords(String(given['format']))}`;
    case 'minItems':
      return `must have at least ${counted(limit, 'item')}`;
    case 'unevaluatedItems':
      return given['len'] === undefined
        ? 'is not allowed here'
        : `must have at most ${counted(String(given['len']), 'item')}`;
    case 'maxItems':
    case 'items':
      return `must have at most ${counted(String(given['limit'] ?? given['len']), 'item')}`;
    case 'uniqueItems':
      return sameTwice(Number(given['i']), Number(given['j']));
    case 'contains':
      return containsWords(given, schema);
    case 'minProperties':
      return `must have at least ${counted(limit, 'field')}`;
    case 'maxProperties':
      return `must have at most ${counted(limit, 'field')}`;
    case 'required':
      return missingWords(String(given['missingProperty']), parentSchema);
    case 'requiredAny':
      return `requires one of the fields ${namesListed((given['names'] as unknown[]).map(String))}`;
    case 'additionalProperties':
      return unknownWords(String(given['additionalProperty']), propertiesOf(parentSchema), true);
    case 'unevaluatedProperties':
      return unknownWords(String(given['unevaluatedProperty']), propertiesBelow(parentSchema), false);
    case 'dependentRequired':
      return `requires the field ${shownName(String(given['missingProperty']))} when ${shownName(String(given['property']))} is present`;
    case 'not':
      return `must not be as the schema's \`not\` describes${annotation(schema)}`;
    case 'oneOf':
      return Array.isArray(given['passingSchemas'])
        ? `must match exactly one of ${formsWords(schema)}, but matches several`
        : `must match one of ${formsWords(schema)}`;
    case 'anyOf':
      return `must match one of ${formsWords(schema)}`;
    case 'false schema':
      return 'is not allowed here';
    default:
      return `does not match the schema's rule ${shownName(keyword)}`;
  }
}

/** The fields of an object that something else was sent for. */
function objectWords(types: unknown, schema: unknown): string {
  const names = Object.keys(propertiesOf(schema));
  if (types !== 'object' || names.length === 0) return '';
  const { required } = schema as { required?: unknown };
  const needed = Array.isArray(required) ? names.filter((name) => required.includes(name)) : [];
  const others = names.filter((name) => !needed.includes(name));
  const fields = (some: readonly string[]): string => `${some.length === 1 ? 'field' : 'fields'} ${namesListed(some)}`;
  if (needed.length === 0) return ` with the optional ${fields(others)}`;
  return ` with the ${fields(needed)}${others.length === 0 ? '' : `, and optionally ${namesListed(others)}`}`;
}

function counted(count: string, thing: string): string {
  return `${count} ${count === '1' ? thing : `${thing}s`}`;
}

function oneOf(values: readonly unknown[]): string {
  if (values.length === 1) return shownJson(values[0]);
  const shown = values.slice(0, MOST_LISTED).map(shownJson).join(', ');
  return `one of ${shown}${values.length > MOST_LISTED ? ` and ${values.length - MOST_LISTED} more` : ''}`;
}

/** The types and the values that a choice allows, as one rule. */
function alternativesWords({ types, values }: { types: unknown[]; values: unknown[] }): string {
  if (types.length === 0) return `must be ${oneOf(values)}`;
  if (values.length <= 2) return `must be ${joined([...types.map(typeWord), ...values.map(shownJson)])}`;
  return `must be ${joined(types.map(typeWord))}, or ${oneOf(values)}`;
}

function sameTwice(i: number, j: number): string {
  return `must not contain duplicate items: items ${Math.min(i, j) + 1} and ${Math.max(i, j) + 1} are equal`;
}

function containsWords({ minContains, maxContains }: Record<string, unknown>, schema: unknown): string {
  const least = `at least ${counted(String(minContains), 'item')}`;
  const most = `at most ${counted(String(maxContains), 'item')}`;
  const bounds = maxContains === undefined ? least : minContains === 0 ? most : `${least} and ${most}`;
  return `must contain ${bounds} as the schema's \`contains\` describes${annotation(schema)}`;
}

function missingWords(name: string, schema: unknown): string {
  const properties = propertiesOf(schema);
  const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
  return `is missing the required field ${shownName(name)}${annotation(property)}`;
}

/** @param isClosed whether the object accepts only the known fields */
function unknownWords(name: string, properties: Record<string, unknown>, isClosed: boolean): string {
  const known = Object.keys(properties);
  const near = nearestName(name, known.slice(0, MOST_COMPARED));
  const unknown = `has an unknown field ${shownName(name)}`;
  if (near !== undefined) return `${unknown} (did you mean ${shownName(near)}?)`;
  if (!isClosed) return unknown;
  return known.length === 0 ? `${unknown}; no fields are allowed` : `${unknown}; known fields: ${namesListed(known)}`;
}

function propertiesOf(schema: unknown): Record<string, unknown> {
  const properties = isJsonObject(schema) ? schema['properties'] : undefined;
  return isJsonObject(properties) ? properties : {};
}

/** Also those that the schemas which look at the same object know. */
function propertiesBelow(schema: unknown, depth = 0): Record<string, unknown> {
  if (!isJsonObject(schema) || depth > 3) return {};
  const inPlace = [...IN_PLACE].flatMap((keyword) => schema[keyword] ?? []);
  const names = inPlace.flatMap((one) => Object.keys(propertiesBelow(one, depth + 1)));
  return Object.fromEntries([...names, ...Object.keys(propertiesOf(schema))].map((name) => [name, true]));
}

function namesListed(names: readonly string[]): string {
  const shown = names.slice(0, MOST_LISTED).map(shownName);
  return `${shown.join(', ')}${names.length > MOST_LISTED ? ` and ${names.length - MOST_LISTED} more` : ''}`;
}

function joined(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}
