import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openTemporaryStore } from '../kernel/log/testing.ts';
import { runMigrations } from '../runs/index.ts';
import { selectPercentiles } from './sql.ts';

const nearestRank = (durations: readonly number[], share: number): number =>
  durations.toSorted((a, b) => a - b)[Math.ceil((share * durations.length) / 100) - 1] ?? Number.NaN;

test('percentiles are the nearest rank: the duration at place ceil(p n) of n sorted durations', async () => {
  const opened = openTemporaryStore(runMigrations);
  const place = { org: 'local', playbook: 'count' };
  let position = 0;
  try {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(10_000), { minLength: 1, maxLength: 60 }), async (durations) => {
        const [all] = await opened.store.write(async (tx) => {
          await tx.run('DELETE FROM runs');
          for (const duration of durations) {
            position += 1;
            await tx.run(
              `INSERT INTO runs (org, playbook, run_id, type, name, definition_version, status, attempt, input_sha256, started_at,
                 started_day, started_position, started_by, attempt_started_at, attempt_event_id, duration_ms,
                 tokens_input, tokens_output, tokens_cached)
               VALUES ($1, $2, $3, 'computation', 'one', 1, 'succeeded', 1, '', '', '2026-01-01', $4, '', '', '', $5, 0, 0, 0)`,
              [place.org, place.playbook, String(position), position, duration],
            );
          }
          return selectPercentiles(tx, place, { from: '2026-01-01', to: '2026-01-01', type: undefined }, 'window');
        });
        expect([Number(all?.p50), Number(all?.p95)]).toEqual([nearestRank(durations, 50), nearestRank(durations, 95)]);
      }),
      { numRuns: 60 },
    );
  } finally {
    await opened.remove();
  }
});
