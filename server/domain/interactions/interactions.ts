// Requests of runs: open questions and notifications, and how they end.
//
// 1. A request is open from the transaction in which it is put to the one that records its answer, in which its run
//    takes in how it ended, or that ends the run.
// 2. A run takes one answer. Answer, expiry, cancel and delivery run in transactions that read the request first.
// 3. All work for a request is a task: it continues after a crash.
import type { DefinitionType } from '../../../shared/definition-types.ts';
import type { AnswerFact, InteractionRequest } from '../../../shared/schemas/index.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Ids } from '../../kernel/ids.ts';
import type { EventLog, PlaybookKey, ReadTransaction } from '../../kernel/log/index.ts';
import type { SchemaChecker } from '../../lib/schemas/index.ts';
import { limitingDeaths, type TaskHandler, type Tasks } from '../../kernel/tasks/index.ts';
import type { Conversing } from '../../kinds/conversing.ts';
import type { Kind } from '../../kinds/kind.ts';
import { requirePlaybook } from '../playbooks/index.ts';
import { type EndWaiting, requireRun, type RunRequests, type WithCaller } from '../runs/index.ts';
import type { Tools } from '../tools/index.ts';
import { createAnswering, type GivenAnswer } from './answering.ts';
import { createClosing } from './closing.ts';
import { createDelivering } from './delivering.ts';
import { createOpening } from './opening.ts';
import { presentRequest } from './present.ts';
import { selectAsking } from './questions-below.ts';
import { Reading } from './reading.ts';
import { type RequestFilter, selectRequest, selectRequests } from './sql.ts';
import {
  DELIVER_TASK,
  dropTasks,
  READ_TASK,
  requestTask,
  TELL_TASK,
  WITHDRAW_TASK,
  type WithdrawPayload,
} from './tasks.ts';
import { createTelling } from './telling.ts';

/** Tasks that wait for tool servers stand where other calls that wait stand. */
export const REQUEST_LANES = {
  [DELIVER_TASK]: 'perform_tasks',
  [READ_TASK]: 'perform_tasks',
  [TELL_TASK]: 'perform_tasks',
} as const;

export interface Interactions {
  requests: RunRequests;
  handlers: Readonly<Record<string, TaskHandler>>;
  /** Open requests, newest first, those before `before`. `run`: those of a run and of the runs below it. */
  list(
    playbookKey: PlaybookKey,
    filter: Omit<RequestFilter, 'runs'> & { run?: string | undefined },
    before: number | undefined,
    limit: number,
  ): Promise<{ request: InteractionRequest; place: number }[]>;
  /** @throws Refused `not_found`, `conflict`, or `invalid_input` at `/answer` */
  answer(playbookKey: PlaybookKey, runId: string, given: GivenAnswer): Promise<AnswerFact>;
}

export interface InteractionsOptions {
  log: EventLog;
  clock: Clock;
  ids: Ids;
  tasks: Tasks;
  tools: Tools;
  schemas: SchemaChecker;
  kinds: Readonly<Record<DefinitionType, Kind>>;
  endWaiting: EndWaiting;
  withCaller: WithCaller;
  /** Aborted when the service stops and has waited long enough: calls are broken off and left to the next start. */
  graceOver: AbortSignal;
}

export function createInteractions(options: InteractionsOptions): Interactions {
  const { log, clock, ids, tasks, tools, schemas, kinds, endWaiting, withCaller } = options;
  const closing = createClosing({ log, tasks, endWaiting });
  const answering = createAnswering({ log, clock, schemas, kinds, closing, withCaller });
  const conversing = (type: DefinitionType): Conversing => kinds[type].conversing ?? NO_REPLIES;
  const shared = { log, clock, tasks, tools, conversing, signal: options.graceOver };

  const requests: RunRequests = {
    ...createOpening({ tasks, tools, ids }),
    async dropped(tx, { org, playbook, runId }) {
      const request = await openOf(tx, { org, playbook }, runId);
      if (request !== undefined) await dropTasks(tasks, tx, request);
    },
    asks: async (tx, playbookKey, runId) => Number((await openOf(tx, playbookKey, runId))?.takes_answer ?? 0) === 1,
    async withdraw(tx, run, { kind, detail, cause }) {
      const request = await openOf(tx, run, run.run_id);
      if (request === undefined) return;
      const payload: WithdrawPayload = { run_id: run.run_id, request: request.event_id, kind, detail, cause };
      await tasks.add(tx, run, requestTask(WITHDRAW_TASK, payload, clock.now()), { replace: true });
    },
  };

  const reading = new Reading({ ...shared, answering });
  return {
    requests,
    handlers: {
      ...closing.handlers,
      [DELIVER_TASK]: limitingDeaths(createDelivering({ ...shared, closing }), closing.processDied),
      [READ_TASK]: limitingDeaths((task, lease) => reading.handle(task, lease), closing.processDied),
      [TELL_TASK]: limitingDeaths(createTelling(shared), closing.processDied),
    },
    list: (playbookKey, { run, ...filter }, before, limit) =>
      log.read(async (tx) => {
        await requirePlaybook(tx, playbookKey);
        const runs = run === undefined ? {} : { runs: await selectAsking(tx, await requireRun(tx, playbookKey, run)) };
        const rows = await selectRequests(tx, playbookKey, { ...filter, ...runs }, before, limit);
        const requests: { request: InteractionRequest; place: number }[] = [];
        for (const row of rows) requests.push({ request: await presentRequest(tx, row), place: Number(row.place) });
        return requests;
      }),
    answer: (playbookKey, runId, given) => answering.answer(playbookKey, runId, given),
  };
}

function openOf(tx: ReadTransaction, { org, playbook }: PlaybookKey, runId: string) {
  return selectRequest(tx, { org, playbook, run_id: runId });
}

/** For kinds that read no replies: their requests are answered in the inbox, also where a tool delivers them. */
const NO_REPLIES: Conversing = {
  conversation: async () => ({ ok: true, value: null }),
  reading: notRead,
  replies: notRead,
  answerOf: notRead,
  telling: notRead,
};

async function notRead(): Promise<never> {
  throw new Error('A request of a kind that reads no replies has no conversation.');
}
