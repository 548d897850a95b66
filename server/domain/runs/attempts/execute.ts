// The work of an attempt: what its kind does between the start and the ending.
import type { Logger } from 'pino';
import type { DefinitionType } from '../../../../shared/definition-types.ts';
import type { EventLog, Holder } from '../../../kernel/log/index.ts';
import { LeaseLost } from '../../../kernel/tasks/index.ts';
import type { Waiting } from '../../../kinds/durable.ts';
import type { Kind } from '../../../kinds/kind.ts';
import type { Ending, RunRequest } from '../../../kinds/run.ts';
import { Refused } from '../../../lib/rejection.ts';
import type { SchemaChecker } from '../../../lib/schemas/index.ts';
import type { Tools } from '../../tools/index.ts';
import type { RunInvocation } from '../durable/invocation.ts';
import { type Attempt, boundedEnding } from '../history/events.ts';
import type { Start } from './admission.ts';
import type { LiveAttempt } from './live-attempts.ts';
import { createAttemptTools, withKnownEffect } from './tool-calls.ts';

export interface WorkOptions {
  log: EventLog;
  kinds: Readonly<Record<DefinitionType, Kind>>;
  schemas: SchemaChecker;
  tools: Tools;
  logger: Logger;
  /** When an attempt of a holder records nothing more. */
  leftBy: (holder: Holder) => AbortSignal;
}

/** Does the work, and returns how it ended or what it waits for. It throws nothing. */
export type Work = (
  start: Start,
  request: RunInvocation,
  live: Pick<LiveAttempt, 'callers' | 'text'>,
  left?: AbortSignal,
) => Promise<Ending | Waiting>;

export function createWork({ log, kinds, schemas, tools, logger, leftBy }: WorkOptions): Work {
  const work: Work = async (start, request, { callers, text }, left = leftBy(start.holder)) => {
    const { rejection } = request;
    if (rejection !== undefined) return { status: 'rejected', rejection };
    const { attempt } = start;
    const kind = kinds[request.type];
    const endsWithCaller = kind.traits.endsWithCaller === true;
    const signal = endsWithCaller ? AbortSignal.any([callers.signal, left]) : left;
    const calling = createAttemptTools({ log, tools, start, signal, ...traceOf(request) });
    try {
      const surroundings = { tools: calling, signal, ...(endsWithCaller ? { live: text() } : {}) };
      const outcome = await runKind(kind, start, request, surroundings);
      return outcome.status === 'waiting' ? outcome : boundedEnding(withKnownEffect(calling.used(), outcome));
    } catch (error) {
      return withKnownEffect(calling.used(), endingOfError(error, attempt));
    }
  };

  async function runKind(
    kind: Kind,
    { attempt, at: startedAt, runnable, record: recordStart }: Start,
    request: RunInvocation,
    surroundings: Pick<RunRequest, 'tools' | 'signal' | 'live'>,
  ): Promise<Ending | Waiting> {
    const { inputSchema, outputSchema, source } = runnable;
    if (inputSchema !== undefined) {
      const issues = await schemas.compileSchema(inputSchema).check(request.input, '/input');
      if (issues.length > 0) {
        const detail = `The input does not match the input schema of ${attempt.definition.type}/${attempt.definition.name}.`;
        return { status: 'rejected', rejection: { reason: 'invalid_input', detail, issues } };
      }
    }
    return kind.start({
      org: attempt.org,
      playbook: attempt.playbook,
      runId: attempt.runId,
      attempt: attempt.attempt,
      name: attempt.definition.name,
      version: attempt.definition.version,
      source,
      ...(outputSchema === undefined ? {} : { outputSchema }),
      input: request.input,
      ...(request.model === undefined ? {} : { model: request.model }),
      startedAt,
      recordStart,
      depth: attempt.chain.depth,
      ...traceOf(request),
      ...surroundings,
    });
  }

  function endingOfError(error: unknown, attempt: Attempt): Ending {
    if (error instanceof Refused) return { status: 'rejected', rejection: error.rejection };
    if (error instanceof LeaseLost) return calledOff('The caller stopped waiting before it was the turn of the call.');
    logger.error({ err: error, run_id: attempt.runId }, 'A run failed.');
    return { status: 'failed', detail: 'The service failed during the run.' };
  }

  return work;
}

/** The ending of a called run whose caller has ended. */
export function calledOff(detail: string): Ending {
  return { status: 'rejected', rejection: { reason: 'cancelled', kind: 'parent_ended', detail } };
}

export function traceOf({ traceId }: RunInvocation): { traceId?: string } {
  return traceId === undefined ? {} : { traceId };
}
