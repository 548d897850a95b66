// A text is the same inside QuickJS as outside, whatever its characters are and however large the memory has become; a
// lone surrogate is kept inside and replaced on its way out.
import { expect, test } from 'vitest';
import { createInstance, createMemory } from './instance.ts';
import { compileWasm } from './wasm-module.ts';

const memory = createMemory();
const { context } = await createInstance(await compileWasm(), memory);

const unitsOf = (text: string): number[] => Array.from({ length: text.length }, (_none, at) => text.charCodeAt(at));

/** The text after it went in and out, and its UTF-16 units as QuickJS sees them. */
function passed(text: string): { back: string; units: number[] } {
  const units: number[] = [];
  const inside = context.newString(text);
  context.setProp(context.global, 'text', inside);
  const count = context.unwrapResult(context.evalCode('text.length'));
  for (let index = 0; index < context.getNumber(count); index += 1) {
    const unit = context.unwrapResult(context.evalCode(`text.charCodeAt(${index})`));
    units.push(context.getNumber(unit));
  }
  return { back: context.getString(inside), units };
}

test.each([
  ['no character', ''],
  ['one byte a character', 'plain\n\t"text"\\'],
  ['two bytes', 'größer als ñandú'],
  ['three bytes', '日本語 €'],
  ['four bytes', '🦉 and 𝒳'],
  ['the replacement character itself', 'a\uFFFDb'],
  ['a byte order mark', '\uFEFFa'],
])('with %s', (_what, text) => {
  expect(passed(text)).toEqual({ back: text, units: unitsOf(text) });
});

test.each([
  ['a high one', 'a\uD83Db'],
  ['a low one at the end', 'a\uDE00'],
  ['some beside a pair', '\uD83D\uD83E\uDD89\uDD89'],
])('with lone surrogates, which come back as replacement characters: %s', (_what, text) => {
  const { back, units } = passed(text);
  expect(units).toEqual(unitsOf(text));
  expect(back.replaceAll(/\uFFFD+/g, '?')).toBe(text.toWellFormed().replaceAll(/\uFFFD+/g, '?'));
});

test('longer than the memory was before', () => {
  const before = memory.buffer.byteLength;
  const text = 'ä€🦉'.repeat(400_000);
  const inside = context.newString(text);
  expect(memory.buffer.byteLength).toBeGreaterThan(before);
  expect(context.getString(inside) === text).toBe(true);
});
