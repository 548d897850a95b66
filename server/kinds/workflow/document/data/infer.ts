// What an expression returns, as far as it is known before a run.
import { type ExpressionTree, parseExpression, partsOfExpression, wholeExpression } from '../../../../lib/jq/index.ts';
import { isJsonObject } from '../../../../../shared/json.ts';
import { fieldOf, type Guess, itemsOf, type Known, type MissingField, union } from './known.ts';

export interface InferScope {
  variables: ReadonlyMap<string, Guess>;
  report: (missing: MissingField) => void;
}

const TEXT: Guess = [{ kind: 'schema', schema: { type: 'string' }, root: {} }];
const TRUTH: Guess = [{ kind: 'schema', schema: { type: 'boolean' }, root: {} }];
/** Functions whose argument sees the items of the input. */
const OF_ITEMS = new Set(['map', 'any', 'all', 'sort_by', 'group_by', 'unique_by', 'min_by', 'max_by']);

/** @param text an expression with or without `${ }` */
export function inferExpression(text: string, input: Guess, scope: InferScope): Guess {
  const query = parseExpression(wholeExpression(text) ?? text);
  if (query === undefined) return undefined;
  try {
    const tested = testedFields(query);
    const report = (missing: MissingField): void => {
      if (!tested.has(missing.field.split('.').at(-1) ?? '')) scope.report(missing);
    };
    return infer(query, input, { ...scope, report });
  } catch (error) {
    // It is nested too deeply.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** The fields whose existence an expression tests: it may well read them. */
function testedFields(query: ExpressionTree): Set<string> {
  const tests = [...partsOfExpression(query)].flatMap((part) =>
    part.kind === 'call' && part.name === 'has' ? part.arguments : [],
  );
  return new Set(tests.flatMap((name) => (name.kind === 'literal' ? [String(name.value)] : [])));
}

function infer(query: ExpressionTree, input: Guess, scope: InferScope): Guess {
  switch (query.kind) {
    case 'identity':
      return input;
    case 'literal':
      return [{ kind: 'value', value: query.value }];
    case 'variable':
      return scope.variables.get(query.name);
    case 'index': {
      const of = infer(query.of, input, scope);
      return typeof query.key === 'string' ? fieldOf(of, query.key, scope.report) : itemsOf(of);
    }
    case 'items':
      return itemsOf(infer(query.of, input, scope));
    case 'text':
      for (const part of query.parts) infer(part, input, scope);
      return TEXT;
    case 'list':
      return [{ kind: 'list', items: infer(query.body, input, scope) }];
    case 'object': {
      const members = query.members.map(({ name, value }) => [name, infer(value, input, scope)] as const);
      return [{ kind: 'object', members: new Map(members) }];
    }
    case 'pipe':
      return infer(query.right, infer(query.left, input, scope), scope);
    case 'comma':
      return union(infer(query.left, input, scope), infer(query.right, input, scope));
    case 'default': {
      // A value with a default may be absent: that is what the default is for.
      const left = infer(query.left, input, { ...scope, report: () => {} });
      return union(left, infer(query.right, input, scope));
    }
    case 'and':
    case 'or':
      infer(query.left, input, scope);
      infer(query.right, input, scope);
      return TRUTH;
    case 'operation': {
      const [left, right] = [infer(query.left, input, scope), infer(query.right, input, scope)];
      return query.operator === '+' ? merged(left, right) : undefined;
    }
    case 'condition':
      infer(query.test, input, scope);
      return union(infer(query.whenTrue, input, scope), infer(query.otherwise, input, scope));
    case 'call':
      return inferCall(query, input, scope);
  }
}

function inferCall(
  { name, arguments: given }: Extract<ExpressionTree, { kind: 'call' }>,
  input: Guess,
  scope: InferScope,
): Guess {
  if (name === 'select') {
    for (const test of given) infer(test, input, scope);
    return input;
  }
  const seen = OF_ITEMS.has(name) && given.length === 1 ? itemsOf(input) : undefined;
  const [first] = given.map((argument) => infer(argument, seen, scope));
  return name === 'map' ? [{ kind: 'list', items: first }] : undefined;
}

/** The sum of two objects. */
function merged(left: Guess, right: Guess): Guess {
  const [base, ...moreBases] = left ?? [];
  const [added, ...moreAdded] = right ?? [];
  if (base === undefined || added === undefined || moreBases.length + moreAdded.length > 0) return undefined;
  if (base.kind === 'value' && base.value === null) return right;
  const own = membersOf(added);
  if (own === undefined) return undefined;
  if (base.kind === 'schema') return [{ kind: 'object', members: own, rest: base }];
  const members = membersOf(base);
  if (members !== undefined) return [{ kind: 'object', members: new Map([...members, ...own]) }];
  if (base.kind === 'object') return [{ ...base, members: new Map([...base.members, ...own]) }];
  return undefined;
}

/** All members of an object; undefined if there may be others. */
function membersOf(known: Known): ReadonlyMap<string, Guess> | undefined {
  if (known.kind === 'object') return known.rest === undefined ? known.members : undefined;
  if (known.kind !== 'value' || !isJsonObject(known.value)) return undefined;
  return new Map(Object.entries(known.value).map(([name, value]) => [name, [{ kind: 'value', value }]]));
}
