// How many may use one resource at the same time.
//
// 1. Playbooks share a gate, and in each of them requests and the runtime's own work: the one that used it least lately
//    comes first. Within those it is the order of arrival.
// 2. A request that waits for 10 seconds is refused. Own work waits until its turn, or until it is not wanted any more.
// 3. A wait ends with its signal. Once the service stops, own work that waits gets no turn any more.
import type { Clock } from './clock.ts';
import { ownWork, REQUEST_WAIT_MS } from './own-work.ts';
import { FairQueue, type Owner, ownerIn, type PlaybookRef, type Queued } from './worker-pool/index.ts';

export interface Turn {
  /** The playbook that the turn is for. */
  playbookKey?: PlaybookRef | undefined;
  /** Aborted when nobody waits for the work any more. */
  signal?: AbortSignal | undefined;
}

export interface Gate {
  /**
   * Carries out the work once there is room.
   * @throws the refusal of the gate, and the reason of a signal that ended the wait
   */
  pass: <T>(work: () => Promise<T>, turn?: Turn) => Promise<T>;
}

interface Passing extends Queued {
  letIn: () => void;
  since: number;
}

/** @param refusal the error of a request that waited too long */
export function createGate(most: number, clock: Clock, refusal: () => Error): Gate {
  const queue = new FairQueue<Passing>(() => clock.elapsed());
  let inside = 0;
  let arrivals = 0;

  function letNextIn(): void {
    while (inside < most) {
      const next = queue.next(() => true);
      if (next === undefined) return;
      inside += 1;
      next.since = clock.elapsed();
      next.letIn();
    }
  }

  async function enter({ playbookKey, signal }: Turn): Promise<Passing> {
    const own = ownWork();
    signal?.throwIfAborted();
    own?.unwanted?.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    let isInside = false;
    const letIn = (): void => {
      isInside = true;
      resolve();
    };
    arrivals += 1;
    const entry: Passing = { owner: ownerOf(playbookKey), arrival: arrivals, expectedMs: undefined, letIn, since: 0 };
    queue.add(entry);
    letNextIn();
    if (isInside) return entry;
    const refuse = (error: unknown): void => {
      queue.remove(entry);
      reject(error);
    };
    const ends = [
      onAbort(signal, refuse),
      onAbort(own?.unwanted, refuse),
      onAbort(own?.stopping, () => void queue.remove(entry)),
      own === undefined ? clock.wakeAfter(REQUEST_WAIT_MS, () => refuse(refusal())) : own.onWait?.(),
    ];
    try {
      await promise;
      return entry;
    } finally {
      for (const end of ends) end?.();
    }
  }

  return {
    async pass(work, turn = {}) {
      const entry = await enter(turn);
      try {
        return await work();
      } finally {
        inside -= 1;
        queue.ended(entry, clock.elapsed() - entry.since);
        letNextIn();
      }
    },
  };
}

function ownerOf(playbookKey: PlaybookRef | undefined): Owner {
  const member = ownWork() === undefined ? 'requests' : 'own work';
  return playbookKey === undefined ? ['', member] : ownerIn(playbookKey, member);
}

/** Calls back once the signal is aborted, or was. Returns what takes that back. */
function onAbort(signal: AbortSignal | undefined, call: (reason: unknown) => void): () => void {
  const abort = (): void => call(signal?.reason);
  if (signal?.aborted === true) abort();
  signal?.addEventListener('abort', abort, { once: true });
  return () => signal?.removeEventListener('abort', abort);
}

export interface Serially {
  /** Runs work with the same key one after the other, and work with different keys concurrently. */
  <T>(key: string, work: () => Promise<T>): Promise<T>;
  /** Whether no work with the key is running or waiting: work that is given now starts at once. */
  isFree: (key: string) => boolean;
  /** Whether work with the key is waiting. */
  isAwaited: (key: string) => boolean;
  /** Calls back once work with the key waits for the one that is running now. */
  whenAwaited: (key: string, call: () => void) => void;
}

export function createSerial(): Serially {
  const given = new Map<string, { last: Promise<unknown>; count: number; awaited?: () => void }>();
  const serially = async <T>(key: string, work: () => Promise<T>): Promise<T> => {
    const before = given.get(key);
    const mine = before === undefined ? work() : before.last.then(work, work);
    const entry = before ?? { last: mine, count: 0 };
    entry.last = mine;
    entry.count += 1;
    before?.awaited?.();
    given.set(key, entry);
    try {
      return await mine;
    } finally {
      entry.count -= 1;
      if (entry.count === 0) given.delete(key);
    }
  };
  return Object.assign(serially, {
    isFree: (key: string) => !given.has(key),
    isAwaited: (key: string) => (given.get(key)?.count ?? 0) > 1,
    whenAwaited(key: string, call: () => void) {
      const entry = given.get(key);
      if (entry !== undefined) entry.awaited = call;
    },
  });
}
