// Tells a conversation why a reply was refused. It may be sent twice.
import type { TaskHandler } from '../../kernel/tasks/index.ts';
import type { Conversing } from '../../kinds/conversing.ts';
import { readPutRequest } from './put-requests.ts';
import { RecordedTry, type RecordedTryOptions } from './recorded-try.ts';
import type { RequestRow } from './sql.ts';
import { TELL_TASK, type TellPayload } from './tasks.ts';

export interface TellingOptions extends RecordedTryOptions {
  conversing: (type: RequestRow['type']) => Conversing;
}

export function createTelling({ conversing, ...options }: TellingOptions): TaskHandler {
  const { log, clock } = options;
  const tried = new RecordedTry<TellPayload>(options, {
    task: TELL_TASK,
    events: { started: 'telling_started', failed: 'telling_failed' },
    cause: ({ cause }) => cause,
    since: (_request, { since }) => since,
    async use(request, { words }) {
      const put = await log.read((tx) => readPutRequest(tx, request, clock.now()));
      const use = await conversing(request.type).telling(put, words);
      // Nothing is to be posted, or the message can never be built.
      return use.ok ? use.value : undefined;
    },
    ended: async () => ({ type: 'telling_succeeded', data: {} }),
  });
  return (task, lease) => tried.handle(task, lease);
}
