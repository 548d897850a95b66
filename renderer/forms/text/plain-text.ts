// The signs of numbers and times as the scripts of the world write them, as those of ASCII.

/** The zeros of the scripts whose decimal digits are read; the others follow each. */
const ZEROS = [
  0x660, 0x6f0, 0x7c0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66, 0xe50, 0xed0, 0xf20, 0x1040,
  0x17e0, 0x1810, 0xff10,
];
/** Marks of direction, which copied texts contain. */
const INVISIBLE = /[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g;
const MINUS_SIGNS = /[\u2010-\u2013\u2212\ufe63\uff0d]/g;
/** As wide as an ideograph, beside the minus: `＋，．／：`. */
const WIDE = /[\uff0b\uff0c\uff0e\uff0f\uff1a]/g;

/** Without marks of direction and blanks around it. */
export function plainText(text: string): string {
  return text
    .replace(INVISIBLE, '')
    .replace(MINUS_SIGNS, '-')
    .replace(WIDE, (sign) => String.fromCodePoint((sign.codePointAt(0) ?? 0) - 0xfee0))
    .replaceAll('،', ',')
    .replaceAll(/\p{Nd}/gu, (digit) => {
      const code = digit.codePointAt(0) ?? 0;
      const zero = ZEROS.find((first) => code >= first && code < first + 10);
      return zero === undefined ? digit : String(code - zero);
    })
    .trim();
}
