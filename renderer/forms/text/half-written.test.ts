import { expect, test } from 'vitest';
import type { Json } from '../../../shared/json.ts';
import { halfWritten, type PlacedText } from './half-written.ts';

test.each<[Json, PlacedText[], string]>([
  [{ a: 1, b: { c: 2 } }, [{ at: ['b'], text: '{ "c": ' }], '{"a":1,"b":{"c":}'],
  [{}, [{ at: ['a', 1, 'b'], text: '[1,' }], '{"a":[null,{"b":[1,}]}'],
  [
    { a: 1, z: 0 },
    [
      { at: ['a'], text: '"$1 $& \\' },
      { at: ['z'], text: 'tru' },
    ],
    '{"a":"$1$&\\,"z":tru}',
  ],
  [
    JSON.parse('{"__proto__":{"x":1}}') as Json,
    [{ at: ['__proto__', 'y'], text: 'nul' }],
    '{"__proto__":{"x":1,"y":nul}}',
  ],
  [{ a: 'half written 0' }, [{ at: ['b'], text: '{' }], '{"a":"halfwritten0","b":{}'],
  [null, [{ at: ['constructor'], text: '"' }], '{"constructor":"}'],
])('in %j, the texts %j stand where their fields are', (value, texts, whole) => {
  expect(halfWritten(value, texts).replaceAll(/\s/g, '')).toBe(whole);
});
