// The short form of `npm run chaos`. Skipped without a PostgreSQL: `npm run test:postgres` starts one.
import { describe, expect, test } from 'vitest';
import { POSTGRES_FOR_TESTS } from '../kernel/log/postgres/testing.ts';
import { bringChaos } from '../test/chaos/bring-chaos.ts';

/** One stop of a process past its lease takes 17 seconds, whatever else happens meanwhile. */
const FAULTS = 8;
/** Tasks fail a few times meanwhile, and wait longer after each try. */
const FINISHING = 180_000;

describe.runIf(POSTGRES_FOR_TESTS !== undefined)('three servers on one PostgreSQL', () => {
  test(`given ${FAULTS} faults, then nothing acknowledged is lost and nothing happens twice`, {
    timeout: 300_000,
  }, async () => {
    const { summary, breaches } = await bringChaos(FAULTS, FINISHING);
    expect(breaches, summary).toEqual([]);
  });
});
