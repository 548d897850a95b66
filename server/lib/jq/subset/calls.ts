// The functions of the subset.
import type { Json } from '../../../../shared/json.ts';
import { has, items, keys, length } from './access.ts';
import { add } from './arithmetic.ts';
import { failure } from './failure.ts';
import { collect, pipe, untilFailure } from './flow.ts';
import { notMine } from './not-mine.ts';
import { isTruthy, typeName } from './order.ts';
import { spend } from './scope.ts';
import { combine, several, single, type Filter } from './filter.ts';
import { toNumber, toText } from './text.ts';

const IDENTITY = single((input) => input);
const ITEMS = several((input, scope, emit) => {
  for (const item of items(input, scope)) emit(item);
});

/** Functions by name and number of arguments. */
const CALLS: ReadonlyMap<string, (...passed: Filter[]) => Filter> = new Map([
  ['length/0', () => single(length)],
  ['keys/0', () => single(keys)],
  ['type/0', () => single(typeName)],
  ['not/0', () => single((input) => !isTruthy(input))],
  ['tostring/0', () => single(toText)],
  ['tonumber/0', () => single(toNumber)],
  ['empty/0', () => several(() => {})],
  ['add/0', () => total(ITEMS)],
  ['has/1', (key) => combine(IDENTITY, key, has)],
  ['map/1', (body) => collect(pipe(ITEMS, body))],
  ['select/1', select],
  ['any/0', () => decide(ITEMS, IDENTITY, true)],
  ['all/0', () => decide(ITEMS, IDENTITY, false)],
  ['any/1', (test) => decide(ITEMS, test, true)],
  ['all/1', (test) => decide(ITEMS, test, false)],
  ['any/2', (generator, test) => decide(generator, test, true)],
  ['all/2', (generator, test) => decide(generator, test, false)],
] as [string, (...passed: Filter[]) => Filter][]);

/** @throws NotMine for a function that is none of the subset's */
export function compileCall(name: string, passed: readonly Filter[]): Filter {
  const make = CALLS.get(`${name}/${passed.length}`);
  if (make === undefined) throw notMine();
  return make(...passed);
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

/** Whether any result is true (or all are): the first that decides does, and no error after it counts. */
function decide(generator: Filter, test: Filter, decided: boolean): Filter {
  const tests = pipe(generator, test);
  return single((input, scope) => {
    let isDecided = false;
    const isDone = untilFailure(() =>
      tests.each(input, scope, (value) => {
        spend(scope, 1);
        isDecided ||= isTruthy(value) === decided;
      }),
    );
    if (!isDone && !isDecided) throw failure();
    return isDecided === decided;
  });
}
