import { describe, expect, test } from 'vitest';
import { findStep, identityOf, positionOfStep, valueAt } from './step-position.ts';

describe('the place of a step', () => {
  test.each([
    ['/do/2/slow', { list: '/do', at: 2, name: 'slow' }],
    ['/do/0/watch/catch/do/1/a~1b', { list: '/do/0/watch/catch/do', at: 1, name: 'a/b' }],
    ['/do/0/7/try/3/4', { list: '/do/0/7/try', at: 3, name: '4' }],
    ['/use/functions/charge', undefined],
    ['start', undefined],
  ])('%s', (pointer, place) => {
    expect(positionOfStep(pointer)).toEqual(place);
  });
});

test('the identity of a step has no indexes, but names that are digits', () => {
  expect(identityOf('/do/2/slow/fork/branches/1/left')).toBe('/do/slow/fork/branches/left');
  expect(identityOf('/do/0/7/try/3/4')).toBe(identityOf('/do/5/7/try/0/4'));
  expect(identityOf('/do/0/7')).not.toBe(identityOf('/do/0/8'));
});

describe('a step of an earlier version', () => {
  const document = { do: [{ new: { set: {} } }, { each: { for: {}, do: [{ b: { wait: 'PT1S' } }, { a: {} }] } }] };

  test('is found by its name where it stands now', () => {
    expect(findStep(document, '/do/0/each/do/0/a')).toBe('/do/1/each/do/1/a');
    expect(valueAt(document, '/do/1/each/do/0/b')).toEqual({ wait: 'PT1S' });
    expect(findStep({ use: { functions: { f: {} } } }, '/use/functions/f')).toBe('/use/functions/f');
  });

  test('is not found if it is gone, or if two steps have its name', () => {
    expect(findStep(document, '/do/0/gone')).toBeUndefined();
    expect(findStep(undefined, '/do/0/each')).toBeUndefined();
    expect(findStep({ do: [{ a: {} }, { a: {} }] }, '/do/0/a')).toBeUndefined();
    expect(findStep({ do: 'text' }, '/do/0/a')).toBeUndefined();
  });
});
