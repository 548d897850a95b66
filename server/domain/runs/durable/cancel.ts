// Cancels a waiting run. The request is recorded immediately; the run processes it as an input.
import { DEFINITION_TYPES, type DefinitionType } from '../../../../shared/definition-types.ts';
import type { EventLog, PlaybookKey, WriteTransaction } from '../../../kernel/log/index.ts';
import type { Tasks } from '../../../kernel/tasks/index.ts';
import type { CancelKind } from '../../../kinds/durable.ts';
import type { Kind } from '../../../kinds/kind.ts';
import type { Clock } from '../../../lib/clock.ts';
import { conflict } from '../../../lib/rejection.ts';
import { requireActivePlaybook } from '../../playbooks/index.ts';
import { appendEvent, attemptOf } from '../history/events.ts';
import { isWaiting } from '../history/leases.ts';
import { requireRun } from '../history/present.ts';
import { type RunRow, selectRun, selectStarted } from '../history/sql.ts';
import type { RunRequests } from './requests.ts';
import { attemptField, inputTask, SLOW_START_TASK, START_TASK } from './run-tasks.ts';
import { type RunKey, takeWaiter } from './sql.ts';

export interface CancelRequest {
  kind: CancelKind;
  detail: string;
  by: string;
  traceId?: string;
}

export interface CancellingOptions {
  log: EventLog;
  tasks: Tasks;
  clock: Clock;
  kinds: Readonly<Record<DefinitionType, Kind>>;
  requests: Pick<RunRequests, 'withdraw'>;
}

const RUNS_A_PAGE = 500;

export class Cancelling {
  readonly #options: CancellingOptions;

  constructor(options: CancellingOptions) {
    this.#options = options;
  }

  /** A caller cancels a run. @throws Refused `conflict` for a run that has ended or that does not wait */
  async cancel(
    tx: WriteTransaction,
    playbookKey: PlaybookKey,
    runId: string,
    { reason, by, traceId }: { reason: string | undefined; by: string; traceId: string },
  ): Promise<RunRow> {
    await requireActivePlaybook(tx, playbookKey);
    const row = await requireRun(tx, playbookKey, runId);
    if (row.status !== 'started') {
      throw conflict(`The run ${runId} has ended (${row.status}) and cannot be cancelled.`);
    }
    if (!(await isWaiting(tx, row))) {
      throw conflict(`The run ${runId} ends within the request that started it and cannot be cancelled.`);
    }
    await this.#request(tx, row, { kind: 'requested', detail: reason ?? `Requested by ${by}.`, by, traceId });
    return row;
  }

  /** Cancels every waiting run of a playbook. */
  async cancelAll(tx: WriteTransaction, playbookKey: PlaybookKey, request: CancelRequest): Promise<void> {
    for (const type of DEFINITION_TYPES) {
      for (let after = 0; ; ) {
        const rows = await selectStarted(tx, playbookKey, type, after, RUNS_A_PAGE);
        for (const row of rows) if (await isWaiting(tx, row)) await this.#request(tx, row, request);
        if (rows.length < RUNS_A_PAGE) break;
        after = Number(rows.at(-1)?.started_position);
      }
    }
  }

  /** The caller no longer waits for a called run: it is not begun, or is cancelled if it is waiting. */
  async cancelCalled(tx: WriteTransaction, key: RunKey, request: CancelRequest): Promise<void> {
    await takeWaiter(tx, key);
    for (const kind of [START_TASK, SLOW_START_TASK]) await this.#options.tasks.remove(tx, key, kind, key.run_id);
    const run = await selectRun(tx, key, key.run_id);
    if (run?.status !== 'started') return;
    if (await isWaiting(tx, run)) await this.#request(tx, run, request);
  }

  /** A second request before the run ends records nothing. */
  async #request(tx: WriteTransaction, run: RunRow, { kind, detail, by, traceId }: CancelRequest): Promise<void> {
    if (run.cancel_requested_at !== null) return;
    const { log, tasks, clock, kinds, requests } = this.#options;
    const event = { type: 'run_cancel_requested', data: { kind, detail } };
    const { id: cause } = await appendEvent(log, tx, attemptOf(run, by), event, {
      cause: run.attempt_event_id,
      traceId,
    });
    if (kinds[run.type].decide === undefined) return requests.withdraw(tx, run, { kind, detail, cause });
    const own = { run_id: run.run_id, ...attemptField(run) };
    const input = { ...own, kind: 'cancel_requested', key: kind, data: { kind, detail }, cause } as const;
    await tasks.add(tx, run, inputTask(input, clock.now()));
  }
}
