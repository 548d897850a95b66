// Work that a process left behind when it died: its holder records no ending any more.
import type { EventLog } from '../../kernel/log/index.ts';
import type { Rejection } from '../../lib/rejection.ts';
import { streamOf } from './present.ts';
import { attemptOf, endedEvent } from './record.ts';
import { withKnownEffect } from './run-tools.ts';
import { dropLease, type Lease, type LeasesOf, selectLeases, selectRun } from './sql.ts';

const LEASES_A_PAGE = 100;

/** The ending of a run whose work crashed the process three times: trying again would crash every start. */
export const PROCESS_DIED: Rejection = {
  reason: 'conflict',
  kind: 'unworkable',
  detail:
    'The server crashed or was killed three times while it worked on this run, so it does not try again. The history of the run shows the last step; fix that step before you run it again.',
};

/** Ends the attempts that holders left as failed. Answers how many there were. */
export async function endInterrupted(log: EventLog, of: LeasesOf): Promise<number> {
  for (let count = 0; ; ) {
    const leases = await log.read((tx) => selectLeases(tx, of, LEASES_A_PAGE));
    for (const lease of leases) await endInterruptedAttempt(log, lease);
    count += leases.length;
    if (leases.length < LEASES_A_PAGE) return count;
  }
}

/** Ends an attempt whose holder died as failed, unless another process has done so. */
export async function endInterruptedAttempt(log: EventLog, lease: Lease): Promise<void> {
  await log.write(lease, async (tx) => {
    const run = await selectRun(tx, lease, lease.run_id);
    if (!(await dropLease(tx, lease)) || run === undefined || run.status !== 'started') return;
    const attempt = attemptOf(run, 'runtime');
    const ending = withKnownEffect(run.tools_called, { status: 'failed', detail: 'interrupted' });
    await log.append(tx, {
      org: run.org,
      playbook: run.playbook,
      stream: streamOf(run.run_id),
      events: [await endedEvent(tx, attempt, ending, undefined, run.attempt_event_id)],
    });
  });
}
