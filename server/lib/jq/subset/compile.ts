// Compiles queries to closures. Each keeps jq's order of results; the first error leaves the whole expression to jq.
import type { Json } from '../../../../shared/json.ts';
import { item, member } from './access.ts';
import { join, OPERATIONS } from './arithmetic.ts';
import { compileCall, ITEMS } from './calls.ts';
import { collect, comma, condition, either, logic, pipe } from './flow.ts';
import { compileObject } from './objects.ts';
import { type EvaluationContext, spend } from './scope.ts';
import { after, combine, single, type Filter } from './filter.ts';
import type { Query } from './syntax.ts';
import { toText } from './text.ts';

/** @throws Unsupported for a function that the subset does not have */
export function compile(query: Query): Filter {
  switch (query.kind) {
    case 'identity':
      return single((input) => input);
    case 'literal':
      return literal(query.value);
    case 'variable':
      return variable(query.name);
    case 'index':
      return compileIndex(compile(query.of), query.key);
    case 'items':
      return pipe(compile(query.of), ITEMS);
    case 'text':
      return compileText(query.parts.map(compile));
    case 'list':
      return collect(compile(query.body));
    case 'object':
      return compileObject(query.members.map(({ name, value }) => ({ name, value: compile(value) })));
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

function compileIndex(of: Filter, key: string | number): Filter {
  return after(of, (value) => (typeof key === 'string' ? member(value, key) : item(value, key)));
}

function compileText(parts: readonly Filter[]): Filter {
  return parts
    .map((part) => after(part, toText))
    .reduce((left, right) => combine(left, right, (head, tail, scope) => joinTexts(head, tail, scope)));
}

/** Both are strings: results of `toText`. */
function joinTexts(left: Json, right: Json, scope: EvaluationContext): Json {
  spend(scope, 1);
  return join(left as string, right as string);
}
