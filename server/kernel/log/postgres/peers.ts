// This process among those that share the store: what it knows without asking the database (shared-store.ts). courier.ts
// carries it to the database and back.
import { randomHex } from '../../../lib/random.ts';
import type { PlaybookKey } from '../event.ts';
import type { Holder, SharedStore } from '../shared-store.ts';
import { tellSafely } from '../store.ts';

/** What one process tells the others. */
export interface Notification {
  /** The process that sent it. */
  from: string;
  places: readonly PlaybookKey[];
  topics: readonly string[];
}

export interface Peers {
  /** Of this process, whatever holder it is. */
  readonly process: string;
  holder(): Holder;
  /** The lease of this holder has expired. */
  lose(holder: Holder): void;
  /** This process has committed in a playbook. */
  committed(playbookKey: PlaybookKey): void;
  /** What is to be sent, and no longer held. */
  takeNotification(): Notification | undefined;
  /** Another process has sent this, or has been seen to commit. */
  received(notification: Pick<Notification, 'places' | 'topics'>): void;
  /** Has what expired holders held taken over. Answers whether anybody does that. */
  expired(holders: readonly string[]): Promise<boolean>;
  /** Called when there is something to send. */
  onPending(send: () => void): void;
  shared: SharedStore;
}

/** Announced by a process that starts or stops: the others look for expired holders, and count who is there. */
export const PROCESSES_CHANGED = 'processes changed';

const MOST_PENDING = 1000;

/** @param asked what asks the database */
export function createPeers(asked: Pick<SharedStore, 'leaseEnd' | 'lookForExpired'>): Peers {
  const makeHolder = (): { holder: Holder; lose: () => void } => {
    const controller = new AbortController();
    return { holder: { id: randomHex(16), lost: controller.signal }, lose: () => controller.abort() };
  };
  const process = randomHex(16);
  const [announced, committedElsewhere, takers] = [
    new Set<(topic: string) => void>(),
    new Set<(playbookKey: PlaybookKey) => void>(),
    new Set<(holders: readonly string[]) => Promise<void>>(),
  ];
  let current = makeHolder();
  const own = new Set([current.holder.id]);
  let places = new Map<string, PlaybookKey>();
  let topics = new Set<string>();
  let send = (): void => {};

  /** What is not sent in time is found by looking (courier.ts). */
  function bound<Value>(pending: Map<string, Value> | Set<string>): void {
    if (pending.size > MOST_PENDING) pending.clear();
    send();
  }

  return {
    process,
    holder: () => current.holder,
    lose(holder) {
      if (holder !== current.holder) return;
      const { lose } = current;
      // Listeners that learn of the loss already find the next one.
      current = makeHolder();
      own.add(current.holder.id);
      lose();
    },
    committed({ org, playbook }) {
      places.set(`${org}\0${playbook}`, { org, playbook });
      bound(places);
    },
    takeNotification() {
      if (places.size + topics.size === 0) return undefined;
      const taken = { from: process, places: [...places.values()], topics: [...topics] };
      places = new Map();
      topics = new Set();
      return taken;
    },
    received(notification) {
      for (const place of notification.places) for (const tell of committedElsewhere) tellSafely(() => tell(place));
      for (const topic of notification.topics) for (const tell of announced) tellSafely(() => tell(topic));
    },
    async expired(holders) {
      if (holders.length > 0) for (const takeOver of takers) await takeOver(holders);
      return takers.size > 0;
    },
    onPending(to) {
      send = to;
    },
    shared: {
      ...asked,
      holder: () => current.holder,
      isOwn: (holder) => own.has(holder),
      announce(topic) {
        topics.add(topic);
        bound(topics);
      },
      onAnnounced: (tell) => void announced.add(tell),
      onCommittedElsewhere: (tell) => void committedElsewhere.add(tell),
      onExpired: (takeOver) => void takers.add(takeOver),
    },
  };
}
