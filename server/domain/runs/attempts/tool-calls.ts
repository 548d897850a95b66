// The tools of one attempt of a run: every call is recorded in the run's history.
//
// 1. The start of a call is committed before anything is sent, and its end when it is known. A start without an end may
//    have had an effect.
// 2. A run that called a tool and has no output says so in its ending, and is never attempted again.
import { appendEvent } from '../history/events.ts';
import type { JsonObject } from '../../../../shared/json.ts';
import type { EventLog, NewEvent } from '../../../kernel/log/index.ts';
import type { Ending } from '../../../kinds/run.ts';
import type { Rejection } from '../../../lib/rejection.ts';
import { type RunTools, type ToolsCalled, unfinished } from '../../../kinds/tools.ts';
import { callEnded, callStarted, type ToolCalled, type Tools, toolsOffered } from '../../tools/index.ts';
import { requireLease, type Start } from './admission.ts';

export interface AttemptToolsOptions {
  log: EventLog;
  tools: Tools;
  /** The start of the attempt: it is committed before the first call. */
  start: Start;
  signal: AbortSignal;
  traceId?: string;
}

export function createAttemptTools({
  log,
  tools,
  start: { attempt, eventId: startEventId, record: recordStart, holder },
  signal,
  traceId,
}: AttemptToolsOptions): RunTools {
  const { org, playbook } = attempt;
  const playbookKey = { org, playbook };
  const named = { attempt: attempt.attempt };
  let used: ToolsCalled = 'none';

  async function record(
    make: (tx: Parameters<typeof callStarted>[0]) => Promise<Omit<NewEvent, 'metadata'>>,
    cause: string,
  ): Promise<string> {
    return log.write(playbookKey, async (tx) => {
      requireLease({ attempt, holder });
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
        async beforeSending(start) {
          await recordStart();
          started = await record((tx) => callStarted(tx, playbookKey, start, named), startEventId);
          used = start.readOnly && used !== 'effects' ? 'reads' : 'effects';
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
