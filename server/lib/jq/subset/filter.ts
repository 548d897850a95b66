import type { Json } from '../../../../shared/json.ts';
import type { EvaluationContext } from './scope.ts';

export type Emit = (value: Json) => void;

/** A compiled part of an expression. Errors are thrown. */
export interface Filter {
  /** Emits each result, in jq's order. */
  each(input: Json, scope: EvaluationContext, emit: Emit): void;
  /** Returns the result; present if there is exactly one for every input. */
  one?: One;
}

export type One = (input: Json, scope: EvaluationContext) => Json;

export function single(one: One): Filter {
  return { one, each: (input, scope, emit) => emit(one(input, scope)) };
}

export function several(each: Filter['each']): Filter {
  return { each };
}

/** Combines each pair of results of two filters into a value; as in jq, the second is the outer loop. */
export function combine(
  inner: Filter,
  outer: Filter,
  make: (innerValue: Json, outerValue: Json, scope: EvaluationContext) => Json,
): Filter {
  const { one: left } = inner;
  const { one: right } = outer;
  if (left !== undefined && right !== undefined) {
    return single((input, scope) => {
      const second = right(input, scope);
      return make(left(input, scope), second, scope);
    });
  }
  return several((input, scope, emit) =>
    outer.each(input, scope, (second) => inner.each(input, scope, (first) => emit(make(first, second, scope)))),
  );
}

/** Maps each result of a filter to a value. */
export function after(filter: Filter, make: (value: Json, scope: EvaluationContext) => Json): Filter {
  const { one } = filter;
  if (one !== undefined) return single((input, scope) => make(one(input, scope), scope));
  return several((input, scope, emit) => filter.each(input, scope, (value) => emit(make(value, scope))));
}
