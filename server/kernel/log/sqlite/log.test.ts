import { describeEventLog } from '../log-contract.ts';
import { openTemporaryStore } from '../testing.ts';

describeEventLog('the event log on SQLite', async (migrations) => openTemporaryStore(migrations));
