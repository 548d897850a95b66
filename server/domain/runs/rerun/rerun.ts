// Runs a workflow again from one of its steps: a new run, with the recorded results of the steps before it.
import type { DefinitionType } from '../../../../shared/definition-types.ts';
import { runInput } from '../../../../shared/run-input.ts';
import type { RunWithRecord } from '../../../../shared/schemas/index.ts';
import type { EventLog, PlaybookKey, ReadTransaction, WriteTransaction } from '../../../kernel/log/index.ts';
import type { Kind } from '../../../kinds/kind.ts';
import type { ChosenStep } from '../../../kinds/replaying.ts';
import { conflict } from '../../../lib/rejection.ts';
import type { Runnable, Runnables } from '../../definitions/index.ts';
import { requireActivePlaybook } from '../../playbooks/index.ts';
import { belongsToAnother } from '../attempts/retry.ts';
import type { DurableContext } from '../durable/context.ts';
import { startRun } from '../durable/start-run.ts';
import { newChain } from '../history/events.ts';
import { originOf, presentRun, requireRun } from '../history/present.ts';
import { type RunRow, selectRun } from '../history/sql.ts';
import { readHistory } from './read-history.ts';

export interface RerunRequest extends PlaybookKey, ChosenStep {
  /** The run to continue from. */
  origin: string;
  /** Of the definition; absent: the one that the run used. */
  version?: number | undefined;
  /** Of the new run. */
  runId: string;
  by: string;
  traceId: string;
}

export interface RerunOptions {
  log: EventLog;
  kinds: Readonly<Record<DefinitionType, Kind>>;
  durable: DurableContext;
  /** @throws Refused for a definition that is not active */
  runnables: Pick<Runnables, 'read'>;
}

/** @throws Refused */
export type Rerun = (request: RerunRequest) => Promise<RunWithRecord>;

export function createRerun({ log, kinds, durable, runnables }: RerunOptions): Rerun {
  async function look(tx: ReadTransaction, request: RerunRequest) {
    await requireActivePlaybook(tx, request);
    const row = await requireRun(tx, request, request.origin);
    const existing = await selectRun(tx, request, request.runId);
    if (existing !== undefined) {
      if (!isSame(existing, row, request)) throw belongsToAnother(request.runId);
      return { existing: await presentRun(tx, existing) };
    }
    if (kinds[row.type].rerun === undefined) {
      throw conflict(
        `The run ${row.run_id} is a run of ${row.type}/${row.name}: only workflows have steps. Run it again.`,
      );
    }
    if (row.status === 'started') {
      throw conflict(`The run ${row.run_id} is in progress; wait until it ends, or cancel it with cancel_run first.`);
    }
    const runnable = await runnables.read(tx, row, request.version ?? Number(row.definition_version));
    return { row, runnable: { ...runnable, ...NO_SCHEMAS } };
  }

  async function begin(request: RerunRequest, row: RunRow, runnable: Runnable): Promise<RunWithRecord | undefined> {
    const { org, playbook, runId, by, traceId } = request;
    const { type, name, input_sha256: inputSha256 } = row;
    const before = await readHistory(log, row, request);
    const input = runInput(before.at(-1)?.run.input);
    const { rerun } = kinds[type];
    const continued = async (now: number, takenEventKeys: ReadonlySet<string>) => {
      const { version, source } = runnable;
      const run = { org, playbook, runId, name, version, source, depth: 0, now, takenEventKeys };
      const replayed = await rerun?.({ run, before });
      if (replayed === undefined) throw new Error(`Runs of ${type} cannot continue from others.`);
      const { decision, from } = replayed;
      const { step, iterations } = from;
      const used = { run_id: row.run_id, definition_version: Number(row.definition_version) };
      return {
        decision,
        origin: { ...used, step, ...(iterations === undefined ? {} : { iterations: [...iterations] }) },
      };
    };
    const start = {
      org,
      playbook,
      type,
      name,
      runId,
      input,
      inputSha256,
      by,
      traceId,
      chain: newChain(runId),
      continued,
      mayCall: false,
    };
    const mayStart = async (tx: WriteTransaction): Promise<boolean> => {
      await requireActivePlaybook(tx, request);
      await runnables.read(tx, row);
      return (await selectRun(tx, request, runId)) === undefined;
    };
    return startRun(durable, start, runnable, mayStart);
  }

  return async (request) => {
    for (;;) {
      // oxlint-disable-next-line no-await-in-loop -- again where another request has used the id meanwhile
      const { existing, row, runnable } = await log.read((tx) => look(tx, request));
      if (row === undefined) return existing;
      // oxlint-disable-next-line no-await-in-loop -- as above
      const started = await begin(request, row, runnable);
      if (started !== undefined) return started;
    }
  };
}

/** The input was checked when the run first started; outputs are checked by the engine. */
const NO_SCHEMAS = { inputSchema: undefined, outputSchema: undefined };

/** Whether the run of the id is the requested rerun. */
function isSame(existing: RunRow, { run_id: runId, definition_version: used }: RunRow, asked: RerunRequest): boolean {
  const origin = originOf(existing);
  if (origin?.run_id !== runId || Number(existing.definition_version) !== (asked.version ?? Number(used))) return false;
  const isStep = origin.step === asked.step || origin.step.endsWith(`/${asked.step}`);
  return isStep && (asked.iterations === undefined || String(asked.iterations) === String(origin.iterations ?? []));
}
