// Open requests with everything that delivering and answering them needs: the run, its document and the message.
import type { JsonObject } from '../../../shared/json.ts';
import { readVersion } from '../definitions/index.ts';
import { readMember } from '../../kernel/contents/index.ts';
import { type PlaybookKey, type ReadTransaction, selectEvent, type StoredEvent } from '../../kernel/log/index.ts';
import type { PutRequest } from '../../kinds/conversing.ts';
import { requireRun } from '../runs/index.ts';
import { type RequestRow, selectRequest } from './sql.ts';
import type { RequestRef } from './tasks.ts';

/** The open request that a task is for; undefined once it is closed. */
export async function requestOf(
  tx: ReadTransaction,
  { org, playbook }: PlaybookKey,
  ref: RequestRef,
): Promise<RequestRow | undefined> {
  const request = await selectRequest(tx, { org, playbook, run_id: ref.run_id });
  return request?.event_id === ref.request ? request : undefined;
}

/** As `requestOf`, for what is given up once a cancel was asked. */
export async function wantedRequestOf(
  tx: ReadTransaction,
  playbookKey: PlaybookKey,
  ref: RequestRef,
): Promise<RequestRow | undefined> {
  const request = await requestOf(tx, playbookKey, ref);
  return request?.standing === 'cancelling' ? undefined : request;
}

export interface RequestContent {
  message: string;
  /** Of the request to a trainer. */
  input?: JsonObject;
  answerSchema: JsonObject | null;
}

export async function readRequestContent(tx: ReadTransaction, request: RequestRow): Promise<RequestContent> {
  const event = await requireEvent(tx, request, request.event_id);
  const input = await readMember(tx, event, 'input');
  return {
    message: String(await readMember(tx, event, 'message')),
    ...(input === undefined ? {} : { input: input as JsonObject }),
    answerSchema: ((await readMember(tx, event, 'answer_schema')) ?? null) as JsonObject | null,
  };
}

/** What the record of the run holds once it ended, so that notices can be read. */
export async function recordOf(tx: ReadTransaction, request: RequestRow): Promise<JsonObject> {
  const { message } = await readRequestContent(tx, request);
  return { to: request.to_party, message, takes_answer: Number(request.takes_answer) === 1 };
}

/** The request as its kind sees it. */
export async function readPutRequest(tx: ReadTransaction, request: RequestRow, now: number): Promise<PutRequest> {
  const run = await requireRun(tx, request, request.run_id);
  const started = await requireEvent(tx, request, run.attempt_event_id);
  const { source } = await readVersion(tx, run, Number(run.definition_version));
  return {
    org: request.org,
    playbook: request.playbook,
    runId: request.run_id,
    source,
    to: request.to_party,
    ...(await readRequestContent(tx, request)),
    input: (await readMember(tx, started, 'input')) ?? {},
    expiresAt: Date.parse(request.expires_at),
    conversation: conversationOf(request),
    now,
  };
}

export function conversationOf({ conversation }: RequestRow): string | number | null {
  return conversation === null ? null : (JSON.parse(conversation) as string | number);
}

async function requireEvent(tx: ReadTransaction, playbookKey: PlaybookKey, id: string): Promise<StoredEvent> {
  const event = await selectEvent(tx, playbookKey, id);
  if (event === undefined) throw new Error(`The event ${id} of a request is missing.`);
  return event;
}
