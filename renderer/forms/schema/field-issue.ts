// What is wrong with a field's value, in words. The service makes the final check.
import { ASSERTED_FORMATS } from '../../../shared/formats.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../shared/json.ts';
import { type NumberNotation, numberText } from '../text/number-text.ts';
import type { SchemaChecks } from './checks.ts';
import type { DescribedField } from './describe-field.ts';

const TYPE_WORDS: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'yes or no',
  object: 'an object',
  array: 'a list',
  null: 'null',
};

type Words = (rule: Json, notation: NumberNotation) => string;

const number: (before: string) => Words = (before) => (rule, notation) =>
  `${before} ${numberText(Number(rule), notation)}.`;
const counted: (before: string, thing: string) => Words = (before, thing) => (rule, notation) =>
  `${before} ${numberText(Number(rule), notation)} ${rule === 1 ? thing : `${thing}s`}.`;

/** In the order in which they are checked. */
const RULES: readonly [keyword: string, words: Words][] = [
  ['type', (rule) => `Must be ${(Array.isArray(rule) ? rule : [rule]).map(typeWords).join(' or ')}.`],
  ['const', (rule) => `Must be ${JSON.stringify(rule)}.`],
  ['enum', () => 'Choose one of the options.'],
  ['format', (rule) => `Must be ${ASSERTED_FORMATS.get(String(rule))?.words ?? String(rule)}.`],
  ['minimum', number('Must be at least')],
  ['maximum', number('Must be at most')],
  ['exclusiveMinimum', number('Must be more than')],
  ['exclusiveMaximum', number('Must be less than')],
  ['multipleOf', number('Must be a multiple of')],
  ['minLength', counted('Must have at least', 'character')],
  ['maxLength', counted('Must have at most', 'character')],
  ['minItems', counted('Must have at least', 'item')],
  ['maxItems', counted('Must have at most', 'item')],
  ['uniqueItems', () => 'Must not contain an item twice.'],
  ['minProperties', counted('Must have at least', 'field')],
  ['maxProperties', counted('Must have at most', 'field')],
  ['propertyNames', () => 'Has a field whose name is not permitted.'],
  ['not', () => 'Is a value that the schema excludes.'],
];

const typeWords = (type: Json): string => TYPE_WORDS[String(type)] ?? String(type);

/** Undefined if there is none in the value itself; its members are other fields. */
export function fieldIssue(
  { schema, shape, isNullable }: DescribedField,
  value: Json | undefined,
  checks: SchemaChecks,
  notation: NumberNotation,
): string | undefined {
  if (value === undefined || (value === null && isNullable)) return undefined;
  for (const [keyword, words] of RULES) {
    const rule = schema[keyword];
    if (rule !== undefined && !checks.isValid({ [keyword]: rule }, value)) return words(rule, notation);
  }
  if (shape.kind === 'choice' && !shape.options.some((option) => checks.isValid({ const: option.value }, value))) {
    return 'Choose one of the options.';
  }
  return shape.kind === 'variants' ? undefined : ruleIssue(schema, value, checks);
}

/** Rules that several fields share. */
function ruleIssue(schema: JsonObject, value: Json, checks: SchemaChecks): string | undefined {
  const { contains, minContains, maxContains } = schema;
  if (contains !== undefined) {
    const bounds = {
      ...(minContains !== undefined && { minContains }),
      ...(maxContains !== undefined && { maxContains }),
    };
    if (!checks.isValid({ contains, ...bounds }, value)) return 'Does not contain the items that the schema demands.';
  }
  for (const keyword of ['oneOf', 'anyOf']) {
    const branches = schema[keyword];
    if (!Array.isArray(branches) || checks.isValid({ [keyword]: branches }, value)) continue;
    const required = branches.map((branch) => (isJsonObject(branch) ? branch['required'] : undefined));
    const names = required.map((one) =>
      Array.isArray(one) ? one.map((name) => `\`${String(name)}\``).join(' and ') : '',
    );
    if (names.every((name) => name !== '')) {
      return `Fill in ${keyword === 'oneOf' ? 'exactly one' : 'at least one'} of ${names.join(', ')}.`;
    }
    return `Must match ${keyword === 'oneOf' ? 'exactly one' : 'at least one'} of the schema's alternatives.`;
  }
  return undefined;
}
