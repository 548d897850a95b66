// A call of a tool by itself, without a run: its two events stand on a stream of its own.
//
// 1. The start is committed before anything is sent; in the same transaction the playbook is found to be active.
// 2. A known end is recorded before it is returned. A caller that goes away leaves a start without an end.
import type { JsonObject } from '../../../shared/json.ts';
import type { ToolCall } from '../../../shared/schemas/index.ts';
import { isoTime } from '../../lib/clock.ts';
import type { Ids } from '../../kernel/ids.ts';
import type { EventLog, NewEvent, PlaybookKey, WriteTransaction } from '../../kernel/log/index.ts';
import { Refused } from '../../lib/rejection.ts';
import { requireActivePlaybook } from '../playbooks/index.ts';
import { callEnded, callStarted } from './call-events.ts';
import type { ToolCalled } from './call.ts';
import type { Tools } from './tools.ts';

export interface CallWithoutRunRequest {
  server: string;
  tool: string;
  arguments: JsonObject;
  by: string;
  traceId: string;
  signal: AbortSignal;
}

export type CallWithoutRun = (playbookKey: PlaybookKey, request: CallWithoutRunRequest) => Promise<ToolCall>;

export interface CallWithoutRunOptions {
  tools: Tools;
  log: EventLog;
  ids: Ids;
}

export function createCallWithoutRun({ tools, log, ids }: CallWithoutRunOptions): CallWithoutRun {
  return async (playbookKey, { server, tool, arguments: args, by, traceId, signal }) => {
    const callId = ids();
    let startId: string | null = null;

    /** @returns the id of the recorded event */
    async function record(tx: WriteTransaction, event: Omit<NewEvent, 'metadata'>): Promise<string | null> {
      const metadata = { by, correlation_id: null, causation_id: startId };
      const [recorded] = await log.append(tx, {
        ...playbookKey,
        stream: `call-${callId}`,
        traceId,
        events: [{ ...event, metadata }],
      });
      return recorded?.id ?? null;
    }

    const called = await tools.call(playbookKey, server, tool, args, {
      signal,
      // The id is kept only when the work has been committed: a work that is repeated records its event anew.
      async beforeSending(start) {
        startId = await log.write(playbookKey, async (tx) => {
          await requireActivePlaybook(tx, playbookKey);
          return record(tx, await callStarted(tx, playbookKey, start, { call_id: callId }));
        });
      },
    });
    if (called === undefined) throw new Refused({ reason: 'client_closed_request', detail: GONE });
    await log.write(playbookKey, async (tx) =>
      record(tx, await callEnded(tx, playbookKey, called, { call_id: callId })),
    );
    return presentCall(callId, called);
  };
}

const GONE = 'The caller went away before the tool answered; the call may have had an effect.';

function presentCall(callId: string, called: ToolCalled): ToolCall {
  return {
    call_id: callId,
    server: called.server,
    tool: called.tool,
    outcome: called.outcome,
    text: called.text,
    ...(called.answer === undefined ? {} : { answer: called.answer }),
    result_bytes: called.resultBytes,
    duration_ms: called.durationMs,
    ...(called.requestId === undefined ? {} : { server_request_id: called.requestId }),
    called_at: isoTime(called.calledAt),
  };
}
