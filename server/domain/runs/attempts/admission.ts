// What a request for a run leads to: a new attempt, the recorded run of its id, or the attempt in progress here or in another
// process.
import type { DefinitionType } from '../../../../shared/definition-types.ts';
import type { ReadTransaction, WriteTransaction } from '../../../kernel/log/index.ts';
import type { Kind } from '../../../kinds/kind.ts';
import { inOrder } from '../../../lib/in-order.ts';
import { invalidInput } from '../../../lib/rejection.ts';
import { readVersion, type Runnable, Runnables } from '../../definitions/index.ts';
import { requireActivePlaybook } from '../../playbooks/index.ts';
import { LEFT_BY_STOP, selectLeaseHolder } from '../history/leases.ts';
import { type RunRow, selectRun } from '../history/sql.ts';
import type { ElsewhereAttempt, NamedRun } from './elsewhere.ts';
import { askedFor, belongsToAnother, decideRetry, toolsCalled } from './retry.ts';
import { type RequestedRun, Start, type StartOptions } from './start.ts';

export type Admitted = { start: Start } | { existing: true } | { join: true } | { elsewhere: ElsewhereAttempt };

export interface AdmissionOptions extends StartOptions {
  kinds: Readonly<Record<DefinitionType, Kind>>;
  /** Whether this process executes an attempt of the run. */
  isLive: (run: NamedRun) => boolean;
}

interface RequestedDocument {
  source: string;
  mayCallTools: NonNullable<Kind['mayCallTools']>;
}

export class Admission {
  readonly #options: AdmissionOptions;
  readonly #runnables = new Runnables();

  constructor(options: AdmissionOptions) {
    this.#options = options;
  }

  /**
   * An attempt whose start is not recorded yet; undefined if the id is known to have a run.
   * @param mayUseMemory whether what this process remembers may be used, so that the start may turn out to be Outdated
   * @throws Refused if the playbook or the definition cannot run anything
   */
  async admitUnrecorded(request: RequestedRun, mayUseMemory: boolean): Promise<Start | undefined> {
    const { log } = this.#options;
    const mayRemember = mayUseMemory && isExpectedNew(request) && request.version === undefined;
    const remembered = mayRemember ? this.#runnables.remembered(log, request) : undefined;
    const runnable =
      remembered ??
      (await log.read((tx) => inOrder(requireActivePlaybook(tx, request), this.#runnableIfNew(tx, request))));
    return runnable && new Start(this.#options, request, 1, runnable, remembered !== undefined);
  }

  /**
   * Decides what the request leads to, and records the start of an attempt. A document is read between two transactions, not
   * within one.
   * @param onAdmitted called in the transaction
   * @throws Refused
   */
  async admit(request: RequestedRun, onAdmitted: (admitted: Admitted) => void): Promise<Admitted> {
    let known: { source: string; mayCallTools: boolean } | undefined;
    for (;;) {
      // oxlint-disable-next-line no-await-in-loop -- a second time only where a document had to be read
      const admitted = await this.#options.log.write(request, async (tx) => {
        const existing = await selectRun(tx, request, request.runId);
        const document = await this.#documentToRead(tx, existing);
        if (document !== undefined && document.source !== known?.source) return { document };
        await request.call?.requireHeld(tx);
        const mayCallTools = document !== undefined && known?.mayCallTools === true;
        const decided = await this.#decide(tx, request, existing, mayCallTools);
        onAdmitted(decided);
        return decided;
      });
      if (!('document' in admitted)) return admitted;
      const { source, mayCallTools } = admitted.document;
      // oxlint-disable-next-line no-await-in-loop -- as above
      known = { source, mayCallTools: await mayCallTools(source) };
    }
  }

  /** The attempt of a run that another process executes. */
  findElsewhere(run: NamedRun): Promise<ElsewhereAttempt | undefined> {
    return this.#options.log.read(async (tx) => {
      const row = await selectRun(tx, run, run.runId);
      if (row?.status !== 'started') return undefined;
      const holder = this.#holderElsewhere(run, await selectLeaseHolder(tx, row));
      return holder === undefined ? undefined : elsewhereAttempt(run, row, holder);
    });
  }

  async #decide(
    tx: WriteTransaction,
    request: RequestedRun,
    existing: RunRow | undefined,
    mayCallTools: boolean,
  ): Promise<Admitted> {
    await requireActivePlaybook(tx, request);
    if (existing !== undefined) {
      const leasedTo = existing.status === 'started' ? await selectLeaseHolder(tx, existing) : undefined;
      const elsewhere = this.#holderElsewhere(request, leasedTo);
      const decision = decideRetry(existing, askedFor(request, request.digest), {
        isLive: elsewhere !== undefined || this.#options.isLive(request),
        isWaiting: existing.status === 'started' && leasedTo === undefined,
        mayCallTools,
      });
      if (decision === 'answer') return { existing: true };
      if (decision === 'join') {
        return elsewhere === undefined ? { join: true } : { elsewhere: elsewhereAttempt(request, existing, elsewhere) };
      }
      if (decision === 'refuse') throw belongsToAnother(request.runId);
      if (decision === 'tools_called') throw toolsCalled(existing);
    }
    const number = existing === undefined ? 1 : Number(existing.attempt) + 1;
    const start = new Start(this.#options, request, number, await this.#runnableFor(tx, request));
    await start.recordIn(tx);
    return { start };
  }

  async #runnableIfNew(tx: ReadTransaction, request: RequestedRun): Promise<Runnable | undefined> {
    const isNew = isExpectedNew(request) || (await selectRun(tx, request, request.runId)) === undefined;
    return isNew ? this.#runnableFor(tx, request) : undefined;
  }

  /** @throws Refused `invalid_input` for a version that cannot be run */
  async #runnableFor(tx: ReadTransaction, request: RequestedRun): Promise<Runnable> {
    const { type, name, version } = request;
    const runnable = await this.#runnables.read(tx, request, version);
    const { traits } = this.#options.kinds[type];
    if (version === undefined || runnable.isCurrent || traits.runsCurrentVersion !== true) return runnable;
    const detail = `Of ${type}/${name} only the current version can be run, because its data is kept for that one; leave \`version\` out.`;
    throw invalidInput([{ pointer: '/version', detail }]);
  }

  /** The holder of a lease, where that is another process whose lease may last. */
  #holderElsewhere(run: NamedRun, leasedTo: string | undefined): string | undefined {
    const { log, isLive, holder } = this.#options;
    if (log.shared === undefined || leasedTo === undefined || isLive(run)) return undefined;
    return leasedTo === holder().id || leasedTo === LEFT_BY_STOP ? undefined : leasedTo;
  }

  /** The document of a started run, for a kind whose documents say whether runs may call tools. */
  async #documentToRead(tx: ReadTransaction, row: RunRow | undefined): Promise<RequestedDocument | undefined> {
    if (row?.status !== 'started') return undefined;
    const { mayCallTools } = this.#options.kinds[row.type];
    if (mayCallTools === undefined) return undefined;
    return { source: (await readVersion(tx, row, Number(row.definition_version))).source, mayCallTools };
  }
}

function isExpectedNew({ isNewId, call }: RequestedRun): boolean {
  return isNewId === true || call?.isFirstTry === true;
}

function elsewhereAttempt({ org, playbook, runId }: NamedRun, { attempt }: RunRow, holder: string): ElsewhereAttempt {
  return { org, playbook, runId, attempt: Number(attempt), holder };
}
