import { Clock, TriangleAlert } from 'lucide-react';
import { durationWords } from '../../../shared/duration-words.ts';
import { fullTime } from '../../ui/times.tsx';
import { useNow } from '../../ui/use-now.ts';

/** Milliseconds. */
const SOON = 60 * 60 * 1_000;

/** How long a request can still be answered. */
export function TimeLeft({ until }: { until: string }) {
  const remaining = Date.parse(until) - useNow();
  const isSoon = remaining < SOON;
  const Icon = isSoon ? TriangleAlert : Clock;
  return (
    <span className="time-left number">
      <Icon size={14} aria-hidden style={{ color: isSoon ? 'var(--cue-warn)' : 'var(--cue-quiet)' }} />
      <time dateTime={until} title={fullTime(until)}>
        {remaining > 0 ? `${durationWords(remaining)} left` : 'Expired'}
      </time>
    </span>
  );
}
