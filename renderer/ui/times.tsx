import dayjs from 'dayjs';
import relativeTime from 'dayjs/plugin/relativeTime';
import { runDuration, type TimedRun } from './quantities.ts';
import { useNow } from './use-now.ts';

dayjs.extend(relativeTime);

/** A time in full, as tooltips show it. */
export function fullTime(at: string): string {
  return dayjs(at).format('D MMM YYYY, HH:mm:ss.SSS');
}

/** A time of a schedule, in full without parts of a second. */
export function scheduledTime(at: string): string {
  return dayjs(at).format('D MMM YYYY, HH:mm:ss');
}

/** A time relative to now, such as "5 minutes ago"; the tooltip shows it in full. */
export function RelativeTime({ at }: { at: string }) {
  const now = useNow();
  const time = dayjs(at);
  return (
    <time dateTime={at} title={fullTime(at)} style={{ whiteSpace: 'nowrap' }}>
      {time.isAfter(now) ? 'just now' : time.from(now)}
    </time>
  );
}

/** The duration of a run, which grows while the run is in progress. */
export function RunDuration({ run }: { run: TimedRun }) {
  return (
    <span className="number">{run.ended_at === undefined ? <DurationSoFar run={run} /> : runDuration(run, 0)}</span>
  );
}

function DurationSoFar({ run }: { run: TimedRun }) {
  return runDuration(run, useNow());
}
