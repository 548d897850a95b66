// Versions that passed the gate and wait: for their shadow evaluation, then for an approval.
//
// 1. What waits is folded from events (projection.ts): one version of a function at most. A task carries it one step
//    further, and is added wherever there may be a step: when a build, a step or an approval has ended, a dataset was
//    stored, a caller activated a version, the function was retired, or the service starts.
// 2. A step is recorded in the transaction that finishes its task, and only if the same version still waits in the same
//    state. What was added to do in the meantime is found in that transaction, and the task is added again.
// 3. An approval is asked for once: the run's id is recorded with the task that starts it. Its ending comes as a task of
//    its own, and counts while that version waits for it.
import { isDeepStrictEqual } from 'node:util';
import { isJsonObject, type JsonObject } from '../../../shared/json.ts';
import { type Fact, PENDING_TASK, readFunction } from '../../kinds/prediction/index.ts';
import type { Ids } from '../../kernel/ids.ts';
import { type EventLog, type PlaybookKey, selectEvent, type WriteTransaction } from '../../kernel/log/index.ts';
import { limitingDeaths, type Task, type TaskHandler, type TaskLease, type Tasks } from '../../kernel/tasks/index.ts';
import type { Clock } from '../../lib/clock.ts';
import { unavailable } from '../../lib/rejection.ts';
import type { Sources } from '../../lib/yaml/index.ts';
import { readVersion } from '../definitions/index.ts';
import { type EndedPayload, PROCESS_DIED, RUN_LANES, type Runs } from '../runs/index.ts';
import type { Datasets } from './datasets.ts';
import type { FunctionKey } from './models-sql.ts';
import {
  insertApproval,
  selectAllPending,
  selectApprovals,
  selectEndedWaits,
  selectPending,
  selectShadowed,
  takeApproval,
} from './pending-sql.ts';
import { gradeData, type Shadowed, type Shadows, type ShadowStep } from './shadow.ts';
import type { Versions } from './versions.ts';

/** A run that was asked to approve a version has ended. */
const APPROVAL_TASK = 'approval-ended';

/** Beside the calls that wait for others: an evaluation takes minutes where there are many series. */
export const PENDING_LANE = { [PENDING_TASK]: RUN_LANES['run-perform'].table } as const;

/** Has the pending version of a function carried further, if it has one. */
export type Wake = (tx: WriteTransaction, key: FunctionKey) => Promise<void>;

export function createWake(tasks: Tasks, clock: Clock): Wake {
  return async (tx, { org, playbook, name }) => {
    await tasks.add(tx, { org, playbook }, { kind: PENDING_TASK, key: name, dueAt: clock.now(), payload: {} });
  };
}

/** A dataset was stored: evaluations may continue. */
export async function wakeShadows(tx: WriteTransaction, playbookKey: PlaybookKey, wake: Wake): Promise<void> {
  for (const key of await selectShadowed(tx, playbookKey)) await wake(tx, key);
}

export interface PendingOptions {
  log: EventLog;
  ids: Ids;
  sources: Pick<Sources, 'valueOf'>;
  datasets: Pick<Datasets, 'later'>;
  versions: Pick<Versions, 'built' | 'record'>;
  shadows: Shadows;
  wake: Wake;
  runs: () => Pick<Runs, 'startCalled' | 'cancelCalled'>;
  /** Aborted when the service stops: an evaluation is left to the next start. */
  stopping: AbortSignal;
}

export class Pending {
  readonly #options: PendingOptions;
  readonly handlers: Readonly<Record<string, TaskHandler>> = {
    [PENDING_TASK]: limitingDeaths(
      (task, lease) => this.#advance(task, lease, (shadowed) => this.#step(shadowed)),
      (task, lease) => this.#advance(task, lease, async (seen) => ({ facts: [gaveUp(seen)], newest: undefined })),
    ),
    [APPROVAL_TASK]: (task, lease) => this.#approvalEnded(task, lease),
  };

  constructor(options: PendingOptions) {
    this.#options = options;
  }

