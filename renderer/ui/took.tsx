import { runDuration } from './durations.ts';
import { useNow } from './use-now.ts';

type Run = Parameters<typeof runDuration>[0];

/** How long a run took; of one that goes on, how long by now. */
export function Took({ run }: { run: Run }) {
  return <span className="number">{run.ended_at === undefined ? <TookByNow run={run} /> : runDuration(run, 0)}</span>;
}

function TookByNow({ run }: { run: Run }) {
  return runDuration(run, useNow());
}
