// A laptop that sleeps with its database: both have the same clock. Skipped without a PostgreSQL: `npm run test:postgres`
// brings one.
import { chmodSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { describe } from 'vitest';
import { POSTGRES_FOR_TESTS } from '../kernel/log/postgres/testing.ts';
import { testSetClock } from './set-clock.testing.ts';
import { startPostgres } from '../test/postgres/start-postgres.ts';

describe.runIf(POSTGRES_FOR_TESTS !== undefined)('with its database', () => {
  testSetClock('PostgreSQL', async ({ environment }, folder) => {
    // PostgreSQL may run as another user.
    chmodSync(folder, 0o755);
    const data = path.join(folder, 'postgres');
    mkdirSync(data, { mode: 0o755 });
    const postgres = await startPostgres(process.env['POSTGRES_PROGRAMS'] ?? '', data, ['fsync=off'], environment);
    return {
      environment: { DATABASE_URL: postgres.url, SECRETS_KEY: Buffer.alloc(32, 7).toString('base64') },
      close: () => postgres.stop(),
    };
  });
});
