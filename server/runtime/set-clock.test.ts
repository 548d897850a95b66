// On PostgreSQL: postgres-set-clock.test.ts.
import { testSetClock } from './set-clock.testing.ts';

testSetClock('SQLite', async () => ({ environment: {}, close: async () => {} }));
