// Executes an attempt: what its kind does between the start and the ending.
import type { Logger } from 'pino';
import type { DefinitionType } from '../../../../shared/definition-types.ts';
import type { EventLog } from '../../../kernel/log/index.ts';
import { LeaseLost } from '../../../kernel/tasks/index.ts';
import type { Waiting } from '../../../kinds/durable.ts';
import type { Kind } from '../../../kinds/kind.ts';
import { boundedEnding } from '../../../kinds/ending-data.ts';
import { refusalOfInput } from '../../../kinds/refuse-input.ts';
import type { Ending } from '../../../kinds/run.ts';
import { NO_TOOLS } from '../../../kinds/tools.ts';
import { Refused } from '../../../lib/rejection.ts';
import type { SchemaChecker } from '../../../lib/schemas/index.ts';
import type { Tools } from '../../tools/index.ts';
import { startKind } from '../durable/start-kind.ts';
import { type Attempt, withKnownEffect } from '../history/events.ts';
import type { LiveAttempt } from './live-attempts.ts';
import type { Start } from './start.ts';
import { createAttemptTools } from './tool-calls.ts';

export interface ExecuteOptions {
  log: EventLog;
  kinds: Readonly<Record<DefinitionType, Kind>>;
  schemas: SchemaChecker;
  tools: Tools;
  logger: Logger;
}

export interface Execution {
  start: Start;
  live: LiveAttempt;
  /** Aborted when nothing more is recorded of the attempt. */
  abandoned: AbortSignal;
  /** Commits the start before the attempt has an effect. */
  recordStart: () => Promise<void>;
}

/** Returns how the attempt ended or what it waits for. It throws nothing. */
export async function execute(options: ExecuteOptions, execution: Execution): Promise<Ending | Waiting> {
  const { log, kinds, schemas, tools } = options;
  const { start, live, abandoned, recordStart } = execution;
  const { attempt, runnable, request, at: startedAt } = start;
  if (request.rejection !== undefined) return { status: 'rejected', rejection: request.rejection };
  const { pureModule, traits } = kinds[request.type];
  const { endsWithCaller } = traits;
  const signal = endsWithCaller === true ? AbortSignal.any([live.callers.signal, abandoned]) : abandoned;
  const calls = pureModule !== undefined ? NO_TOOLS : createAttemptTools({ log, tools, start, recordStart, signal });
  try {
    const refusal = await refusalOfInput(schemas, attempt.definition, runnable.inputSchema, request.input);
    const surroundings = {
      tools: calls,
      signal,
      recordStart,
      ...(endsWithCaller === true ? { live: live.text() } : {}),
    };
    const outcome = refusal ?? (await startKind(kinds, { attempt, runnable, request, startedAt }, surroundings));
    return outcome.status === 'waiting' ? outcome : boundedEnding(withKnownEffect(calls.used(), outcome));
  } catch (error) {
    return withKnownEffect(calls.used(), endingOfError(options.logger, error, attempt));
  }
}

function endingOfError(logger: Logger, error: unknown, { runId }: Attempt): Ending {
  if (error instanceof Refused) return { status: 'rejected', rejection: error.rejection };
  if (error instanceof LeaseLost) return callerEnded('The caller stopped waiting before it was the turn of the call.');
  logger.error({ err: error, run_id: runId }, 'A run failed.');
  return { status: 'failed', detail: 'The service failed during the run.' };
}

/** The ending of a called run whose caller has ended. */
export function callerEnded(detail: string): Ending {
  return { status: 'rejected', rejection: { reason: 'cancelled', kind: 'parent_ended', detail } };
}
