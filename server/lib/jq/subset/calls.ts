// The functions of the subset.
import type { Json } from '../../../../shared/json.ts';
import { items, length } from './access.ts';
import { add } from './arithmetic.ts';
import { collect, pipe } from './flow.ts';
import { unsupported } from './scope.ts';
import { isTruthy, typeName } from './order.ts';
import { several, single, type Filter } from './filter.ts';

export const ITEMS: Filter = several((input, scope, emit) => {
  for (const item of items(input, scope)) emit(item);
});

/** Functions by name and number of arguments. */
const CALLS: ReadonlyMap<string, (...args: Filter[]) => Filter> = new Map([
  ['length/0', () => single(length)],
  ['type/0', () => single(typeName)],
  ['not/0', () => single((input) => !isTruthy(input))],
  ['empty/0', () => several(() => {})],
  ['add/0', () => total(ITEMS)],
  ['map/1', (body) => collect(pipe(ITEMS, body))],
  ['select/1', select],
] as [string, (...args: Filter[]) => Filter][]);

/** @throws Unsupported for a function that the subset does not have */
export function compileCall(name: string, args: readonly Filter[]): Filter {
  const make = CALLS.get(`${name}/${args.length}`);
  if (make === undefined) throw unsupported();
  return make(...args);
}

function select(test: Filter): Filter {
  return several((input, scope, emit) =>
    test.each(input, scope, (value) => {
      if (isTruthy(value)) emit(input);
    }),
  );
}

function total(generator: Filter): Filter {
  return single((input, scope) => {
    let sum: Json = null;
    generator.each(input, scope, (value) => {
      sum = add(sum, value, scope);
    });
    return sum;
  });
}
