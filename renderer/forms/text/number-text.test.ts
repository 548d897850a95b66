import { describe, expect, test } from 'vitest';
import { numberNotation, numberText, readNumber } from './number-text.ts';

const read = (text: string, language: string) => readNumber(text, numberNotation([language]));

const COMMA = ['de', 'fr', 'es', 'it', 'nl', 'pl', 'pt-BR', 'ru', 'sv'];
const EVERY = [...COMMA, 'en-US', 'en-IN', 'de-CH', 'ar', 'ar-EG', 'fa', 'hi'];

describe('in every language', () => {
  test.each<[string, number]>([
    ['19,99', 19.99],
    ['19.99', 19.99],
    ['0,5', 0.5],
    ['0.5', 0.5],
    ['0,125', 0.125],
    ['-0,5', -0.5],
    ['−0.5', -0.5],
    ['+5', 5],
    ['.5', 0.5],
    [',5', 0.5],
    ['5.', 5],
    ['5,0', 5],
    ['007', 7],
    ['1e3', 1000],
    ['1,5E-3', 0.0015],
    ['-0', 0],
    [' 12 ', 12],
    ['\u00a012\u202f', 12],
    ['\u200e-12', -12],
    ['1234.567', 1234.567],
    ['1234,567', 1234.567],
    ['1.999,00', 1999],
    ['1,999.00', 1999],
    ["1'999.5", 1999.5],
    ['1’999', 1999],
    ['1 999', 1999],
    ['1\u00a0999,00', 1999],
    ['1\u202f999', 1999],
    ['12 345 678', 12_345_678],
    ['1.234.567,5', 1_234_567.5],
    ['12,34,567.5', 1_234_567.5],
    ['١٩٫٩٩', 19.99],
    ['١٬٢٣٤٫٥', 1234.5],
    ['۱۹٫۹۹', 19.99],
    ['१९.९९', 19.99],
    ['１９．９９', 19.99],
    ['－１，５', -1.5],
    ['＋５', 5],
    ['12', 12],
    ['9007199254740991', Number.MAX_SAFE_INTEGER],
    ['1e21', 1e21],
    ['0.1', 0.1],
    ['0,30', 0.3],
  ])('%s is %d', (text, number) => {
    for (const language of EVERY) expect(read(text, language), language).toEqual({ number });
  });

  test.each([
    'abc',
    '12 apples',
    '5 %',
    '1 99',
    '1 2',
    '1..2',
    '1,2,3',
    '1.99.5',
    '--5',
    '5-',
    '1e',
    'e5',
    '1 000e3',
    '0x10',
    'Infinity',
    'NaN',
    '½',
    '-',
    '.',
    "1'99",
    '1.234,567.8',
    '1e999',
    '9007199254740993',
    '12345678901234567890',
    '0.12345678901234567891',
    '1.00000000000000001',
  ])('%s is refused with a sentence', (text) => {
    for (const language of EVERY)
      expect(read(text, language), language).toEqual({ problem: expect.stringMatching(/\.$/) });
  });

  test('a blank text is no number', () => {
    for (const language of EVERY) expect(read(' \u00a0', language)).toBeUndefined();
  });

  test('what is shown for a number reads as that number', () => {
    const numbers = [0, -1.5, 1999, 1.999, 0.1, 1234567.891, 1e-7, 1e21, -2.5e-10, Number.MAX_VALUE, 5e-324];
    for (const language of EVERY) {
      const notation = numberNotation([language]);
      for (const number of numbers) expect(readNumber(numberText(number, notation), notation)).toEqual({ number });
    }
  });
});

describe("a sign that is not the language's own decimal sign is refused where it may group", () => {
  test('a point', () => {
    for (const language of COMMA) {
      expect(read('1.999', language), language).toEqual({ problem: 'This can mean 1999 or 1,999. Write one of them.' });
      expect(read('−1.999', language)).toEqual({ problem: 'This can mean -1999 or -1,999. Write one of them.' });
      expect(read('1,999', language), language).toEqual({ number: 1.999 });
      expect(read('1.234.567', language), language).toEqual({ number: 1_234_567 });
    }
  });

  test('a comma', () => {
    for (const language of ['en-US', 'en-IN', 'de-CH', 'ar']) {
      expect(read('1,999', language), language).toEqual({ problem: 'This can mean 1999 or 1.999. Write one of them.' });
      expect(read('1.999', language), language).toEqual({ number: 1.999 });
      expect(read('1,234,567', language), language).toEqual({ number: 1_234_567 });
    }
  });
});

test('numbers are shown in the notation of the first language that the browser knows', () => {
  expect(numberText(19.99, numberNotation(['de-DE', 'en']))).toBe('19,99');
  expect(numberText(19.99, numberNotation(['en-US', 'de']))).toBe('19.99');
  expect(numberText(-1999.5, numberNotation(['ar-EG']))).toBe('-١٩٩٩٫٥');
  expect(read('abc', 'de')).toEqual({ problem: 'This is not a number. Write it like 1234,5.' });
  expect(read('9007199254740993', 'de')).toEqual({
    problem: 'This number has too many digits to be exact. The nearest one is 9007199254740992.',
  });
});
