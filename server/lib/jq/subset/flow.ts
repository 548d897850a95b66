// Control flow: pipe, comma, alternative, logic, condition, collection.
import type { Json } from '../../../../shared/json.ts';
import { isTruthy } from './order.ts';
import { spend } from './scope.ts';
import { several, single, type Filter } from './filter.ts';

/** `left | right` */
export function pipe(left: Filter, right: Filter): Filter {
  const { one: first } = left;
  const { one: second } = right;
  if (first !== undefined && second !== undefined) return single((input, scope) => second(first(input, scope), scope));
  if (first !== undefined) return several((input, scope, emit) => right.each(first(input, scope), scope, emit));
  return several((input, scope, emit) => left.each(input, scope, (value) => right.each(value, scope, emit)));
}

/** `left, right` */
export function comma(left: Filter, right: Filter): Filter {
  return several((input, scope, emit) => {
    // Besides `.[]`, this is where the number of results grows.
    spend(scope, 1);
    left.each(input, scope, emit);
    right.each(input, scope, emit);
  });
}

/** `left // right`: the results of `left` that are neither null nor false; if there are none, those of `right`. */
export function either(left: Filter, right: Filter): Filter {
  const { one: first } = left;
  const { one: second } = right;
  if (first !== undefined && second !== undefined) {
    return single((input, scope) => {
      const value = first(input, scope);
      return isTruthy(value) ? value : second(input, scope);
    });
  }
  return several((input, scope, emit) => {
    let isFound = false;
    left.each(input, scope, (value) => {
      if (!isTruthy(value)) return;
      isFound = true;
      emit(value);
    });
    if (!isFound) right.each(input, scope, emit);
  });
}

/** `left and right`, `left or right`. @param decided the value of the left side that decides alone */
export function logic(left: Filter, right: Filter, decided: boolean): Filter {
  const { one: first } = left;
  const { one: second } = right;
  if (first !== undefined && second !== undefined) {
    return single((input, scope) =>
      isTruthy(first(input, scope)) === decided ? decided : isTruthy(second(input, scope)),
    );
  }
  return several((input, scope, emit) =>
    left.each(input, scope, (value) => {
      if (isTruthy(value) === decided) emit(decided);
      else right.each(input, scope, (other) => emit(isTruthy(other)));
    }),
  );
}

/** `if test then ... else ... end` */
export function condition(test: Filter, then: Filter, otherwise: Filter): Filter {
  const { one: asked } = test;
  const { one: yes } = then;
  const { one: no } = otherwise;
  if (asked !== undefined && yes !== undefined && no !== undefined) {
    return single((input, scope) => (isTruthy(asked(input, scope)) ? yes(input, scope) : no(input, scope)));
  }
  return several((input, scope, emit) =>
    test.each(input, scope, (value) => (isTruthy(value) ? then : otherwise).each(input, scope, emit)),
  );
}

/** `[body]` */
export function collect(body: Filter): Filter {
  return single((input, scope) => {
    const list: Json[] = [];
    body.each(input, scope, (value) => {
      spend(scope, 1);
      list.push(value);
    });
    return list;
  });
}
