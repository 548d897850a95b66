// The open requests, folded from the events of their runs.
import { DEFINITION_FACTS, type DefinitionType } from '../../../shared/definition-types.ts';
import { isJsonObject } from '../../../shared/json.ts';
import type { Projection, StoredEvent, WriteTransaction } from '../../kernel/log/index.ts';
import {
  cancelRequest,
  deleteRequest,
  deliveryEnded,
  deliveryStarted,
  insertRequest,
  putReply,
  type RunKey,
  selectRequest,
} from './sql.ts';

type Apply = (tx: WriteTransaction, run: RunKey, event: StoredEvent) => Promise<void>;

const APPLY: Readonly<Record<string, Apply>> = {
  interaction_requested: applyRequested,
  delivery_started: (tx, run, { id, data, metadata }) =>
    deliveryStarted(tx, run, { attempt: Number(data['attempt']), at: metadata.at, eventId: id }),
  delivery_succeeded: (tx, run, { data, metadata }) => {
    const conversation = data['conversation'] ?? null;
    return deliveryEnded(tx, run, metadata.causation_id, {
      standing: 'delivered',
      conversation: conversation === null ? null : JSON.stringify(conversation),
    });
  },
  delivery_failed: (tx, run, { data, metadata }) =>
    deliveryEnded(tx, run, metadata.causation_id, { standing: data['gave_up'] === true ? 'undelivered' : 'retrying' }),
  delivery_refused: (tx, run, { metadata }) =>
    deliveryEnded(tx, run, metadata.causation_id, { standing: 'undelivered' }),
  reply_refused: (tx, run, event) => applyReply(tx, run, event, false),
  async request_answered(tx, run, event) {
    await applyReply(tx, run, event, true);
    await deleteRequest(tx, run);
  },
  async workflow_input_applied(tx, run, { data }) {
    if (data['kind'] !== 'request_ended') return;
    if ((await selectRequest(tx, run))?.event_id === data['key']) await deleteRequest(tx, run);
  },
  run_cancel_requested: cancelRequest,
  run_succeeded: deleteRequest,
  run_rejected: deleteRequest,
  run_failed: deleteRequest,
};

export const interactionProjection: Projection = {
  tables: ['requests', 'request_counts', 'request_replies'],
  apply(tx, event) {
    const { run_id, definition } = event.metadata;
    // Runs of the other types put no requests, so that nothing is looked for at their ends.
    if (run_id === undefined || definition === undefined || DEFINITION_FACTS[definition.type].mayAsk !== true)
      return undefined;
    const apply = Object.hasOwn(APPLY, event.type) ? APPLY[event.type] : undefined;
    return apply?.(tx, { org: event.org, playbook: event.playbook, run_id }, event);
  },
};

async function applyRequested(tx: WriteTransaction, run: RunKey, event: StoredEvent): Promise<void> {
  const { data, metadata } = event;
  const delivery = isJsonObject(data['delivery']) ? data['delivery'] : undefined;
  // A notification in the inbox is there at once, and is no open request.
  if (delivery === undefined && data['takes_answer'] !== true) return;
  const { type, name, version } = metadata.definition ?? {};
  await insertRequest(tx, {
    ...run,
    place: Number(event.readPosition),
    event_id: event.id,
    type: type as DefinitionType,
    name: String(name),
    version: Number(version),
    to_party: String(data['to']),
    delivery_server: delivery === undefined ? null : String(delivery['server']),
    delivery_tool: delivery === undefined ? null : String(delivery['tool']),
    takes_answer: data['takes_answer'] === true ? 1 : 0,
    requested_at: metadata.at,
    expires_at: String(data['expires_at'] ?? metadata.at),
    standing: delivery === undefined ? 'in_inbox' : 'to_deliver',
    attempts: 0,
    delivering_at: null,
    delivery_event_id: null,
    conversation: null,
    answerer: typeof data['answerer'] === 'string' ? data['answerer'] : null,
    reply_refusals: 0,
  });
}

async function applyReply(tx: WriteTransaction, run: RunKey, { data }: StoredEvent, isTaken: boolean): Promise<void> {
  const request = typeof data['reply'] === 'string' ? await selectRequest(tx, run) : undefined;
  if (request !== undefined) await putReply(tx, request, String(data['reply']), isTaken);
}
