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
import type { StoreCounters } from '../store.ts';
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
import { createMessenger, type Messenger } from './messenger.ts';
import { type Notification, type Peers, PROCESSES_CHANGED } from './peers.ts';
import type { DatabaseAddress } from './pool.ts';
import { analyzeYoungTables } from './statistics.ts';

const LOOKED_EVERY = 1000;
/** A connection that becomes idle may report what it changed up to 10 s later. */
const LOOKS_AFTER_COMMIT = 15;
/** Milliseconds: each notification wakes all processes. The first after a pause goes out at once. */
const BETWEEN_NOTIFICATIONS = 10;
/** Bytes of a notification; PostgreSQL takes 8,000. */
const MOST_BYTES = 7000;

export class Courier implements Pick<SharedStore, 'leaseEnd' | 'lookForExpired'> {
  readonly #channel: string;
  readonly #messenger: Messenger;
  readonly #peers: Peers;
  readonly #counters: Readonly<StoreCounters>;
  readonly #timers = new Set<NodeJS.Timeout>();
  /** Counts of commits that have been analyzed, and the looks since then. */
  readonly #analyzed = { commits: 0, looks: 0 };
  #isClosed = false;
  #isAlone = false;
  /** The holder that has a lease, or had one. */
  #known: string | undefined;
  #registering: Promise<void> | undefined;
  #mark: string | undefined;
  #sending: Promise<void> | undefined;
  #looking: Promise<void> | undefined;

  constructor(address: DatabaseAddress, peers: Peers, counters: Readonly<StoreCounters>) {
    this.#channel = `cuebook_${address.schema}`;
    this.#messenger = createMessenger(address, {
      channel: this.#channel,
      onHeard: (payload) => this.#receive(payload),
    });
    this.#peers = peers;
    this.#counters = counters;
    peers.onPending(() => {
      if (this.#isClosed) return;
      // A database that is away is looked at again when it is back.
      this.#sending ??= this.#send()
        .catch(() => {})
        .finally(() => (this.#sending = undefined));
    });
  }

  /** Starts once the schema is there. */
  start(): void {
    this.#every(RENEWED_EVERY, () => this.#renew());
    this.#every(LOOKED_EVERY, () => this.#lookForCommits());
    this.#every(LOOKED_EVERY, () => this.#analyze());
    this.#peers.shared.announce(PROCESSES_CHANGED);
  }

  /** Resolves once the holder that this process is has a lease. @throws where the database cannot be reached */
  async registered(): Promise<void> {
    while (this.#known !== this.#peers.holder().id) {
      this.#registering ??= this.#register().finally(() => (this.#registering = undefined));
      // oxlint-disable-next-line no-await-in-loop -- another holder may have become known meanwhile
      await this.#registering;
    }
  }

  async leaseEnd(holder: string): Promise<number | undefined> {
    const [row] = (await this.#messenger.ask(selectLeaseEnd(holder))).rows;
    return row === undefined ? undefined : Number(row['ends_at']);
  }

  lookForExpired(): Promise<void> {
    this.#looking ??= this.#lookOnce().finally(() => (this.#looking = undefined));
    return this.#looking;
  }

  /** Gives the lease back. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const timer of this.#timers) clearTimeout(timer);
    await this.#sending;
    const farewell: Notification = { from: this.#peers.process, places: [], topics: [PROCESSES_CHANGED] };
    try {
      if (this.#known !== undefined) {
        await this.#messenger.ask(leaveHolder(this.#known));
        await this.#notify(JSON.stringify(farewell));
      }
    } catch {
      // The lease expires by itself.
    }
    await this.#messenger.close();
  }

  #receive(payload: string): void {
    const notification = JSON.parse(payload) as Notification;
    if (notification.from === this.#peers.process || this.#isClosed) return;
    this.#isAlone = false;
    if (notification.topics.includes(PROCESSES_CHANGED)) void this.lookForExpired().catch(() => {});
    this.#peers.received(notification);
  }

  async #register(): Promise<void> {
    const { id } = this.#peers.holder();
    await this.#messenger.ask(registerHolder(id));
    this.#known = id;
  }

  async #renew(): Promise<void> {
    const holder = this.#peers.holder();
    const isKnown = this.#known === holder.id;
    if (isKnown && (await this.#messenger.ask(renewHolder(holder.id))).rowCount === 0) this.#peers.lose(holder);
    await this.registered();
    await this.#messenger.listen();
    await this.lookForExpired();
  }

  async #lookOnce(): Promise<void> {
    const { rows } = await this.#messenger.ask(selectHolders);
    const expired = rows.filter((row) => row['is_held'] !== 1);
    this.#isAlone = rows.length - expired.length <= 1;
    const isTakenOver = await this.#peers.expired(expired.map((row) => String(row['holder'])));
    if (!isTakenOver) return;
    for (const row of expired) {
      if (row['is_long_gone'] !== 1) continue;
      await this.#messenger.ask(forgetHolder(String(row['holder'])));
      await this.#messenger.ask(forgetCommits);
    }
  }

  async #lookForCommits(): Promise<void> {
    if (this.#isAlone) return;
    const { rows } = await this.#messenger.ask(selectCommittedSince(this.#mark ?? '0'));
    const isFirst = this.#mark === undefined;
    this.#mark = String(rows[0]?.['mark']);
    if (isFirst) return;
    const places = rows.flatMap(({ org, playbook }) =>
      org === null ? [] : [{ org: String(org), playbook: String(playbook) }],
    );
    this.#peers.received({ places, topics: [] });
  }

  async #analyze(): Promise<void> {
    const { commits } = this.#counters;
    this.#analyzed.looks = commits === this.#analyzed.commits ? this.#analyzed.looks + 1 : 0;
    this.#analyzed.commits = commits;
    if (commits > 0 && this.#analyzed.looks < LOOKS_AFTER_COMMIT) await analyzeYoungTables(this.#messenger);
  }

  async #send(): Promise<void> {
    // What is committed in the same turn goes out together.
    await new Promise((resolve) => setImmediate(resolve));
    for (let taken = this.#peers.takeNotification(); taken !== undefined; taken = this.#peers.takeNotification()) {
      if (this.#isAlone && !taken.topics.includes(PROCESSES_CHANGED)) continue;
      for (const payload of payloadsOf(taken)) await this.#notify(payload);
      await wait(BETWEEN_NOTIFICATIONS);
    }
  }

  async #notify(payload: string): Promise<void> {
    await this.#messenger.ask(['SELECT pg_notify($1, $2)', [this.#channel, payload]]);
  }

  /** Calls a function now and so many milliseconds after it has ended; sooner where it failed. */
  #every(milliseconds: number, run: () => Promise<void>): void {
    const again = (after: number): void => {
      if (this.#isClosed) return;
      const timer = setTimeout(() => {
        this.#timers.delete(timer);
        go();
      }, after).unref();
      this.#timers.add(timer);
    };
    const go = (): void =>
      void run().then(
        () => again(milliseconds),
        () => again(Math.min(milliseconds, LOOKED_EVERY)),
      );
    go();
  }
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
