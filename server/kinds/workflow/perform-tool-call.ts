// Makes a call of a tool server.
//
// 1. A call is sent once at most, and not before its start was reported.
// 2. Its time-out begins when it is its turn at the server.
// 3. What is reported and returned is scrubbed of the server's secrets and of the workflow's, before it is cut: a workflow
//    may hand its own secrets to a tool.
// 4. A call that was refused before it was sent leaves no events; its error holds the rejection.
import type { Json, JsonObject } from '../../../shared/json.ts';
import { LIMITS } from '../../../shared/limits.ts';
import { jsonBytes } from '../../lib/canonical-json.ts';
import type { Clock } from '../../lib/clock.ts';
import { createDeadline, untilAborted } from '../../lib/deadline.ts';
import { createYielder } from '../../lib/event-loop.ts';
import { Refused, type Rejection } from '../../lib/rejection.ts';
import { createScrubber, secretTexts } from '../../lib/scrub/index.ts';
import type { Performed, PerformingRun, PerformOptions } from '../durable.ts';
import type { ToolCallDone, WorkflowTools } from '../tools.ts';
import { errorOfType } from './engine/index.ts';
import { excessOf } from './step-bounds.ts';
import { type ToolServerCall, type CallRead, readMcpCall, readToolCall } from './read-tool-call.ts';

export interface ToolCallContext {
  tools: WorkflowTools;
  clock: Clock;
  /** The variables that the workflow may use, by name. */
  secrets: Readonly<Record<string, string>>;
}

export async function performToolCall(
  run: PerformingRun,
  effect: { call: 'tool' | 'mcp'; with: JsonObject },
  { signal, starts }: PerformOptions,
  { tools, clock, secrets }: ToolCallContext,
): Promise<Performed> {
  const read: CallRead = effect.call === 'tool' ? readToolCall(effect.with) : readMcpCall(effect.with, run, tools);
  if (!read.ok) return failed(read.type, 400, read.detail);
  const { call } = read;
  const deadline = createDeadline(clock, call.limit, signal);
  try {
    if (call.do === 'list') {
      const listed = await untilAborted(listTools(tools, run, call.server, deadline.begin), deadline.signal);
      if (listed !== undefined) return listed;
    } else {
      const done = await tools.call(run, call.server, call.tool, call.arguments, {
        signal: deadline.signal,
        onTurn: deadline.begin,
        scrubber: createScrubber(secretTexts(secrets)),
        beforeSending: starts,
      });
      if (done !== undefined) return performedOf(done, call);
    }
    return deadline.isOver()
      ? failed('timeout', 408, 'The call was not answered within its `timeout`.', { outcome: 'timed_out' })
      : failed('communication', 503, 'The call was cancelled.', { outcome: 'cancelled' });
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return refused(error.rejection);
  } finally {
    deadline.callOff();
  }
}

/** As the protocol lists them: `{ tools: [{ name, description, inputSchema, annotations }] }`. */
async function listTools(
  tools: WorkflowTools,
  run: PerformingRun,
  server: string,
  onTurn: () => void,
): Promise<Performed> {
  const listed = await tools.list(run, server, onTurn);
  const shown: JsonObject[] = [];
  const nextPart = createYielder();
  let bytes = 0;
  for (const { tool, description, inputSchema, annotations } of listed) {
    const one = {
      name: tool,
      description,
      inputSchema: inputSchema(),
      ...(annotations === undefined ? {} : { annotations: { ...annotations } }),
    };
    bytes += jsonBytes(one);
    if (bytes > LIMITS.outputAndRecordBytes) {
      const detail = `The ${listed.length} tools of ${server} have more than 1 MiB with their schemas, which is more than a step can list; call them by name.`;
      return failed('runtime', 500, detail);
    }
    shown.push(one);
    // oxlint-disable-next-line no-await-in-loop -- one part after the other
    await nextPart();
  }
  return { ok: true, output: { tools: shown } };
}

const MOST_SAID = 2000;

function performedOf(done: ToolCallDone, call: ToolServerCall & { do: 'call' }): Performed {
  const { outcome, text } = done;
  const detail = text.slice(0, MOST_SAID).toWellFormed();
  const wrong = (type: Parameters<typeof errorOfType>[0], status: number, words = detail): Performed => ({
    ...failed(type, status, words, { outcome }),
    call: done,
  });
  switch (outcome) {
    case 'result':
      return resultOf(done, call.gives, (excess) => wrong('runtime', 500, `The result ${excess}.`));
    case 'tool_error':
      return wrong('runtime', 500);
    case 'server_failure':
    case 'too_large':
      return wrong('communication', 503);
    case 'timed_out':
      return wrong('timeout', 408);
  }
}

function resultOf(done: ToolCallDone, gives: 'result' | 'output', tooMuch: (excess: string) => Performed): Performed {
  const json = gives === 'output' ? done.outputJson : done.result;
  if (json === undefined) return { ok: true, output: null, call: done };
  const excess = excessOf(json);
  return excess === undefined ? { ok: true, output: JSON.parse(json.text) as Json, call: done } : tooMuch(excess);
}

function refused({ reason, kind, because, detail }: Rejection): Performed {
  const rejection = {
    reason,
    ...(kind === undefined ? {} : { kind }),
    ...(because === undefined ? {} : { because }),
    detail,
  };
  return kind === 'tool_not_offered'
    ? failed('configuration', 400, detail, { rejection })
    : failed('communication', 503, detail, { rejection });
}

function failed(
  type: Parameters<typeof errorOfType>[0],
  status: number,
  detail: string,
  more: JsonObject = {},
): { ok: false; error: JsonObject } {
  return { ok: false, error: { ...errorOfType(type, status, detail), ...more } };
}
