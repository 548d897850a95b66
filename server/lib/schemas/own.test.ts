import Type from 'typebox';
import { describe, expect, test } from 'vitest';
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
  [{}, ['/source The request is missing the required field `source` (The document).']],
  [{ source: 'too long' }, ['/source `source` (The document) must have at most 5 characters.']],
  [{ source: 'a', kind: 'c' }, ['/kind `kind` must be one of "a", "b".']],
  [{ source: 'a', sorce: 'b' }, ['/sorce The request has an unknown field `sorce` (did you mean `source`?).']],
  [
    JSON.parse('{"source":"a","__proto__":1}'),
    ['/__proto__ The request has an unknown field `__proto__`; known fields: `source`, `kind`.'],
  ],
])('%j', (value, details) => {
  expect(check(value, '').map(({ pointer, detail }) => `${pointer} ${detail}`)).toEqual(details);
});

describe('what is wrong in many places', () => {
  const checkItems = compileOwnSchema(
    Type.Object({
      items: Type.Array(Type.Object({ type: Type.String(), name: Type.String(), digest: Type.String() })),
      few: Type.Optional(Type.Array(Type.Object({ name: Type.String() }), { maxItems: 1000 })),
    }),
  );

  test('is reported fifty times, with the number of the others', () => {
    const issues = checkItems({ items: Array.from({ length: 1000 }, () => ({})) }, '');
    expect(issues).toHaveLength(51);
    expect(issues[50]).toMatchObject({
      pointer: '/items/16/digest',
      detail: expect.stringContaining('2950 more issues'),
    });
  });

  test('is reported once if there are too many to read, and no error is made for the others', () => {
    const [issue, ...more] = checkItems({ items: Array.from({ length: 1_000_000 }, () => ({})) }, '');
    expect(issue).toMatchObject({ pointer: '/items/0/type', detail: expect.stringContaining('was not checked') });
    expect(more).toEqual([]);
  });

  test('a list with too many items is reported by its length, before its items', () => {
    const [issue, ...more] = checkItems({ items: [], few: Array.from({ length: 100_000 }, () => ({})) }, '');
    expect(issue).toMatchObject({ pointer: '/few', detail: expect.stringContaining('at most 1000 items') });
    expect(more).toEqual([]);
  });
});
