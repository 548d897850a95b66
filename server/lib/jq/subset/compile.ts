// Queries as closures. Each keeps jq's order of results and of evaluation, so that the same error comes first.
import type { Json } from '../../../../shared/json.ts';
import { index, items, member, slice } from './access.ts';
import { join, negate, OPERATIONS } from './arithmetic.ts';
import { compileCall } from './calls.ts';
import { attempt, attemptCombined, collect, comma, condition, either, logic, pipe } from './flow.ts';
import { compileObject } from './objects.ts';
import { type Scope, spend } from './scope.ts';
import { after, combine, several, single, type Filter } from './filter.ts';
import type { Query } from './syntax.ts';
import { toText } from './text.ts';

/** @throws NotMine for a function that the subset does not have */
export function compile(query: Query): Filter {
  switch (query.kind) {
    case 'identity':
      return single((input) => input);
    case 'literal':
      return literal(query.value);
    case 'variable':
      return variable(query.name);
    case 'index':
      return compileIndex(compile(query.of), query.key, query.isOptional);
    case 'slice':
      return compileSlice(query, compile(query.of));
    case 'items':
      return compileItems(compile(query.of), query.isOptional);
    case 'try':
      return attempt(compile(query.body));
    case 'text':
      return compileText(query.parts.map(compile));
    case 'list':
      return collect(compile(query.body));
    case 'object':
      return compileObject(query.members.map(({ key, value }) => ({ key: compile(key), value: compile(value) })));
    case 'negate':
      return after(compile(query.body), negate);
    case 'pipe':
      return pipe(compile(query.left), compile(query.right));
    case 'comma':
      return comma(compile(query.left), compile(query.right));
    case 'default':
      return either(compile(query.left), compile(query.right));
    case 'and':
      return logic(compile(query.left), compile(query.right), false);
    case 'or':
      return logic(compile(query.left), compile(query.right), true);
    case 'operation':
      return combine(compile(query.left), compile(query.right), OPERATIONS[query.operator]);
    case 'condition':
      return condition(compile(query.test), compile(query.whenTrue), compile(query.otherwise));
    case 'call':
      return compileCall(query.name, query.arguments.map(compile));
  }
}

function literal(value: Json): Filter {
  return single(() => value);
}

function variable(name: string): Filter {
  return single((_, { variables }) => variables[name] ?? null);
}

function compileIndex(of: Filter, key: Query, isOptional: boolean): Filter {
  if (isOptional) return attemptCombined(of, compile(key), index);
  if (key.kind !== 'literal' || typeof key.value !== 'string') return combine(of, compile(key), index);
  const name = key.value;
  return after(of, (value) => member(value, name));
}

function compileSlice({ from, to, isOptional }: Query & { kind: 'slice' }, of: Filter): Filter {
  const bounds = combine(compile(to), compile(from), (end, start) => [start, end]);
  const cut = (value: Json, bound: Json, scope: Scope): Json => {
    const [start = null, end = null] = bound as Json[];
    return slice(value, start, end, scope);
  };
  return isOptional ? attemptCombined(of, bounds, cut) : combine(of, bounds, cut);
}

function compileItems(of: Filter, isOptional: boolean): Filter {
  const each = several((input, scope, emit) => {
    for (const item of items(input, scope)) emit(item);
  });
  return pipe(of, isOptional ? attempt(each) : each);
}

function compileText(parts: readonly Filter[]): Filter {
  return parts
    .map((part) => after(part, toText))
    .reduce((left, right) => combine(left, right, (head, tail, scope) => joinTexts(head, tail, scope)));
}

/** Both are texts: `toText` made them. */
function joinTexts(left: Json, right: Json, scope: Scope): Json {
  spend(scope, 1);
  return join(left as string, right as string);
}
