// Numbers that keep their value when JSON is parsed: as doubles, with at most about 16 digits.

/** Whether the number that a text in the notation of JSON stands for is kept as it is. */
export function isExact(text: string): boolean {
  return significant(String(Number(text))) === significant(text);
}

/** The digits that count, with the power of ten of the last one: equal for equal decimal numbers. */
function significant(decimalText: string): string {
  const [mantissa = '', power = '0'] = decimalText.replace(/^-/, '').toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  const kept = digits.replace(/(?<!0)0+$/, '');
  return kept === '' ? '0' : `${kept}e${Number(power) - fraction.length + digits.length - kept.length}`;
}
