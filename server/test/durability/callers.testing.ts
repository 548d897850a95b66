// Those who ask something of the service from outside. They ask until they are answered, and under the same ids.
import type Database from 'better-sqlite3';
import { Refused } from '../../lib/rejection.ts';
import type { ServiceProcess } from './process.testing.ts';

export const PLACE = { org: 'local', playbook: 'desk' };
/** The run at the top. */
export const TOP = '00000000-0000-4000-8000-000000000001';
const CALLER = 'developer';

export type Ask = (service: ServiceProcess) => Promise<unknown>;

export interface Callers {
  /** Asks a new start what an earlier one did not answer, and some of what it did. */
  greet(service: ServiceProcess): void;
  ask(service: ServiceProcess, ask: Ask): void;
  /** Sends or publishes what the listen waits for, or answers the question. */
  supply(service: ServiceProcess, listen: Listening): void;
  /** Listens and questions that wait for what comes from outside. */
  needed(): Listening[];
}

export interface CallersOptions {
  looking: Database.Database;
  /** Whether a request that was answered is sent again. */
  resends: () => boolean;
  onError: (error: unknown) => void;
}

export function createCallers({ looking, resends, onError }: CallersOptions): Callers {
  const requests: { ask: Ask; isAnswered: boolean }[] = [];
  const supplied = new Map<string, number>();
  // Events of an earlier course on the same database have other ids.
  let events = looking.prepare('SELECT COUNT(*) FROM events').pluck().get() as number;

  /** A refusal is an answer. */
  function send(service: ServiceProcess, request: (typeof requests)[number]): void {
    request
      .ask(service)
      .catch((error: unknown) => {
        if (!(error instanceof Refused)) onError(error);
      })
      .finally(() => {
        request.isAnswered = true;
      });
  }

  function ask(service: ServiceProcess, does: Ask): void {
    const request = { ask: does, isAnswered: false };
    requests.push(request);
    send(service, request);
  }

  return {
    ask,
    greet(service) {
      for (const request of requests.filter(({ isAnswered }) => !isAnswered || resends())) send(service, request);
    },
    supply(service, listen) {
      events += 1;
      supplied.set(nameOf(listen), (supplied.get(nameOf(listen)) ?? 0) + 1);
      const event = { type: listen.type, id: `event-${events}`, data: { n: 5 } };
      if (listen.type === ANSWER) {
        const given = { answer: { n: 5 }, claimedFor: undefined, by: CALLER };
        return ask(service, ({ interactions }) => interactions.answer(PLACE, listen.runId, given));
      }
      if (listen.type.startsWith('sent.'))
        return ask(service, ({ runs }) => runs.send(PLACE, listen.runId, event, CALLER));
      const published = { ...event, source: '/outside' };
      return ask(service, (to) => to.events.publish(PLACE, published, CALLER, 'a'.repeat(32)));
    },
    needed: () =>
      [...listening(looking), ...asking(looking)].filter((one) => (supplied.get(nameOf(one)) ?? 0) < MOST_WANTED),
  };
}

export const startTop: Ask = ({ runs }) =>
  runs.runOrFind({
    ...PLACE,
    type: 'workflow',
    name: 'main',
    runId: TOP,
    input: { n: 1 },
    by: CALLER,
    signal: new AbortController().signal,
  });

/** The run that begins with a step of the one at the top. */
export const AGAIN = '00000000-0000-4000-8000-000000000002';

/** @param refused gets why it is refused, if it is */
export function rerunTop({ step, iterations }: { step: string; iterations: number[] }, refused: string[]): Ask {
  const request = { ...PLACE, step, iterations, origin: TOP, runId: AGAIN, by: CALLER, traceId: 'c'.repeat(32) };
  return ({ runs }) =>
    runs.rerun({ ...request, signal: new AbortController().signal }).catch((error: unknown) => {
      // How the new run ended is no refusal.
      if (error instanceof Refused && error.members['run_id'] === undefined) refused.push(error.message);
      throw error;
    });
}

export const cancelTop: Ask = ({ runs }) =>
  runs.cancel(PLACE, TOP, { reason: 'Not needed.', by: CALLER, traceId: 'b'.repeat(32) });

export const retirePlaybook: Ask = ({ playbooks }) => playbooks.retire(PLACE, CALLER);

/** A place in a run that listens for events of a type, or a question. */
export interface Listening {
  runId: string;
  type: string;
  listener: string;
}

/** Events of one type that a listen takes at most; it stays subscribed until it has worked through them. */
const MOST_WANTED = 2;

function nameOf({ runId, type, listener }: Listening): string {
  return `${runId} ${listener} ${type}`;
}

/** The names of types say whether events come from outside, and how. */
function listening(looking: Database.Database): Listening[] {
  return looking
    .prepare(
      `SELECT subscriber AS runId, type, listener FROM event_subscriptions
       WHERE reaction = 'run' AND (type LIKE 'sent.%' OR type LIKE 'published.%') ORDER BY type, subscriber, listener`,
    )
    .all() as Listening[];
}

/** Stands for the type of an event. */
const ANSWER = 'answer';

function asking(looking: Database.Database): Listening[] {
  const runs = looking.prepare(`SELECT run_id FROM requests WHERE name = 'ask' ORDER BY run_id`).pluck().all();
  return (runs as string[]).map((runId) => ({ runId, type: ANSWER, listener: '' }));
}
