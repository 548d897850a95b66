import type { Json } from '../../../../shared/json.ts';
import type { EvaluationContext } from './scope.ts';

export type Emit = (value: Json) => void;

/** A compiled part of an expression. Errors are thrown. */
export interface Filter {
  /** Gives each result, in jq's order. */
  each(input: Json, scope: EvaluationContext, emit: Emit): void;
  /** Gives the one result, where there is exactly one whatever the input. */
  one?: One;
}

export type One = (input: Json, scope: EvaluationContext) => Json;

export function single(one: One): Filter {
  return { one, each: (input, scope, emit) => emit(one(input, scope)) };
}

export function several(each: Filter['each']): Filter {
  return { each };
}

/** A filter that makes one value of one result of each of two others; jq runs the second in the outer loop. */
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

/** A filter that makes one value of each result of another. */
export function after(filter: Filter, make: (value: Json, scope: EvaluationContext) => Json): Filter {
  const { one } = filter;
  if (one !== undefined) return single((input, scope) => make(one(input, scope), scope));
  return several((input, scope, emit) => filter.each(input, scope, (value) => emit(make(value, scope))));
}
