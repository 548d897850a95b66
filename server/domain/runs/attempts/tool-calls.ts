// The tools of one attempt of a run: every call is recorded in the run's history.
//
// 1. The start of a call is committed before anything is sent, and its end when it is known. A start without an end may
//    have had an effect.
// 2. A run that called a tool and has no output says so in its ending, and is never attempted again.
import type { JsonObject } from '../../../../shared/json.ts';
import type { EventLog, NewEvent } from '../../../kernel/log/index.ts';
import type { RunTools, ToolsCalled } from '../../../kinds/tools.ts';
import { callEnded, callStarted, type ToolCalled, type Tools, toolsOffered } from '../../tools/index.ts';
import { appendEvent } from '../history/events.ts';
import type { Start } from './start.ts';

export interface AttemptToolsOptions {
  log: EventLog;
  tools: Tools;
  start: Start;
  /** Commits the start of the attempt, before the first call. */
  recordStart: () => Promise<void>;
  signal: AbortSignal;
}

export function createAttemptTools({ log, tools, start, recordStart, signal }: AttemptToolsOptions): RunTools {
  const { attempt, eventId: startEventId } = start;
  const { traceId } = start.request;
  const { org, playbook } = attempt;
  const playbookKey = { org, playbook };
  const named = { attempt: attempt.attempt };
  let used: ToolsCalled = 'none';

  async function record(
    make: (tx: Parameters<typeof callStarted>[0]) => Promise<Omit<NewEvent, 'metadata'>>,
    cause: string,
  ): Promise<string> {
    return log.write(playbookKey, async (tx) => {
      start.requireLease();
      return (await appendEvent(log, tx, attempt, await make(tx), { cause, traceId })).id;
    });
  }

  return {
    used: () => used,
    ...toolsOffered(tools, playbookKey),
    async call(server: string, tool: string, args: JsonObject) {
      let started = startEventId;
      const called = await tools.call(playbookKey, server, tool, args, {
        signal,
        async beforeSending(call) {
          await recordStart();
          started = await record((tx) => callStarted(tx, playbookKey, call, named), startEventId);
          used = call.readOnly && used !== 'effects' ? 'reads' : 'effects';
        },
      });
      if (called === undefined) return undefined;
      await record((tx) => callEnded(tx, playbookKey, called, named), started);
      return endOf(called);
    },
  };
}

function endOf({ outcome, text, answer, output, readOnly }: ToolCalled) {
  return {
    outcome,
    text,
    ...(answer === undefined ? {} : { answer }),
    output,
    readOnly,
  };
}
