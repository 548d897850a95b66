import { durationWords } from '../../shared/duration-words.ts';

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

export function costWords(cost: number): string {
  return cost === 0 ? '0' : Number(cost.toPrecision(3)).toLocaleString(undefined, { maximumFractionDigits: 9 });
}
