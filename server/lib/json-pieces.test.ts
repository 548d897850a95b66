import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { jsonPieces, wholeJson } from './json-pieces.ts';
import { JsonText } from './json-text.ts';

async function piecesOf(value: unknown): Promise<string[]> {
  const pieces: string[] = [];
  for await (const piece of jsonPieces(value)) pieces.push(piece);
  return pieces;
}

async function* counting(count: number, seen: (index: number) => void = () => {}) {
  for (let index = 0; index < count; index += 1) {
    seen(index);
    yield { index, text: 'x'.repeat(1000) };
  }
}

describe('1. the pieces together', () => {
  test('are what JSON.stringify returns', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue({ maxDepth: 6 }), async (value) => {
        expect(await wholeJson(value)).toBe(JSON.stringify(value));
      }),
    );
  });

  test.each([
    ['members that are undefined', { a: undefined, list: Array.from({ length: 500 }, () => ({ b: undefined, c: 1 })) }],
    ['thousands of levels', JSON.parse(`${'['.repeat(1000)}${']'.repeat(1000)}`) as unknown],
    [
      'lists that nest side by side',
      Array.from({ length: 50 }, () => JSON.parse(`${'['.repeat(500)}${']'.repeat(500)}`) as unknown),
    ],
    ['many members', Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`k${index}`, index]))],
    ['holes', [undefined, null, ...Array.from({ length: 300 }, () => undefined)]],
  ])('are so for %s', async (_what, value) => {
    expect(await wholeJson(value)).toBe(JSON.stringify(value));
  });

  test('hold texts and items as they are', async () => {
    const value = { a: new JsonText('{"b":[1,2]}'), list: counting(3), c: [new JsonText('"x"')] };
    expect(JSON.parse(await wholeJson(value))).toEqual({
      a: { b: [1, 2] },
      list: [0, 1, 2].map((index) => ({ index, text: 'x'.repeat(1000) })),
      c: ['x'],
    });
  });
});

test('2. an item is asked for when all before it are written', async () => {
  let asked = 0;
  const pieces = jsonPieces({ list: counting(1000, (index) => (asked = index)) });
  await pieces.next();
  expect(asked).toBeLessThan(100);
  await pieces.return(undefined);
  expect(asked).toBeLessThan(100);
});

test('a text that is cut keeps its characters', async () => {
  const value = ['x'.repeat(65_530), '😀'.repeat(100_000)];
  const bytes = (await piecesOf(value)).map((piece) => Buffer.from(piece));
  expect(JSON.parse(Buffer.concat(bytes).toString())).toEqual(value);
  expect(Math.max(...bytes.map(({ length }) => length))).toBeLessThan(300_000);
});

test('a large value is written in many pieces', async () => {
  const pieces = await piecesOf(Array.from({ length: 1000 }, () => 'x'.repeat(1000)));
  expect(pieces.length).toBeGreaterThan(10);
});
