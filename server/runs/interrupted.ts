// Attempts that another process start left behind: whoever held their lease records no ending any more.
import type { EventLog } from '../kernel/log/index.ts';
import { streamOf } from './present.ts';
import { attemptOf, endedEvent } from './record.ts';
import { withKnownEffect } from './run-tools.ts';
import { dropLease, type Lease, selectDeadLeases, selectRun } from './sql.ts';

const LEASES_A_PAGE = 100;

/**
 * Ends them as failed. Answers how many there were.
 * @param holder this process start, which goes on with its own
 */
export async function endInterrupted(log: EventLog, holder: string): Promise<number> {
  for (let count = 0; ; ) {
    const leases = await log.read((tx) => selectDeadLeases(tx, holder, LEASES_A_PAGE));
    for (const lease of leases) await endDead(log, lease);
    count += leases.length;
    if (leases.length < LEASES_A_PAGE) return count;
  }
}

async function endDead(log: EventLog, lease: Lease): Promise<void> {
  await log.write(async (tx) => {
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
