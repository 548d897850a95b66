// `start` of a kind returns an ending, or a decision to wait.
import type { DefinitionType } from '../../../../shared/definition-types.ts';
import type { Json } from '../../../../shared/json.ts';
import type { Waiting } from '../../../kinds/durable.ts';
import type { Kind } from '../../../kinds/kind.ts';
import type { Ending, RunRequest } from '../../../kinds/run.ts';
import type { Runnable } from '../../definitions/index.ts';
import type { Attempt } from '../history/events.ts';

export interface StartedRun {
  attempt: Attempt;
  runnable: Runnable;
  request: { input: Json; model?: string; traceId?: string };
  /** In milliseconds since 1970. */
  startedAt: number;
}

type Surroundings = Pick<RunRequest, 'tools' | 'signal' | 'live' | 'recordStart' | 'takenEventKeys'>;

export function startKind(
  kinds: Readonly<Record<DefinitionType, Kind>>,
  { attempt, runnable, request, startedAt }: StartedRun,
  surroundings: Surroundings,
): Promise<Ending | Waiting> {
  const { org, playbook, runId, definition, chain } = attempt;
  const { type, name, version } = definition;
  const { source, outputSchema } = runnable;
  const { input, model, traceId } = request;
  return kinds[type].start({
    org,
    playbook,
    runId,
    attempt: attempt.attempt,
    name,
    version,
    source,
    ...(outputSchema === undefined ? {} : { outputSchema }),
    input,
    ...(model === undefined ? {} : { model }),
    startedAt,
    depth: chain.depth,
    ...(traceId === undefined ? {} : { traceId }),
    ...surroundings,
  });
}
