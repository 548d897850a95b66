// Numbers as people write them. A text is read in one way or refused with a sentence; nothing is rounded or guessed.
import { isExact } from '../../../shared/exact-numbers.ts';
import { plainText } from './plain-text.ts';

/** How a person's language writes numbers. */
export interface NumberNotation {
  /** The decimal sign. The point is read as well. */
  decimal: string;
  /** The ten digits, from 0. */
  digits: readonly string[];
}

export type ReadNumber = { number: number } | { problem: string };

/** @param languages the person's languages, in order, as `navigator.languages` has them */
export function numberNotation(languages: readonly string[]): NumberNotation {
  const format = new Intl.NumberFormat([...languages], { useGrouping: false });
  const decimal = format.formatToParts(0.5).find(({ type }) => type === 'decimal')?.value ?? '.';
  return { decimal, digits: Array.from({ length: 10 }, (_, digit) => format.format(digit)) };
}

/** A number in the person's notation, without grouping. */
export function numberText(value: number, { decimal, digits }: NumberNotation): string {
  return String(value)
    .replace('.', decimal)
    .replaceAll(/\d/g, (digit) => digits[Number(digit)] ?? digit);
}

const ARABIC_DECIMAL = '٫';
const NUMBER = /^(?<sign>[+-]?)(?<digits>[\d.,٫\s'’ʼ＇٬_]*)(?:e(?<power>[+-]?\d+))?$/i;
/** Threes, and the twos and threes of India. */
const GROUPED = /^(?:\d{1,3}(?:-\d{3})+|\d{1,2}(?:-\d{2})*-\d{3})$/;

/** Reads a text; undefined if it is blank. */
export function readNumber(text: string, notation: NumberNotation): ReadNumber | undefined {
  const plain = plainText(text);
  if (plain === '') return undefined;
  const match = NUMBER.exec(plain)?.groups;
  const written = match?.['digits'] ?? '';
  if (match === undefined || !/\d/.test(written)) return notANumber(notation);
  const sign = match['sign'] === '-' ? '-' : '';
  const read = readDigits(written, match['power'] === undefined, notation, sign);
  if ('problem' in read) return read;
  const power = match['power'] === undefined ? '' : `e${match['power']}`;
  return exactNumber(`${sign}${read.digits}${power}`, notation);
}

/** @returns the digits with a point as decimal sign and without grouping */
function readDigits(
  written: string,
  mayBeGrouped: boolean,
  notation: NumberNotation,
  sign: string,
): { digits: string } | { problem: string } {
  const signs = written.match(/\D/g) ?? [];
  const last = signs.at(-1);
  if (last === undefined) return { digits: written };
  const at = written.lastIndexOf(last);
  const whole = written.slice(0, at);
  const rest = written.slice(at + 1);
  const isOwn = last === notation.decimal || last === ARABIC_DECIMAL;
  const mayBeDecimal = isOwn || last === '.' || last === ',';

  if (signs.length === 1 && mayBeDecimal) {
    return !isOwn && mayBeGrouped && isOneGroup(whole, rest)
      ? ambiguous(`${sign}${whole}`, rest, notation)
      : decimal(whole, rest);
  }
  // Two kinds of signs: the first groups, the last separates the decimals.
  const kinds = new Set(signs).size;
  const isDecimal = kinds === 2 && mayBeDecimal && !whole.includes(last);
  const grouped = (isDecimal ? whole : written).replaceAll(/\D/g, '-');
  if (!mayBeGrouped || !GROUPED.test(grouped) || (kinds === 1 && isOwn) || (kinds > 1 && !isDecimal)) {
    return {
      problem: `The signs between the digits are unclear. Write the number like ${numberText(1234.5, notation)}.`,
    };
  }
  const digits = grouped.replaceAll('-', '');
  return isDecimal ? decimal(digits, rest) : { digits };
}

const decimal = (whole: string, fraction: string) => ({ digits: `${whole === '' ? '0' : whole}.${fraction}0` });

/** Whether `1.999` could be both 1999 and a fraction. */
function isOneGroup(whole: string, fraction: string): boolean {
  return /^[1-9]\d{0,2}$/.test(whole) && fraction.length === 3;
}

function notANumber(notation: NumberNotation): { problem: string } {
  return { problem: `This is not a number. Write it like ${numberText(1234.5, notation)}.` };
}

function ambiguous(whole: string, fraction: string, notation: NumberNotation): { problem: string } {
  const written = (value: string): string => numberText(Number(value), notation);
  const first = written(`${whole}${fraction}`);
  const second = `${written(whole)}${notation.decimal}${localDigits(fraction, notation)}`;
  return { problem: `This can mean ${first} or ${second}. Write one of them.` };
}

const localDigits = (text: string, { digits }: NumberNotation): string =>
  text.replaceAll(/\d/g, (digit) => digits[Number(digit)] ?? digit);

function exactNumber(digits: string, notation: NumberNotation): ReadNumber {
  const number = Number(digits);
  if (!Number.isFinite(number)) return { problem: 'This number is too large.' };
  if (!isExact(digits)) {
    return {
      problem: `This number has too many digits to be exact. The nearest one is ${numberText(number, notation)}.`,
    };
  }
  return { number: number === 0 ? 0 : number };
}
