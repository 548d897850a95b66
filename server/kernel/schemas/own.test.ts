import Type from 'typebox';
import { expect, test } from 'vitest';
import { compileOwnSchema } from './index.ts';

const check = compileOwnSchema(
  Type.Object(
    {
      source: Type.String({ description: 'The document.', maxLength: 5 }),
      kind: Type.Optional(Type.Union([Type.Literal('a'), Type.Literal('b')])),
    },
    { additionalProperties: false },
  ),
);

test.each([
  [{ source: 'a', kind: 'b' }, []],
  [{}, ['/source The request lacks the required field `source` (The document).']],
  [{ source: 'too long' }, ['/source `source` (The document) must have at most 5 characters.']],
  [{ source: 'a', kind: 'c' }, ['/kind `kind` must be one of "a", "b".']],
  [{ source: 'a', sorce: 'b' }, ['/sorce The request has an unknown field `sorce` (did you mean `source`?).']],
  [
    JSON.parse('{"source":"a","__proto__":1}'),
    ['/__proto__ The request has an unknown field `__proto__`; it takes `source`, `kind`.'],
  ],
])('%j', (value, told) => {
  expect(check(value, '').map(({ pointer, detail }) => `${pointer} ${detail}`)).toEqual(told);
});
