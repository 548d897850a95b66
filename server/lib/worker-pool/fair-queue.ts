// Jobs that wait for a worker, in the order in which they get one.
//
// 1. The next job is the one with which its group will have used the least worker time lately, and within the group its
//    member. What was used counts half as much every 30 seconds. Jobs of one member, and of equals, keep the order in
//    which they arrived.
// 2. A member's next job is expected to take what its jobs took lately; nothing is known of a member without any, and it
//    comes after those that are known to be short.
// 3. A worker's job counts as used with its expected time until it ends, and with its real time from then on. So the
//    first jobs of several owners alternate, although nothing of them has ended.
// 4. Jobs without an owner belong to one owner of their own.

/** Whose a job is: a group, and a member of it. */
export type Owner = readonly [group: string, member: string];

/** Names the playbook that a job is done for. */
export interface PlaybookPlace {
  org: string;
  playbook: string;
}

/** Playbooks share the workers; what is done for them shares their playbook's part. */
export function ownerIn({ org, playbook }: PlaybookPlace, member: string): Owner {
  return [JSON.stringify([org, playbook]), member];
}

/** What the queue keeps about a job. */
export interface Queued {
  owner: Owner | undefined;
  /** The job's place among all that arrived. */
  arrival: number;
  /** How long it was expected to take when a worker got it, in milliseconds; undefined: unknown, or it waits. */
  expectedMs: number | undefined;
}

export interface FairQueue<Entry extends Queued> {
  readonly size: number;
  add(entry: Entry): void;
  /** Takes jobs back that a worker has not begun. */
  putBack(entries: readonly Entry[]): void;
  /**
   * Takes the job whose turn it is out of the queue and charges its owner.
   * @param mayTake whether a job that is expected to take so many milliseconds is wanted; undefined: unknown
   */
  next(mayTake: (expectedMs: number | undefined) => boolean): Entry | undefined;
  /** False where the entry does not wait. */
  remove(entry: Entry): boolean;
  /** Takes out everything that waits. */
  clear(): Entry[];
  /** Charges a job's owner with what the job took, in milliseconds. */
  ended(entry: Entry, tookMs: number): void;
}

interface Use {
  ms: number;
  at: number;
}

interface Member<Entry> {
  use: Use;
  group: Use;
  /** A moving average of what its jobs took. */
  meanMs: number | undefined;
  waiting: Entry[];
}

const HALF_LIFE_MS = 30_000;
/** What a job of an unknown member counts as until it ends. */
const UNKNOWN_MS = 100;
/** The weight of the newest job in a member's average: one long job stands out, a few short ones make good for it. */
const NEWEST = 0.3;
const MOST_REMEMBERED = 2000;

/** @param now milliseconds of a clock that never goes back */
export function createFairQueue<Entry extends Queued>(now: () => number): FairQueue<Entry> {
  const groups = new Map<string, Use>();
  const members = new Map<string, Member<Entry>>();
  const withWaiting = new Set<Member<Entry>>();
  let size = 0;

  function memberOf(owner: Owner | undefined): Member<Entry> {
    const key = owner === undefined ? '' : JSON.stringify(owner);
    const known = members.get(key);
    if (known !== undefined) return known;
    if (members.size >= MOST_REMEMBERED) forget();
    const groupKey = owner === undefined ? '' : JSON.stringify(owner[0]);
    const group = groups.get(groupKey) ?? { ms: 0, at: now() };
    groups.set(groupKey, group);
    const member = { use: { ms: 0, at: now() }, group, meanMs: owner === undefined ? 0 : undefined, waiting: [] };
    members.set(key, member);
    return member;
  }

  /** Forgets the members without a waiting job: each of them starts as an unknown one. */
  function forget(): void {
    for (const [key, member] of members) if (!withWaiting.has(member)) members.delete(key);
    const kept = new Set([...members.values()].map(({ group }) => group));
    for (const [key, group] of groups) if (!kept.has(group)) groups.delete(key);
  }

  function charge(entry: Entry, ms: number): void {
    const { use, group } = memberOf(entry.owner);
    for (const one of [use, group]) {
      one.ms = Math.max(0, usedBy(one) + ms);
      one.at = now();
    }
  }

  function usedBy({ ms, at }: Use): number {
    return ms * 2 ** ((at - now()) / HALF_LIFE_MS);
  }

  function comesBefore(one: Member<Entry>, other: Member<Entry>): boolean {
    const isSameGroup = one.group === other.group;
    const useAfter = (member: Member<Entry>): number =>
      usedBy(isSameGroup ? member.use : member.group) + (member.meanMs ?? UNKNOWN_MS);
    const difference = useAfter(one) - useAfter(other);
    if (difference !== 0) return difference < 0;
    return (one.waiting[0]?.arrival ?? 0) < (other.waiting[0]?.arrival ?? 0);
  }

  function leave(member: Member<Entry>, place: number): Entry | undefined {
    const [entry] = member.waiting.splice(place, 1);
    if (entry !== undefined) size -= 1;
    if (member.waiting.length === 0) withWaiting.delete(member);
    return entry;
  }

  function enter(entry: Entry): void {
    const member = memberOf(entry.owner);
    const { waiting } = member;
    const last = waiting.at(-1);
    if (last === undefined || last.arrival < entry.arrival) waiting.push(entry);
    else
      waiting.splice(
        waiting.findIndex(({ arrival }) => arrival > entry.arrival),
        0,
        entry,
      );
    withWaiting.add(member);
    size += 1;
  }

  return {
    get size() {
      return size;
    },
    add: enter,
    putBack(entries) {
      for (const entry of entries) {
        charge(entry, -reservedFor(entry));
        enter(entry);
      }
    },
    next(mayTake) {
      let first: Member<Entry> | undefined;
      for (const member of withWaiting) {
        if (mayTake(member.meanMs) && (first === undefined || comesBefore(member, first))) first = member;
      }
      const entry = first && leave(first, 0);
      if (first === undefined || entry === undefined) return undefined;
      entry.expectedMs = first.meanMs;
      charge(entry, reservedFor(entry));
      return entry;
    },
    remove(entry) {
      const member = memberOf(entry.owner);
      const place = member.waiting.indexOf(entry);
      if (place >= 0) leave(member, place);
      return place >= 0;
    },
    clear() {
      const all = [...withWaiting].flatMap(({ waiting }) => waiting.splice(0));
      withWaiting.clear();
      size = 0;
      return all;
    },
    ended(entry, tookMs) {
      charge(entry, tookMs - reservedFor(entry));
      if (entry.owner === undefined) return;
      const member = memberOf(entry.owner);
      member.meanMs = member.meanMs === undefined ? tookMs : member.meanMs + NEWEST * (tookMs - member.meanMs);
    },
  };
}

/** What a job's owner is charged with while the job runs. */
function reservedFor({ expectedMs }: Queued): number {
  return expectedMs ?? UNKNOWN_MS;
}
