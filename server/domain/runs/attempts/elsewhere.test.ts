import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createEventLog } from '../../../kernel/log/index.ts';
import { openTemporaryStore, settle, type TemporaryStore } from '../../../kernel/log/testing.ts';
import { createFakeClock, type FakeClock } from '../../../lib/clock.ts';
import { Refused } from '../../../lib/rejection.ts';
import { type AwaitElsewhere, createAwaitElsewhere } from './elsewhere.ts';
import { runMigrations } from '../history/migrations.ts';

const PLACE = { org: 'acme', playbook: 'desk' };
const ATTEMPT = { ...PLACE, runId: '0192b3a4-5c6d-7e8f-9a0b-1c2d3e4f5a6b', attempt: 1, holder: 'other' };
const LEASE = 15_000;

let clock: FakeClock;
let temporary: TemporaryStore;
let awaitElsewhere: AwaitElsewhere;
/** When the lease of the other process ends; undefined once it has expired. */
let leaseEnd: number | undefined;

beforeEach(async () => {
  clock = createFakeClock();
  temporary = openTemporaryStore(runMigrations, clock);
  leaseEnd = clock.now() + LEASE;
  const log = createEventLog({ store: temporary.store, projections: [], clock, ids: () => 'id' });
  awaitElsewhere = createAwaitElsewhere(log, { leaseEnd: async () => leaseEnd }, clock);
  await temporary.store.write(PLACE, (tx) =>
    tx.run(
      `INSERT INTO runs (org, playbook, run_id, type, name, definition_version, status, attempt, input_sha256, started_at,
         started_day, started_position, started_by, attempt_started_at, attempt_event_id, tokens_input, tokens_output, tokens_cached)
       VALUES ('acme', 'desk', $1, 'computation', 'slow', 1, 'started', 1, '', '', '', 1, 'developer', '', '', 0, 0, 0)`,
      [ATTEMPT.runId],
    ),
  );
});
afterEach(() => temporary.remove());

const change = (columns: string) =>
  temporary.store.write('every playbook', (tx) => tx.run(`UPDATE runs SET ${columns}`, []));

/** What waiting comes to, once it has. */
function waiting(signal = new AbortController().signal): { came: () => unknown } {
  let came: unknown;
  awaitElsewhere(ATTEMPT, signal).then(
    (ended) => (came = ended),
    (error: unknown) => (came = error),
  );
  return { came: () => came };
}

async function pass(seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second += 1) {
    clock.advance(1000);
    await settle();
  }
}

describe('an attempt that another process has in progress', () => {
  test.each([
    ['has ended', `status = 'succeeded'`],
    ['was followed by another attempt', 'attempt = 2'],
  ])('is waited for until it %s', async (_what, columns) => {
    const { came } = waiting();
    await pass(3);
    expect(came()).toBeUndefined();
    await change(columns);
    await pass(1);
    expect(came()).toBe('ended');
  });

  test('is abandoned once the lease of its process has expired', async () => {
    const { came } = waiting();
    await pass(3);
    leaseEnd = undefined;
    await pass(1);
    expect(came()).toBe('abandoned');
  });

  test('is waited for as long as its process renews its lease', async () => {
    const { came } = waiting();
    for (let renewal = 0; renewal < 12; renewal += 1) {
      await pass(5);
      leaseEnd = clock.now() + LEASE;
    }
    expect(came()).toBeUndefined();
    leaseEnd = undefined;
    await pass(1);
    expect(came()).toBe('abandoned');
  });

  test('is refused as unavailable where its process does not renew its lease for ten seconds', async () => {
    const { came } = waiting();
    await pass(9);
    expect(came()).toBeUndefined();
    await pass(1);
    expect(came()).toBeInstanceOf(Refused);
    expect((came() as Refused).rejection).toMatchObject({ reason: 'unavailable', retryAfter: 5 });
  });

  test('is no longer waited for when the caller is gone', async () => {
    const gone = new AbortController();
    const { came } = waiting(gone.signal);
    await pass(2);
    expect(came()).toBeUndefined();
    gone.abort();
    await settle();
    expect(came()).toBeInstanceOf(Refused);
  });
});
