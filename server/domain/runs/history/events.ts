// The events of a run, and how they are appended to its stream.
import { isJsonObject, type Json, type JsonObject } from '../../../../shared/json.ts';
import type { RunOrigin } from '../../../../shared/schemas/index.ts';
import { storeLargeMembers } from '../../../kernel/contents/index.ts';
import type {
  DefinitionVersion,
  EventLog,
  NewEvent,
  PlaybookKey,
  StoredEvent,
  WriteTransaction,
} from '../../../kernel/log/index.ts';
import { rejectionData } from '../../../kinds/ending-data.ts';
import type { Ending } from '../../../kinds/run.ts';
import { unfinished, type ToolsCalled } from '../../../kinds/tools.ts';
import type { Rejection } from '../../../lib/rejection.ts';
import type { RunRow } from './sql.ts';

/** One attempt, as its events name it. */
export interface Attempt extends PlaybookKey {
  runId: string;
  attempt: number;
  definition: Required<DefinitionVersion>;
  by: string;
  chain: Chain;
}

/** What started a run, and how far it is from what a caller started. */
export interface Chain {
  /** The run at the top. */
  top: string;
  calledBy?: NonNullable<NewEvent['metadata']['called_by']>;
  /** Calls above the run. */
  callDepth: number;
  /** Reactions above the run. */
  depth: number;
  trigger?: NonNullable<NewEvent['metadata']['trigger']>;
}

/** The chain of a run that a caller started. */
export function newChain(runId: string): Chain {
  return { top: runId, callDepth: 0, depth: 0 };
}

export function metadataOf({ runId, definition, by, chain }: Attempt): NewEvent['metadata'] {
  const { top, calledBy, callDepth, depth, trigger } = chain;
  return {
    by,
    run_id: runId,
    correlation_id: top,
    definition,
    ...(calledBy === undefined ? {} : { called_by: calledBy, call_depth: callDepth }),
    ...(calledBy === undefined && trigger === undefined ? {} : { depth }),
    ...(trigger === undefined ? {} : { trigger }),
  };
}

/** A started run, from its row. */
export function attemptOf(row: RunRow, by = row.started_by): Attempt {
  return {
    org: row.org,
    playbook: row.playbook,
    runId: row.run_id,
    attempt: Number(row.attempt),
    definition: { type: row.type, name: row.name, version: Number(row.definition_version) },
    by,
    chain: {
      top: row.top_run_id,
      ...(row.called_by === null ? {} : { calledBy: JSON.parse(row.called_by) as NonNullable<Chain['calledBy']> }),
      callDepth: Number(row.call_depth),
      depth: Number(row.depth),
      ...(row.trigger_text === null ? {} : { trigger: JSON.parse(row.trigger_text) as NonNullable<Chain['trigger']> }),
    },
  };
}

export function streamOf(runId: string): string {
  return `run-${runId}`;
}

interface AppendOptions {
  /** Where the stream must end. @throws StreamMoved if it ends elsewhere */
  expected?: number | undefined;
  /** Of events without a time of their own, in milliseconds since 1970. */
  at?: number;
  traceId?: string | undefined;
}

/** Appends events to the stream of a run. */
export function appendToRun(
  log: Pick<EventLog, 'append'>,
  tx: WriteTransaction,
  { org, playbook, runId }: Pick<Attempt, 'org' | 'playbook' | 'runId'>,
  events: readonly NewEvent[],
  { expected, at, traceId }: AppendOptions = {},
): Promise<StoredEvent[]> {
  return log.append(tx, {
    org,
    playbook,
    stream: streamOf(runId),
    ...(expected === undefined ? {} : { expected }),
    ...(at === undefined ? {} : { at }),
    ...(traceId === undefined ? {} : { traceId }),
    events,
  });
}