  /** Carries further what an earlier start left. */
  async start(): Promise<void> {
    for (const key of await this.#options.log.read(selectAllPending))
      await this.#options.log.write(key, (tx) => this.#options.wake(tx, key));
  }

  /** The version that waits now. Its rules are those of the document that it was built with. */
  async #look(key: FunctionKey): Promise<Shadowed | undefined> {
    const found = await this.#options.log.read(async (tx) => {
      const pending = await selectPending(tx, key);
      const built = pending && (await this.#options.versions.built(tx, key, pending.version));
      if (built === undefined) return undefined;
      const { build } = built;
      return { pending, built, source: (await readVersion(tx, build, Number(build.definition_version))).source };
    });
    if (found?.pending === undefined) return undefined;
    const { pending, built, source } = found;
    return { ...key, pending, built, prediction: await readFunction(source, this.#options.sources) };
  }

  async #step(shadowed: Shadowed): Promise<ShadowStep> {
    try {
      return await this.#options.shadows.step(shadowed, this.#options.stopping);
    } catch (error) {
      // What the stop broke off is left to the next start.
      if (this.#options.stopping.aborted) throw unavailable('The service is stopping.');
      throw error;
    }
  }

  /** @param stepOf what becomes of a version that waits for its shadow evaluation */
  async #advance(task: Task, lease: TaskLease, stepOf: (seen: Shadowed) => Promise<ShadowStep>): Promise<void> {
    const key: FunctionKey = { org: task.org, playbook: task.playbook, name: task.key };
    const seen = await this.#look(key);
    await this.#options.shadows.clean(key, seen?.pending);
    const shadow = seen?.pending.for === 'shadow' ? await stepOf(seen) : undefined;
    await this.#options.log.write(key, async (tx) => {
      await lease.finish(tx);
      const pending = await selectPending(tx, key);
      await this.#recordEndedWaits(tx, key);
      await this.#withdraw(tx, key, pending?.for === 'approval' ? pending.version : undefined);
      if (!isDeepStrictEqual(pending, seen?.pending)) return this.#options.wake(tx, key);
      if (seen === undefined) return undefined;
      if (shadow === undefined) return this.#ask(tx, seen);
      const { built, prediction } = seen;
      if (shadow.facts.length > 0) {
        await this.#options.versions.record(tx, built.build, withActivation(seen, shadow.facts), { by: 'runtime' });
        return this.#options.wake(tx, key);
      }
      const later = await this.#options.datasets.later(tx, key, prediction, (seen.pending.shadow ?? built).dataset);
      return later.at(-1)?.dataset === shadow.newest ? undefined : this.#options.wake(tx, key);
    });
  }

  /** Asks for the approval of a version, once. */
  async #ask(tx: WriteTransaction, { built, prediction, ...key }: Shadowed): Promise<void> {
    const { approval } = prediction.activate;
    const asked = await selectApprovals(tx, key);
    if (approval === 'none' || asked.length > 0) return;
    const { version, build, details } = built;
    const runId = this.#options.ids();
    await insertApproval(tx, key, { run_id: runId, name: key.name, version });
    await this.#options.runs().startCalled(tx, build, {
      runId,
      type: 'interaction',
      name: approval.interaction,
      input: { function: key.name, version, scores: { ...details.scores.judge } },
      reference: '/activate/approval/interaction',
      cause: build.attempt_event_id,
      endTask: APPROVAL_TASK,
    });
  }

  /** What became of versions whose wait ended without a decision about them. */
  async #recordEndedWaits(tx: WriteTransaction, key: FunctionKey): Promise<void> {
    for (const { version, because, newer } of await selectEndedWaits(tx, key)) {
      const built = await this.#options.versions.built(tx, key, version);
      if (built === undefined) continue;
      const detail =
        because === 'retired'
          ? 'The function was retired.'
          : `Version ${newer} passed the gate and took the place of this one.`;
      const data = { function: key.name, version, because, detail };
      await this.#options.versions.record(tx, built.build, [{ type: 'activation_refused', data }], { by: 'runtime' });
    }
  }

  /** Takes back the approvals of versions that do not wait for one any longer. */
  async #withdraw(tx: WriteTransaction, key: FunctionKey, waiting: number | undefined): Promise<void> {
    for (const { run_id, version } of await selectApprovals(tx, key)) {
      if (version === waiting) continue;
      await takeApproval(tx, key, run_id);
      const detail = `Version ${version} of prediction/${key.name} no longer waits for an approval.`;
      const { org, playbook } = key;
      await this.#options
        .runs()
        .cancelCalled(tx, { org, playbook, run_id }, { kind: 'parent_ended', detail, by: 'runtime' });
    }
  }

  /** Takes the answer of an approval. */
  #approvalEnded(task: Task, lease: TaskLease): Promise<void> {
    return this.#options.log.write(task, async (tx) => {
      await lease.finish(tx);
      const asked = await takeApproval(tx, task, task.key);
      if (asked === undefined) return;
      const key: FunctionKey = { org: task.org, playbook: task.playbook, name: asked.name };
      const pending = await selectPending(tx, key);
      const built = await this.#options.versions.built(tx, key, asked.version);
      if (built === undefined || pending?.version !== asked.version || pending.for !== 'approval') return;
      const payload = task.payload as EndedPayload;
      const ended = payload.cause === null ? undefined : await selectEvent(tx, key, payload.cause);
      const own = { function: asked.name, version: asked.version };
      await this.#options.versions.record(tx, built.build, [outcomeOf(own, payload)], {
        by: ended?.metadata.by ?? 'runtime',
        cause: ended?.id,
      });
    });
  }
}

/** A version that passed its shadow evaluation is activated at once where no approval is needed. */
function withActivation({ name, built, prediction }: Shadowed, facts: readonly Fact[]): Fact[] {
  const isActivated = prediction.activate.approval === 'none' && facts.at(-1)?.type === 'shadow_passed';
  const data = { function: name, version: built.version, rule: 'shadow' };
  return isActivated ? [...facts, { type: 'version_activated', data }] : [...facts];
}

/** The decision that follows from the end of an approval's run: only a run that succeeds with `approved: true` approves. */
function outcomeOf(own: JsonObject, { status, output, rejection, detail }: EndedPayload): Fact {
  if (status !== 'succeeded') {
    const why = isJsonObject(rejection) ? rejection['detail'] : detail;
    const words = `The version was not approved. ${String(why ?? 'The approval could not be asked for.')}`;
    return { type: 'activation_refused', data: { ...own, because: 'no_approval', detail: words } };
  }
  if (isJsonObject(output) && output['approved'] === true) {
    return { type: 'version_activated', data: { ...own, rule: 'approval' } };
  }
  const words = 'The approval was refused: its answer is not { "approved": true }.';
  return { type: 'activation_refused', data: { ...own, because: 'not_approved', detail: words } };
}

/** The process died three times during the evaluation. */
function gaveUp({ name, pending, built }: Shadowed): Fact {
  const own = { function: name, version: built.version };
  const data = { ...own, ...gradeData(pending.shadow?.dataset ?? built.dataset, pending.shadow) };
  return { type: 'shadow_failed', data: { ...data, because: 'unworkable', detail: PROCESS_DIED.detail } };
}
