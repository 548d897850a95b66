// Requests are put in the transaction in which their runs begin to wait.
import { LIMITS } from '../../../shared/limits.ts';
import { isoTime } from '../../lib/clock.ts';
import { Refused } from '../../lib/rejection.ts';
import { storeLargeMembers } from '../../kernel/contents/index.ts';
import type { Ids } from '../../kernel/ids.ts';
import type { Tasks } from '../../kernel/tasks/index.ts';
import type { NewRequest } from '../../kinds/conversing.ts';
import type { Ending } from '../../kinds/run.ts';
import { type Attempt, metadataOf, type RunRequests } from '../runs/index.ts';
import type { Tools } from '../tools/index.ts';
import { lockCount } from './sql.ts';
import { deliverTask, EXPIRE_TASK, requestTask } from './tasks.ts';
import { toolNamed } from './tool-use.ts';

interface OpeningOptions {
  tasks: Tasks;
  tools: Pick<Tools, 'connectionOf' | 'refuseUnoffered'>;
  ids: Ids;
}

export function createOpening({ tasks, tools, ids }: OpeningOptions): Pick<RunRequests, 'put' | 'opened'> {
  function refusalOf(attempt: Attempt, { delivery }: NewRequest): Ending | undefined {
    try {
      if (delivery !== null) tools.refuseUnoffered(attempt, delivery.server, delivery.tool);
      return undefined;
    } catch (error) {
      if (error instanceof Refused) return { status: 'rejected', rejection: error.rejection };
      throw error;
    }
  }

  return {
    async put(tx, attempt, request, cause) {
      const refusal = refusalOf(attempt, request);
      if (refusal !== undefined) return { ending: refusal };
      const { to, message, input, answerSchema, expiresAt, delivery } = request;
      if (isWaitedFor(request) && (await lockCount(tx, attempt)) >= LIMITS.openRequests) return { ending: FULL };
      const { data, kept } = await storeLargeMembers(tx, attempt, { message, input, answer_schema: answerSchema });
      const event = {
        id: ids(),
        type: 'interaction_requested',
        data: {
          to,
          delivery: delivery === null ? null : toolNamed(delivery, tools.connectionOf(attempt, delivery.server)),
          message_bytes: Buffer.byteLength(message),
          takes_answer: answerSchema !== null,
          ...(delivery?.replies === undefined ? {} : { answerer: delivery.replies.answerer }),
          ...(isWaitedFor(request) ? { expires_at: isoTime(expiresAt) } : {}),
          ...data,
        },
        kept,
        metadata: { ...metadataOf(attempt), causation_id: cause },
      };
      return { event };
    },
    async opened(tx, attempt, { request: { answerSchema, expiresAt, delivery }, eventId, now }) {
      const ref = { run_id: attempt.runId, request: eventId };
      if (answerSchema !== null) {
        await tasks.add(tx, attempt, requestTask(EXPIRE_TASK, ref, expiresAt), { replace: true });
      }
      if (delivery !== null) await tasks.add(tx, attempt, deliverTask(ref, delivery, delivery.replies?.every, now));
    },
  };
}

/** A notification in the inbox is there at once: nothing is left to wait for. */
function isWaitedFor({ answerSchema, delivery }: NewRequest): boolean {
  return answerSchema !== null || delivery !== null;
}

const FULL: Ending = {
  status: 'rejected',
  rejection: {
    reason: 'unavailable',
    kind: 'requests_full',
    detail: `The playbook has ${LIMITS.openRequests} open requests, which is the limit; answer or cancel some first.`,
  },
};
