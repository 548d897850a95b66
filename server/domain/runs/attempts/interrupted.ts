// Attempts of a process that died, or that stopped before they ended: they are ended as failed, or as rejected
// (`effect_unknown`, `tools_unfinished`) where they may have called a tool.
import type { EventLog } from '../../../kernel/log/index.ts';
import { attemptOf, endedEvent, appendToRun, withKnownEffect } from '../history/events.ts';
import { dropLease, type Lease, type LeasesOf, selectLeases } from '../history/leases.ts';
import { selectRun } from '../history/sql.ts';

const LEASES_A_PAGE = 100;

/** Ends the attempts of holders. Returns how many there were. */
export async function endInterrupted(log: EventLog, of: LeasesOf): Promise<number> {
  for (let count = 0; ; ) {
    const leases = await log.read((tx) => selectLeases(tx, of, LEASES_A_PAGE));
    for (const lease of leases) await endInterruptedAttempt(log, lease);
    count += leases.length;
    if (leases.length < LEASES_A_PAGE) return count;
  }
}

/** Ends an attempt whose holder died, unless another process has done so. */
export async function endInterruptedAttempt(log: EventLog, lease: Lease): Promise<void> {
  await log.write(lease, async (tx) => {
    const run = await selectRun(tx, lease, lease.run_id);
    if (!(await dropLease(tx, lease)) || run === undefined || run.status !== 'started') return;
    const attempt = attemptOf(run, 'runtime');
    const ending = withKnownEffect(run.tools_called, { status: 'failed', detail: 'interrupted' });
    await appendToRun(log, tx, attempt, [await endedEvent(tx, attempt, ending, undefined, run.attempt_event_id)]);
  });
}
