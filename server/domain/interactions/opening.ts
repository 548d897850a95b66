// A request is put, in the transaction in which its run begins to wait.
import { LIMITS } from '../../../shared/limits.ts';
import { isoTime } from '../../lib/clock.ts';
import { keepLarge } from '../../kernel/contents/index.ts';
import type { Ids } from '../../kernel/ids.ts';
import type { EventLog, NewEvent } from '../../kernel/log/index.ts';
import type { Tasks } from '../../kernel/tasks/index.ts';
import type { Ending } from '../../kinds/run.ts';
import { metadataOf, streamOf, type Waits } from '../runs/index.ts';
import type { Tools } from '../tools/index.ts';
import { lockCount } from './sql.ts';
import { deliverTask, EXPIRE_TASK, requestTask } from './tasks.ts';
import { toolNamed } from './tool-use.ts';

interface OpeningOptions {
  log: EventLog;
  tasks: Tasks;
  tools: Pick<Tools, 'connectionOf'>;
  ids: Ids;
}

export function createOpening({ log, tasks, tools, ids }: OpeningOptions): Waits['begin'] {
  return async (tx, attempt, request, start) => {
    const { to, message, answerSchema, expiresAt, delivery } = request;
    const isNotice = answerSchema === null;
    const waits = !isNotice || delivery !== null;
    if (waits && (await lockCount(tx, attempt)) >= LIMITS.openRequests) return FULL;
    const { data, kept } = await keepLarge(tx, attempt, { message, answer_schema: answerSchema });
    const id = ids();
    const requested: NewEvent = {
      id,
      type: 'interaction_requested',
      data: {
        to,
        delivery: delivery === null ? null : toolNamed(delivery, tools.connectionOf(attempt, delivery.server)),
        message_bytes: Buffer.byteLength(message),
        takes_answer: !isNotice,
        ...(delivery?.replies === undefined ? {} : { answerer: delivery.replies.answerer }),
        ...(waits ? { expires_at: isoTime(expiresAt) } : {}),
        ...data,
      },
      kept,
      metadata: { ...metadataOf(attempt), causation_id: start.eventId },
    };
    const deferred: NewEvent = {
      type: 'run_deferred',
      data: {
        attempt: attempt.attempt,
        waits_for: isNotice ? 'the delivery of its notification' : `the answer of ${to}`,
        until: isoTime(expiresAt),
      },
      metadata: { ...metadataOf(attempt), causation_id: id },
    };
    await log.append(tx, {
      org: attempt.org,
      playbook: attempt.playbook,
      stream: streamOf(attempt.runId),
      ...(start.traceId === undefined ? {} : { traceId: start.traceId }),
      events: waits ? [requested, deferred] : [requested],
    });
    if (!waits)
      return { status: 'succeeded', output: { delivered: true }, record: { to, message, takes_answer: false } };
    const ref = { run_id: attempt.runId, request: id };
    if (!isNotice) await tasks.add(tx, attempt, requestTask(EXPIRE_TASK, ref, expiresAt), { replace: true });
    if (delivery !== null) await tasks.add(tx, attempt, deliverTask(ref, delivery, delivery.replies?.every, start.at));
    return undefined;
  };
}

const FULL: Ending = {
  status: 'rejected',
  rejection: {
    reason: 'unavailable',
    kind: 'requests_full',
    detail: `The playbook has ${LIMITS.openRequests} open requests, as many as there may be; answer or cancel some first.`,
  },
};
