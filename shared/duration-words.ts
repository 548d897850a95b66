const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** A duration in milliseconds as text, rounded: `12 ms`, `3.4 s`, `2 min 5 s`, `3 d 4 h`. */
export function durationWords(milliseconds: number): string {
  if (milliseconds < SECOND) return `${Math.round(milliseconds)} ms`;
  if (milliseconds < 10 * SECOND) return `${(milliseconds / SECOND).toFixed(1)} s`;
  if (milliseconds < MINUTE) return `${Math.round(milliseconds / SECOND)} s`;
  if (milliseconds < HOUR) return twoParts(milliseconds, MINUTE, 'min', SECOND, 's');
  if (milliseconds < DAY) return twoParts(milliseconds, HOUR, 'h', MINUTE, 'min');
  return twoParts(milliseconds, DAY, 'd', HOUR, 'h');
}

function twoParts(milliseconds: number, large: number, largeUnit: string, small: number, smallUnit: string): string {
  const smalls = Math.round(milliseconds / small);
  const perLarge = large / small;
  const rest = smalls % perLarge;
  const whole = `${Math.floor(smalls / perLarge)} ${largeUnit}`;
  return rest === 0 ? whole : `${whole} ${rest} ${smallUnit}`;
}
