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

/** The times of a run's last attempt. */
export interface TimedRun {
  attempt_started_at: string;
  /** Absent while the run is in progress. */
  ended_at?: string | undefined;
}

/** The duration of a run's last attempt in words; until `now`, in milliseconds since 1970, if it has not ended. */
export function runDuration(run: TimedRun, now: number): string {
  const end = run.ended_at === undefined ? now : Date.parse(run.ended_at);
  return durationWords(Math.max(0, end - Date.parse(run.attempt_started_at)));
}

const SIZE_UNITS = ['bytes', 'KiB', 'MiB', 'GiB'];

/** A size in bytes for people: "812 bytes", "1.4 MiB". */
export function fileSize(bytes: number): string {
  const power = Math.min(SIZE_UNITS.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10));
  const shown = bytes / 1024 ** power;
  return `${shown.toLocaleString(undefined, { maximumFractionDigits: power === 0 ? 0 : 1 })} ${SIZE_UNITS[power]}`;
}
