// Answers of callers. A run accepts one answer; sending the same answer again returns the recorded event.
import type { DefinitionType } from '../../../shared/definition-types.ts';
import type { Json } from '../../../shared/json.ts';
import type { Kind } from '../../kinds/kind.ts';
import type { AnswerFact } from '../../../shared/schemas/index.ts';
import { canonicalJson } from '../../lib/canonical-json.ts';
import { type Clock, isoTime } from '../../lib/clock.ts';
import { storeLargeMembers, readMember } from '../../kernel/contents/index.ts';
import {
  type EventLog,
  type PlaybookKey,
  type ReadTransaction,
  selectEventByKey,
  type StoredEvent,
  type WriteTransaction,
} from '../../kernel/log/index.ts';
import { conflict, invalidInput } from '../../lib/rejection.ts';
import type { SchemaChecker } from '../../lib/schemas/index.ts';
import { requireActivePlaybook } from '../playbooks/index.ts';
import { attemptOf, requireRun, type RunRow, type NotifyWaiter, type WithCaller } from '../runs/index.ts';
import type { Closing } from './closing.ts';
import { readRequestContent, recordOf } from './put-requests.ts';
import { questionsBelow } from './questions-below.ts';
import { recordInRun } from './record-in-run.ts';
import { type RequestRow, selectRequest } from './sql.ts';

export interface GivenAnswer {
  answer: Json;
  claimedFor: string | undefined;
  by: string;
}

export interface Answering {
  /** @throws Refused `not_found`, `conflict`, or `invalid_input` at `/answer` */
  answer(playbookKey: PlaybookKey, runId: string, given: GivenAnswer): Promise<AnswerFact>;
  /** Records an answer that fits, and ends the run with it. */
  take(
    tx: WriteTransaction,
    run: RunRow,
    request: RequestRow,
    taken: { answer: Json; claimedFor?: string; by: string; reply?: string; cause: string },
    notify?: NotifyWaiter,
  ): Promise<StoredEvent>;
}

export interface AnsweringOptions {
  log: EventLog;
  clock: Clock;
  schemas: SchemaChecker;
  kinds: Readonly<Record<DefinitionType, Pick<Kind, 'checkAnswer' | 'decide'>>>;
  closing: Pick<Closing, 'end'>;
  /** Moves the run that waits for the answer in the commit that records it. */
  withCaller: WithCaller;
}

export function createAnswering({ log, clock, schemas, kinds, closing, withCaller }: AnsweringOptions): Answering {
  const take: Answering['take'] = async (tx, run, request, { answer, claimedFor, by, reply, cause }, notify) => {
    const { data, kept } = await storeLargeMembers(tx, run, { answer });
    const fact = {
      key: keyOf(run),
      type: 'request_answered',
      data: {
        ...(claimedFor === undefined ? {} : { claimed_for: claimedFor }),
        answered_by: by,
        ...(reply === undefined ? {} : { reply }),
        answered_at: isoTime(clock.now()),
        ...data,
      },
      kept,
    };
    const record = await recordOf(tx, request);
    const answered = await recordInRun(log, tx, run, fact, { cause, by });
    await closing.end(tx, request, { status: 'succeeded', output: answer, record }, { eventId: answered.id }, notify);
    return answered;
  };

  /** Why the run does not accept an answer; undefined if it does. */
  async function existingAnswer(tx: ReadTransaction, run: RunRow, request: RequestRow | undefined, answer: Json) {
    const fact = await selectEventByKey(tx, run, keyOf(run));
    if (fact !== undefined) {
      const whole = await factOf(tx, fact);
      if (canonicalJson(whole.answer) === canonicalJson(answer)) return whole;
      throw conflict(`The run ${run.run_id} already has a different answer; get_run shows it.`);
    }
    if (run.status !== 'started') {
      throw conflict(`The run ${run.run_id} has ended (${run.status}) and accepts no answer.`);
    }
    if (request === undefined) {
      const below = await questionsBelow(tx, run);
      if (below !== undefined) throw conflict(below, 'asked_by_called_run');
      throw conflict(`The run ${run.run_id} is not waiting for an answer; list_interactions shows the runs that are.`);
    }
    if (Number(request.takes_answer) === 0) {
      throw conflict(`The request of the run ${run.run_id} is a notification and accepts no answer.`);
    }
    if (request.standing === 'cancelling') {
      throw conflict(`The run ${run.run_id} is being cancelled and accepts no answer.`);
    }
    return undefined;
  }

  return {
    take,
    async answer(playbookKey, runId, { answer, claimedFor, by }) {
      const looked = await log.read(async (tx) => {
        await requireActivePlaybook(tx, playbookKey);
        const run = await requireRun(tx, playbookKey, runId);
        const request = await selectRequest(tx, run);
        const fact = await existingAnswer(tx, run, request, answer);
        return {
          fact,
          said: request === undefined || fact !== undefined ? undefined : await readRequestContent(tx, request),
          request,
          run,
        };
      });
      if (looked.fact !== undefined) return looked.fact;
      const schema = looked.said?.answerSchema;
      if (schema !== null && schema !== undefined) {
        const issues = await schemas.compileSchema(schema, 'The answer').check(answer, '/answer');
        if (issues.length > 0) throw invalidInput(issues);
      }
      const wrong =
        looked.said &&
        (await kinds[looked.run.type].checkAnswer?.({ ...playbookKey, runId: runId.toLowerCase() }, answer));
      if (wrong !== undefined && wrong.length > 0) throw invalidInput(wrong);
      const record = (notify?: NotifyWaiter): Promise<AnswerFact> =>
        log.write(playbookKey, async (tx) => {
          await requireActivePlaybook(tx, playbookKey);
          const run = await requireRun(tx, playbookKey, runId);
          const request = await selectRequest(tx, run);
          const fact = await existingAnswer(tx, run, request, answer);
          if (fact !== undefined || request === undefined) return fact as AnswerFact;
          // Another request of the run may have another schema.
          if (request.event_id !== looked.request?.event_id)
            throw conflict(`The run ${run.run_id} has a new request; read it with list_interactions.`);
          const taken = { answer, by, cause: request.event_id, ...(claimedFor === undefined ? {} : { claimedFor }) };
          return factOf(tx, await take(tx, run, request, taken, notify));
        });
      // Where the kind decides, the answer is an input of the run, which continues.
      if (kinds[looked.run.type].decide !== undefined) return record();
      return withCaller(attemptOf(looked.run), { status: 'succeeded', output: answer, record: {} }, record);
    },
  };
}

/** One attempt of a run takes one answer. */
function keyOf({ run_id, attempt }: RunRow): string {
  return `answer ${run_id} ${attempt}`;
}

async function factOf(tx: ReadTransaction, event: StoredEvent): Promise<AnswerFact> {
  const { claimed_for, answered_by, reply, answered_at } = event.data;
  return {
    run_id: String(event.metadata.run_id),
    answer_id: event.id,
    answer: (await readMember(tx, event, 'answer')) ?? null,
    ...(claimed_for === undefined ? {} : { claimed_for: String(claimed_for) }),
    answered_by: String(answered_by),
    ...(reply === undefined ? {} : { reply: String(reply) }),
    answered_at: String(answered_at),
  };
}
