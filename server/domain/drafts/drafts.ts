// Runs documents that are not saved. A draft run is recorded nowhere but in its answer.
import type { DefinitionType } from '../../../shared/definition-types.ts';
import type { Json } from '../../../shared/json.ts';
import { DRAFT_BOUNDS } from '../../../shared/limits.ts';
import type { DraftRun } from '../../../shared/schemas/index.ts';
import type { Ids } from '../../kernel/ids.ts';
import type { PlaybookKey } from '../../kernel/log/index.ts';
import type { CloudEvent } from '../../kinds/durable.ts';
import type { GrowingText } from '../../kinds/models.ts';
import { boundedIssues } from '../../lib/bounded-issues.ts';
import { type Clock, stopwatch } from '../../lib/clock.ts';
import { startDeadline, untilAborted } from '../../lib/deadline.ts';
import { unavailable } from '../../lib/rejection.ts';
import { contextOf, sourceIssues } from '../definitions/index.ts';
import { answerOf, type DraftStep, placeOf, stepOf } from './answer.ts';
import { createBoundedList, createOutputRoom } from './bounds.ts';
import { type DraftResult, type ExecutionOptions, DraftExecution, Stopped } from './execution.ts';
import { createDraftCalls, type GivenResult } from './draft-calls.ts';

export interface DraftRequest {
  playbookKey: PlaybookKey;
  type: DefinitionType;
  name: string;
  source: string;
  input: Json;
  model?: string | undefined;
  /** Of a draft run that continues. */
  runId?: string | undefined;
  startedAt?: number | undefined;
  results: readonly GivenResult[];
  events: readonly CloudEvent[];
  callsTools: boolean;
  callsModels: boolean;
  signal: AbortSignal;
  /** Called with steps as they move. */
  onSteps?: (steps: readonly DraftStep[]) => void;
  /** The text of the draft's model while it is written. */
  live?: GrowingText;
}

export interface Drafts {
  /** @throws Refused `unavailable` if the org runs as many drafts as it may, if no checker is ready, or once `signal` is aborted */
  run(request: DraftRequest): Promise<DraftRun>;
  /** @throws Refused `unavailable` if the org runs as many drafts as it may */
  refuseTooMany(org: string): void;
}

export interface DraftsOptions extends ExecutionOptions {
  clock: Clock;
  ids: Ids;
}

/** How long a draft run may take, in milliseconds of real time. */
const MOST_MS = 300_000;
const BUSY_SECONDS = 10;
const ENDED = 'The draft run was ended because the service stops or its caller may no longer run it; send it again.';
const NO_TIME = `A draft run may take ${MOST_MS / 60_000} minutes. Save the definition and run it, or give the results of slow calls.`;

export function createDrafts({ clock, ids, ...options }: DraftsOptions): Drafts {
  const { kinds, log } = options;
  const execution = new DraftExecution(options);
  /** How many drafts each org runs. */
  const running = new Map<string, number>();

  function refuseTooMany(org: string): void {
    if ((running.get(org) ?? 0) < DRAFT_BOUNDS.atOnce) return;
    throw unavailable(`${DRAFT_BOUNDS.atOnce} drafts are running in this org; try again when one has ended.`, {
      retryAfter: BUSY_SECONDS,
    });
  }

  async function counted<T>(org: string, work: () => Promise<T>): Promise<T> {
    refuseTooMany(org);
    running.set(org, (running.get(org) ?? 0) + 1);
    try {
      return await work();
    } finally {
      const remaining = (running.get(org) ?? 1) - 1;
      if (remaining === 0) running.delete(org);
      else running.set(org, remaining);
    }
  }

  async function run({
    playbookKey,
    type,
    name,
    source,
    results,
    onSteps,
    ...request
  }: DraftRequest): Promise<DraftRun> {
    const tookMs = stopwatch(clock);
    const tooLong = sourceIssues(source);
    if (tooLong.length > 0) return refused(tooLong);
    const checked = await kinds[type].check(source, await contextOf(log, playbookKey));
    if (!checked.ok) {
      return refused(boundedIssues(checked.issues).map(({ standsFor: _standsFor, ...issue }) => issue));
    }
    const { document } = checked;
    const { runId = ids(), startedAt = clock.now(), signal } = request;
    const calls = createDraftCalls(results);
    const room = createOutputRoom();
    const steps = new Map<string, DraftStep>();
    const published = createBoundedList<CloudEvent>(DRAFT_BOUNDS.publishedBytes);
    let isShortened = false;
    const deadline = startDeadline(clock, MOST_MS, signal);
    try {
      const work = execution.run({
        ...own(request),
        playbookKey,
        type,
        name,
        source,
        document,
        runId,
        startedAt,
        calls,
        signal: deadline.signal,
        onMoved(moved, now) {
          const shown: DraftStep[] = [];
          for (const one of moved) {
            const step = stepOf(one, now, room);
            const key = placeOf(step);
            if (!steps.has(key) && steps.size >= DRAFT_BOUNDS.steps) {
              isShortened = true;
              continue;
            }
            steps.set(key, step);
            shown.push(step);
          }
          if (shown.length > 0) onSteps?.(shown);
        },
        onPublished: published.add,
      });
      const result: DraftResult = (await untilAborted(work.catch(stopped), deadline.signal)) ?? STOPPED;
      if (signal.aborted) throw unavailable(ENDED, { retryAfter: 1 });
      const durationMs = tookMs();
      const { shape } = document;
      return answerOf({
        steps: [...steps.values()],
        calls,
        result,
        published,
        runId,
        startedAt,
        durationMs,
        shape,
        isShortened,
      });
    } finally {
      deadline.callOff();
    }
  }

  return { refuseTooMany, run: (request) => counted(request.playbookKey.org, () => run(request)) };
}

function refused(issues: DraftRun['issues']): DraftRun {
  return { valid: false, issues, duration_ms: 0, steps: [], calls: [], questions: [], published: [] };
}

const STOPPED: DraftResult = { ending: { status: 'failed', detail: NO_TIME } };

function stopped(error: unknown): DraftResult {
  if (error instanceof Stopped) return STOPPED;
  throw error;
}

function own({
  input,
  model,
  events,
  callsTools,
  callsModels,
  live,
}: Omit<DraftRequest, 'playbookKey' | 'type' | 'name' | 'source' | 'results'>) {
  return {
    input,
    events,
    callsTools,
    callsModels,
    ...(model === undefined ? {} : { model }),
    ...(live === undefined ? {} : { live }),
  };
}
