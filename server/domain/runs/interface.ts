// What runs offer to the rest of the service.
import type { Logger } from 'pino';
import type { DefinitionType } from '../../../shared/definition-types.ts';
import type { Run, RunWithRecord } from '../../../shared/schemas/index.ts';
import type { Ids } from '../../kernel/ids.ts';
import type { EventLog, PlaybookKey, WriteTransaction } from '../../kernel/log/index.ts';
import type { Stopping } from '../../kernel/stopping.ts';
import type { TaskHandler, Tasks } from '../../kernel/tasks/index.ts';
import type { Bursts } from '../../kinds/burst/index.ts';
import type { Kind } from '../../kinds/kind.ts';
import type { Clock } from '../../lib/clock.ts';
import type { SchemaChecker } from '../../lib/schemas/index.ts';
import type { Publishing } from '../events/index.ts';
import type { Tools } from '../tools/index.ts';
import type { StartCalled } from './durable/called-runs.ts';
import type { Cancelling } from './durable/cancel.ts';
import type { DurableRunsOptions } from './durable/context.ts';
import type { RunInvocation, TextPiece, TriggeredRun } from './durable/invocation.ts';
import type { Mailbox } from './durable/mailbox.ts';
import type { RunRequests } from './durable/requests.ts';
import type { Uploads } from './durable/uploads.ts';
import type { WithCaller } from './durable/with-caller.ts';
import type { ListedRuns, RunList } from './read-runs.ts';
import type { RerunRequest } from './rerun/rerun.ts';

/** How long the caller waits for the end of the run. */
export type Waited = Pick<RunInvocation, 'wait' | 'signal'>;

export interface Runs {
  /** Runs a definition, or returns what its run id already has. @throws Refused when the run did not succeed */
  run(invocation: RunInvocation): Promise<Run>;
  /** Runs a workflow again from a step. @throws Refused also when the new run was rejected within the request */
  rerun(request: Omit<RerunRequest, 'runId'> & { runId: string | undefined } & Waited): Promise<Run>;
  get(playbookKey: PlaybookKey, runId: string): Promise<RunWithRecord>;
  /** @throws Refused `not_found`; then as `Attempts.follow` */
  follow(playbookKey: PlaybookKey, runId: string, signal: AbortSignal): Promise<AsyncIterable<TextPiece>>;
  /** Newest first. @param after the position that the last page ended with */
  list(playbookKey: PlaybookKey, filter: ListedRuns, after: number | undefined, limit: number): Promise<RunList>;
  /** As `run`, but a run that was recorded is returned however it ended. @throws Refused where none was recorded */
  runOrFind(invocation: RunInvocation & { runId: string }): Promise<RunWithRecord>;
  /** Cancels a run that waits. @throws Refused `conflict` for a run that has ended or that does not wait */
  cancel(
    playbookKey: PlaybookKey,
    runId: string,
    request: { reason: string | undefined; by: string; traceId: string },
  ): Promise<Run>;
  /** Delivers an event to a workflow run in progress. @throws Refused `not_found`, `unavailable` */
  send: Mailbox['send'];
  /** The playbook was retired: every run of it that waits is cancelled. */
  playbookRetired(tx: WriteTransaction, playbookKey: PlaybookKey, by: string): Promise<void>;
  /** Starts a run for a trigger; false when `mayStart` says no, called in the transaction that records it. */
  startTriggered(run: TriggeredRun): Promise<boolean>;
  /** Records the ending of a run with what the run that waits for it does next. */
  withCaller: WithCaller;
  startCalled: StartCalled;
  /** A run that was started by `startCalled` is not begun, or is cancelled; no task gets how it ended. */
  cancelCalled: Cancelling['cancelCalled'];
  /** What runs expect to be uploaded to them. */
  uploads: Uploads;
  /** The handlers of the tasks of runs that wait. */
  handlers: Readonly<Record<string, TaskHandler>>;
  /** Whether any run is in progress. */
  goOn(): Promise<boolean>;
  /**
   * Ends, as failed, every attempt that another process start left. Returns how many.
   * @param holders those whose lease has expired, where several processes share the store
   */
  endInterrupted(holders?: readonly string[]): Promise<number>;
  /** The holders of attempts in progress. */
  attemptHolders(): Promise<string[]>;
  /** Resolves when the runs in progress have ended, or are left to the next start. New ones are refused since the stop began. */
  stop(): Promise<void>;
}

export interface RunsOptions {
  log: EventLog;
  kinds: Readonly<Record<DefinitionType, Kind>>;
  schemas: SchemaChecker;
  clock: Clock;
  ids: Ids;
  tasks: Tasks;
  publishing: Publishing;
  /** Carries out pure functions that workflows call. */
  bursts: Bursts;
  tools: Tools;
  requests: RunRequests;
  /** Called in the transaction that ends a run that a trigger started. */
  triggeredRunEnded: DurableRunsOptions['triggeredRunEnded'];
  /** This process start: the holder of its leases. */
  holder: string;
  logger: Logger;
  stopping: Stopping;
}
