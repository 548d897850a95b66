import { describeEventLog } from '../log-contract.ts';
import { openTemporaryStore } from '../testing.ts';

describeEventLog('SQLite', async (migrations) => openTemporaryStore(migrations));
