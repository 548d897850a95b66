import dayjs from 'dayjs';
import relativeTime from 'dayjs/plugin/relativeTime';
import { useNow } from './use-now.ts';

dayjs.extend(relativeTime);

/** A time as a person says it; the whole of it on pointing. */
export function Moment({ at }: { at: string }) {
  const now = useNow();
  const time = dayjs(at);
  return (
    <time dateTime={at} title={time.format('D MMM YYYY, HH:mm:ss.SSS')} style={{ whiteSpace: 'nowrap' }}>
      {time.isAfter(now) ? 'just now' : time.from(now)}
    </time>
  );
}
