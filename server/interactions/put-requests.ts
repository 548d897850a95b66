// Open requests as those who work on them see them: with their run, its document and what was said.
import type { JsonObject } from '../../shared/json.ts';
import { readVersion } from '../definitions/index.ts';
import { readMember } from '../kernel/contents/index.ts';
import {
  type EventLog,
  type NewEvent,
  type Place,
  type ReadTransaction,
  selectEvent,
  type StoredEvent,
  type WriteTransaction,
} from '../kernel/log/index.ts';
import type { PutRequest } from '../kinds/kind.ts';
import { attemptOf, metadataOf, requireRun, type RunRow, streamOf } from '../runs/index.ts';
import { type RequestRow, selectRequest } from './sql.ts';
import type { RequestRef } from './tasks.ts';

/** The open request that a task is for; undefined once it is closed. */
export async function requestOf(
  tx: ReadTransaction,
  { org, playbook }: Place,
  ref: RequestRef,
): Promise<RequestRow | undefined> {
  const request = await selectRequest(tx, { org, playbook, run_id: ref.run_id });
  return request?.event_id === ref.request ? request : undefined;
}

/** As `requestOf`, for what is given up once a cancel was asked. */
export async function wantedRequestOf(
  tx: ReadTransaction,
  place: Place,
  ref: RequestRef,
): Promise<RequestRow | undefined> {
  const request = await requestOf(tx, place, ref);
  return request?.standing === 'cancelling' ? undefined : request;
}

export interface Said {
  message: string;
  answerSchema: JsonObject | null;
}

export async function readSaid(tx: ReadTransaction, request: RequestRow): Promise<Said> {
  const event = await requireEvent(tx, request, request.event_id);
  return {
    message: String(await readMember(tx, event, 'message')),
    answerSchema: ((await readMember(tx, event, 'answer_schema')) ?? null) as JsonObject | null,
  };
}

/** What the record of the run holds once it ended, so that notices can be read. */
export async function recordOf(tx: ReadTransaction, request: RequestRow): Promise<JsonObject> {
  const { message } = await readSaid(tx, request);
  return { to: request.to_party, message, takes_answer: Number(request.takes_answer) === 1 };
}

/** The request as its kind sees it. */
export async function readPut(tx: ReadTransaction, request: RequestRow, now: number): Promise<PutRequest> {
  const run = await requireRun(tx, request, request.run_id);
  const started = await requireEvent(tx, request, run.attempt_event_id);
  const { source } = await readVersion(tx, run, Number(run.definition_version));
  return {
    org: request.org,
    playbook: request.playbook,
    runId: request.run_id,
    source,
    input: (await readMember(tx, started, 'input')) ?? {},
    to: request.to_party,
    ...(await readSaid(tx, request)),
    expiresAt: Date.parse(request.expires_at),
    conversation: conversationOf(request),
    now,
  };
}

export function conversationOf({ conversation }: RequestRow): string | number | null {
  return conversation === null ? null : (JSON.parse(conversation) as string | number);
}

async function requireEvent(tx: ReadTransaction, place: Place, id: string): Promise<StoredEvent> {
  const event = await selectEvent(tx, place, id);
  if (event === undefined) throw new Error(`The event ${id} of a request is missing.`);
  return event;
}

export type RequestEvent = Pick<NewEvent, 'id' | 'key' | 'type' | 'data' | 'kept'>;

/** Records events of a request in its run's history, the first caused by `cause`, each other by the one before. */
export async function recordInRun(
  log: EventLog,
  tx: WriteTransaction,
  run: RunRow,
  events: readonly RequestEvent[],
  { cause, by, chained = true }: { cause: string; by: string; chained?: boolean },
): Promise<StoredEvent[]> {
  const recorded: StoredEvent[] = [];
  let causation = cause;
  for (const event of events) {
    const metadata = { ...metadataOf(attemptOf(run, by)), causation_id: causation };
    const [one] = await log.append(tx, {
      org: run.org,
      playbook: run.playbook,
      stream: streamOf(run.run_id),
      events: [{ ...event, metadata }],
    });
    if (one === undefined) throw new Error('An append answered without its event.');
    recorded.push(one);
    if (chained) causation = one.id;
  }
  return recorded;
}

/** Who does what a playbook does by itself. */
export function playbookItself({ playbook }: Place): string {
  return `playbook:${playbook}`;
}
