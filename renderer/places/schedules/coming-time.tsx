import dayjs from 'dayjs';
import { fullTime } from '../../ui/times.tsx';
import { useNow } from '../../ui/use-now.ts';

/** A time that is still to come, such as "in 5 minutes"; the tooltip shows it in full. */
export function ComingTime({ at }: { at: string }) {
  return (
    <time dateTime={at} title={fullTime(at)}>
      {dayjs(at).from(useNow())}
    </time>
  );
}
