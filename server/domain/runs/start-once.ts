// Starts runs of kinds that run once: one transaction, without an attempt.
import type { RunWithRecord } from '../../../shared/schemas/index.ts';
import { sha256 } from '../../kernel/contents/index.ts';
import type { EventLog, ReadTransaction } from '../../kernel/log/index.ts';
import { canonicalJson } from '../../lib/canonical-json.ts';
import { conflict, Refused } from '../../lib/rejection.ts';
import type { Runnable, Runnables } from '../definitions/index.ts';
import { requireActivePlaybook } from '../playbooks/index.ts';
import { askedFor, belongsToAnother, decideOnlyAttempt } from './attempts/retry.ts';
import type { DurableContext } from './durable/context.ts';
import type { RunInvocation } from './durable/invocation.ts';
import { startRun } from './durable/start-run.ts';
import { newChain } from './history/events.ts';
import { presentRun } from './history/present.ts';
import { selectRun } from './history/sql.ts';

export interface StartOnceOptions {
  log: EventLog;
  durable: DurableContext;
  runnables: Runnables;
}

type Looked = { existing: RunWithRecord; runnable?: undefined } | { existing?: undefined; runnable: Runnable };

/** Starts a run, or returns the one that its id has. @throws Refused `conflict` if the id belongs to another run */
export function createStartOnce({
  log,
  durable,
  runnables,
}: StartOnceOptions): (request: RunInvocation, runId: string) => Promise<RunWithRecord> {
  async function look(tx: ReadTransaction, request: RunInvocation, runId: string, digest: string): Promise<Looked> {
    await requireActivePlaybook(tx, request);
    const row = request.isNewId === true ? undefined : await selectRun(tx, request, runId);
    if (row === undefined) return { runnable: await runnables.read(tx, request, request.version) };
    const decision = decideOnlyAttempt(row, askedFor(request, digest));
    if (decision === 'refuse') throw belongsToAnother(runId);
    if (decision === 'refuse_again') {
      const detail = `The run ${runId} ended without a final result, and a ${request.type} runs only once per id; send a new \`run_id\`.`;
      throw conflict(detail, 'unworkable');
    }
    return { existing: await presentRun(tx, row) };
  }

  return async (request, runId) => {
    if (request.rejection !== undefined) throw new Refused(request.rejection);
    const inputSha256 = sha256(canonicalJson(request.input));
    // The transaction that starts it finds out where what is remembered does not hold any more.
    for (let mayUseMemory = request.isNewId === true && request.version === undefined; ; mayUseMemory = false) {
      const remembered = mayUseMemory ? runnables.remembered(log, request) : undefined;
      const { existing, runnable } =
        remembered === undefined
          ? await log.read((tx) => look(tx, request, runId, inputSha256))
          : { runnable: remembered };
      if (runnable === undefined) return existing;
      const mayCall = request.call?.isFirstTry ?? true;
      const start = { ...request, runId, inputSha256, chain: request.chain ?? newChain(runId), mayCall };
      const started = await startRun(durable, start, runnable, async (tx) => {
        await requireActivePlaybook(tx, request);
        if (request.isNewId !== true && (await selectRun(tx, request, runId)) !== undefined) return false;
        if ((await runnables.read(tx, request, request.version)).version !== runnable.version) return false;
        await request.call?.finish(tx);
        return true;
      });
      if (started !== undefined) return started;
    }
  };
}
