// Keeps the lease of this process, and carries notifications between it and the others.
//
// 1. The lease is renewed every 5 seconds. A renewal that finds it expired makes the process another holder.
// 2. After a commit the others are notified of the playbook, on a connection of their own: within the transaction it would
//    make all commits of the database wait for each other. What happens while a notification is sent, and shortly after,
//    goes out with the next one.
// 3. Every second the process looks which playbooks were committed in since it last looked, in case a notification was lost.
// 4. A process that is alone sends nothing and looks for nothing.
// 5. A process that has committed sees to it that young tables have statistics.
import { setTimeout as wait } from 'node:timers/promises';
import type { SharedStore } from '../shared-store.ts';
import type { DatabaseAddress } from './connections.ts';
import {
  forgetCommits,
  forgetHolder,
  leaveHolder,
  registerHolder,
  RENEWED_EVERY,
  renewHolder,
  selectCommittedSince,
  selectHolders,
  selectLeaseEnd,
} from './holders-sql.ts';
import { createMessenger } from './messenger.ts';
import { type Notification, type Peers, PROCESSES_CHANGED } from './peers.ts';
import { analyzeYoungTables } from './statistics.ts';
import type { StoreCounters } from '../store.ts';

const LOOKED_EVERY = 1000;
/** A connection that becomes idle may report what it changed up to 10 s later. */
const LOOKS_AFTER_COMMIT = 15;
/** Milliseconds: each notification wakes all processes. The first after a pause goes out at once. */
const BETWEEN_NOTIFICATIONS = 10;
/** Bytes of a notification; PostgreSQL takes 8,000. */
const MOST_BYTES = 7000;

export interface Courier extends Pick<SharedStore, 'leaseEnd' | 'lookForExpired'> {
  /** Starts once the schema is there. */
  start(): void;
  /** Resolves once the holder that this process is has a lease. @throws where the database cannot be reached */
  registered(): Promise<void>;
  /** Gives the lease back. */
  close(): Promise<void>;
}

