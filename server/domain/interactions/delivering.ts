// Delivering a request through a tool: at least once. Once it is delivered it is not delivered again, also where its
// conversation cannot be found.
import type { TaskHandler } from '../../kernel/tasks/index.ts';
import type { Conversing } from '../../kinds/conversing.ts';
import type { Closing } from './closing.ts';
import { readPutRequest, recordOf } from './put-requests.ts';
import { RecordedTry, type RecordedTryOptions } from './recorded-try.ts';
import type { RequestRow } from './sql.ts';
import { DELIVER_TASK, type DeliverPayload, READ_TASK, type ReadPayload, requestTask } from './tasks.ts';

export interface DeliveringOptions extends RecordedTryOptions {
  closing: Closing;
  /** What requests of a type are called in messages. */
  conversing: (type: RequestRow['type']) => Conversing;
}

export function createDelivering({ closing, conversing, ...options }: DeliveringOptions): TaskHandler {
  const { log, clock, tasks } = options;
  const tried = new RecordedTry<DeliverPayload>(options, {
    task: DELIVER_TASK,
    events: { started: 'delivery_started', failed: 'delivery_failed' },
    cause: ({ request }) => request,
    since: ({ requested_at }) => Date.parse(requested_at),
    use: async (_request, { server, tool, arguments: given }) => ({ server, tool, arguments: given }),
    async ended(request, payload, called) {
      const put = await log.read((tx) => readPutRequest(tx, request, clock.now()));
      const conversation = await conversing(request.type).conversation(put, called.document?.() ?? null);
      const end = conversation.ok
        ? {
            type: 'delivery_succeeded',
            data: { landed: `${payload.server}/${payload.tool}`, conversation: conversation.value },
          }
        : { type: 'delivery_refused', data: { because: 'unworkable', detail: conversation.detail } };
      return {
        ...end,
        follow: async (tx, cause) => {
          if (Number(request.takes_answer) === 0) {
            const record = await recordOf(tx, request);
            const ending = { status: 'succeeded', output: { delivered: true }, record } as const;
            await closing.end(tx, request, ending, { eventId: cause });
          } else if (conversation.ok && conversation.value !== null && payload.every !== null) {
            const { run_id, request: put, every } = payload;
            const reading: ReadPayload = { run_id, request: put, every, waited: every, first: true };
            await tasks.add(tx, request, requestTask(READ_TASK, reading, clock.now()), { replace: true });
          }
        },
      };
    },
    /** A notification that cannot be delivered ends its run; a question stays in the inbox. */
    async gaveUp(tx, request, cause) {
      if (Number(request.takes_answer) === 1) return;
      const detail = `The notification to ${request.to_party} could not be delivered.`;
      await closing.reject(tx, request, { reason: 'unanswered', kind: 'undelivered', detail }, { eventId: cause });
    },
  });
  return (task, lease) => tried.handle(task, lease);
}