/** Appends one event to the stream of a run. @param cause the event that led to it */
export async function appendEvent(
  log: Pick<EventLog, 'append'>,
  tx: WriteTransaction,
  attempt: Attempt,
  event: Omit<NewEvent, 'metadata'>,
  { cause, traceId }: { cause: string; traceId?: string | undefined },
): Promise<StoredEvent> {
  const metadata = { ...metadataOf(attempt), causation_id: cause };
  const [appended] = await appendToRun(log, tx, attempt, [{ ...event, metadata }], { traceId });
  if (appended === undefined) throw new Error('An append returned no event.');
  return appended;
}

interface StartedData {
  input: Json;
  inputSha256: string;
  model?: string;
  /** The event that started it, or the last of several. */
  cause?: string;
  /** The events that started it together, if there are several. */
  causes?: readonly string[];
}

export async function startedEvent(
  tx: WriteTransaction,
  attempt: Attempt,
  { input, inputSha256, model, cause, causes }: StartedData,
  origin?: RunOrigin,
): Promise<NewEvent> {
  const { data, kept } = await storeLargeMembers(tx, attempt, { input });
  const own = { attempt: attempt.attempt, input_sha256: inputSha256, ...(model === undefined ? {} : { model }) };
  return {
    type: 'run_started',
    data: {
      ...own,
      ...(origin === undefined ? {} : { origin }),
      ...(causes === undefined ? {} : { trigger_events: [...causes] }),
      ...data,
    },
    kept,
    metadata: { ...metadataOf(attempt), ...(cause === undefined ? {} : { causation_id: cause }) },
  };
}

/**
 * The ending. It is caused by the start of its attempt, an input, an answer or an expiry, and recorded by durable/record-decision.ts (also for an outcome of an attempt
 * and for `failRun` in durable/apply-input.ts), durable/requests.ts (answered, expired, withdrawn) and attempts/interrupted.ts.
 */
export async function endedEvent(
  tx: WriteTransaction,
  attempt: Attempt,
  ending: Ending,
  outputShape: string | undefined,
  causedBy: string,
): Promise<NewEvent> {
  const metadata = { ...metadataOf(attempt), causation_id: causedBy };
  const own = { attempt: attempt.attempt };
  switch (ending.status) {
    case 'succeeded': {
      const { data, kept } = await storeLargeMembers(tx, attempt, { output: ending.output, record: ending.record });
      const isShaped = outputShape !== undefined && ending.hasNoShape !== true;
      const shape = isShaped ? { output_shape: outputShape } : {};
      return { type: 'run_succeeded', data: { ...own, ...shape, ...tokensOf(ending), ...data }, kept, metadata };
    }
    case 'rejected': {
      const { data, kept } = await storeLargeMembers(tx, attempt, { record: ending.record });
      const rejection = rejectionData(ending.rejection);
      return { type: 'run_rejected', data: { ...own, rejection, ...tokensOf(ending), ...data }, kept, metadata };
    }
    case 'failed': {
      const { data, kept } = await storeLargeMembers(tx, attempt, { record: ending.record });
      return {
        type: 'run_failed',
        data: { ...own, detail: ending.detail, ...tokensOf(ending), ...data },
        kept,
        metadata,
      };
    }
  }
}

/** What models used up, beside a record that may be kept apart: it is counted from the event alone. */
function tokensOf({ record }: Ending): { tokens?: JsonObject } {
  const tokens = record?.['tokens'];
  return isJsonObject(tokens) ? { tokens } : {};
}

/** An ending without an output: after a call of a tool it says what is known of the call's effect. */
export function withKnownEffect(used: ToolsCalled, ending: Ending): Ending {
  if (used === 'none' || ending.status === 'succeeded') return ending;
  const { record } = ending;
  const rejection = ending.status === 'failed' ? unfinished(used, ending.detail) : unfinishedBy(used, ending.rejection);
  return { status: 'rejected', rejection, ...(record === undefined ? {} : { record }) };
}

/** A kind may have said it itself. */
function unfinishedBy(used: Exclude<ToolsCalled, 'none'>, rejection: Rejection): Rejection {
  const { kind, because, detail } = rejection;
  const isSaid = kind === 'effect_unknown' || kind === 'tools_unfinished';
  return isSaid ? rejection : unfinished(used, detail, because ?? kind);
}