export function createCourier(address: DatabaseAddress, peers: Peers, counters: Readonly<StoreCounters>): Courier {
  const channel = `cuebook_${address.schema}`;
  const messenger = createMessenger(address, { channel, onHeard: hear });
  let isClosed = false;
  let isAlone = false;
  /** The holder that has a lease, or had one. */
  let known: string | undefined;
  let registering: Promise<void> | undefined;
  let mark: string | undefined;
  let sending: Promise<void> | undefined;
  let looking: Promise<void> | undefined;
  const timers = new Set<NodeJS.Timeout>();

  function hear(payload: string): void {
    const notification = JSON.parse(payload) as Notification;
    if (notification.from === peers.process || isClosed) return;
    isAlone = false;
    if (notification.topics.includes(PROCESSES_CHANGED)) void lookForExpired().catch(() => {});
    peers.received(notification);
  }

  async function register(): Promise<void> {
    const { id } = peers.holder();
    await messenger.ask(registerHolder(id));
    known = id;
  }

  async function registered(): Promise<void> {
    while (known !== peers.holder().id) {
      registering ??= register().finally(() => (registering = undefined));
      // oxlint-disable-next-line no-await-in-loop -- another holder may have become known meanwhile
      await registering;
    }
  }

  async function renew(): Promise<void> {
    const holder = peers.holder();
    if (known === holder.id && (await messenger.ask(renewHolder(holder.id))).rowCount === 0) peers.lose(holder);
    await registered();
    await messenger.listen();
    await lookForExpired();
  }

  async function leaseEnd(holder: string): Promise<number | undefined> {
    const [row] = (await messenger.ask(selectLeaseEnd(holder))).rows;
    return row === undefined ? undefined : Number(row['ends_at']);
  }

  function lookForExpired(): Promise<void> {
    looking ??= lookOnce().finally(() => (looking = undefined));
    return looking;
  }

  async function lookOnce(): Promise<void> {
    const { rows } = await messenger.ask(selectHolders);
    const expired = rows.filter((row) => row['is_held'] !== 1);
    isAlone = rows.length - expired.length <= 1;
    const isTakenOver = await peers.expired(expired.map((row) => String(row['holder'])));
    if (!isTakenOver) return;
    for (const row of expired) {
      if (row['is_long_gone'] !== 1) continue;
      await messenger.ask(forgetHolder(String(row['holder'])));
      await messenger.ask(forgetCommits);
    }
  }

  async function lookForCommits(): Promise<void> {
    if (isAlone) return;
    const { rows } = await messenger.ask(selectCommittedSince(mark ?? '0'));
    const isFirst = mark === undefined;
    mark = String(rows[0]?.['mark']);
    if (isFirst) return;
    const places = rows.flatMap(({ org, playbook }) =>
      org === null ? [] : [{ org: String(org), playbook: String(playbook) }],
    );
    peers.received({ places, topics: [] });
  }

  const analyzed = { commits: 0, looks: 0 };
  async function analyze(): Promise<void> {
    const { commits } = counters;
    analyzed.looks = commits === analyzed.commits ? analyzed.looks + 1 : 0;
    analyzed.commits = commits;
    if (commits > 0 && analyzed.looks < LOOKS_AFTER_COMMIT) await analyzeYoungTables(messenger);
  }

  async function send(): Promise<void> {
    // What is committed in the same turn goes out together.
    await new Promise((resolve) => setImmediate(resolve));
    for (let taken = peers.takeNotification(); taken !== undefined; taken = peers.takeNotification()) {
      if (isAlone && !taken.topics.includes(PROCESSES_CHANGED)) continue;
      for (const payload of payloadsOf(taken)) await messenger.ask(['SELECT pg_notify($1, $2)', [channel, payload]]);
      await wait(BETWEEN_NOTIFICATIONS);
    }
  }

  peers.onPending(() => {
    if (isClosed) return;
    // A database that is away is looked at again when it is back.
    sending ??= send()
      .catch(() => {})
      .finally(() => (sending = undefined));
  });

  /** Does the work now and so many milliseconds after it has ended; sooner where it failed. */
  function every(milliseconds: number, work: () => Promise<void>): void {
    const again = (after: number): void => {
      if (isClosed) return;
      const timer = setTimeout(() => {
        timers.delete(timer);
        go();
      }, after).unref();
      timers.add(timer);
    };
    const go = (): void =>
      void work().then(
        () => again(milliseconds),
        () => again(Math.min(milliseconds, LOOKED_EVERY)),
      );
    go();
  }

  return {
    leaseEnd,
    lookForExpired,
    start() {
      every(RENEWED_EVERY, renew);
      every(LOOKED_EVERY, lookForCommits);
      every(LOOKED_EVERY, analyze);
      peers.shared.announce(PROCESSES_CHANGED);
    },
    registered,
    async close() {
      isClosed = true;
      for (const timer of timers) clearTimeout(timer);
      await sending;
      const farewell: Notification = { from: peers.process, places: [], topics: [PROCESSES_CHANGED] };
      try {
        if (known !== undefined) {
          await messenger.ask(leaveHolder(known));
          await messenger.ask(['SELECT pg_notify($1, $2)', [channel, JSON.stringify(farewell)]]);
        }
      } catch {
        // The lease expires by itself.
      }
      await messenger.close();
    },
  };
}

/** A notification in as many payloads as it needs. */
function* payloadsOf({ from, places, topics }: Notification): Generator<string> {
  let part: { from: string; places: Notification['places'][number][]; topics: string[] } = {
    from,
    places: [],
    topics: [],
  };
  let bytes = 0;
  const full = function* (more: number): Generator<string> {
    if (bytes > 0 && bytes + more > MOST_BYTES) {
      yield JSON.stringify(part);
      part = { from, places: [], topics: [] };
      bytes = 0;
    }
    bytes += more;
  };
  for (const place of places) {
    yield* full(JSON.stringify(place).length + 1);
    part.places.push(place);
  }
  for (const topic of topics) {
    yield* full(JSON.stringify(topic).length + 1);
    part.topics.push(topic);
  }
  yield JSON.stringify(part);
}
