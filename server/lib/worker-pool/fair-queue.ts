// The queue of jobs that wait for a worker, and the order in which they get one.
//
// 1. The next job is that of the group which, including this job, will have used the least worker time recently; within
//    a group, the same applies to its members. The weight of past use halves every 30 seconds. Jobs of one member, and of
//    members with equal use, run in order of arrival.
// 2. The expected time of a job is that of its member's recent jobs. A member without any comes after those whose jobs
//    are known to be short.
// 3. A running job counts with its expected time until it ends, then with its actual time. So the first jobs of several
//    owners alternate, although none of them has ended.
// 4. Jobs without an owner share one owner.

/** The owner of a job: a group, and a member of it. */
export type Owner = readonly [group: string, member: string];

/** The playbook that a job is done for. */
export interface PlaybookPlace {
  org: string;
  playbook: string;
}

/** The owner of a job for a playbook: playbooks share the workers, and the members of a playbook share its part. */
export function ownerIn({ org, playbook }: PlaybookPlace, member: string): Owner {
  return [JSON.stringify([org, playbook]), member];
}

/** A job in the queue. */
export interface Queued {
  owner: Owner | undefined;
  /** The position of the job in order of arrival. */
  arrival: number;
  /** The expected duration when a worker got the job, in milliseconds; undefined if unknown or still waiting. */
  expectedMs: number | undefined;
}

export interface FairQueue<Entry extends Queued> {
  readonly size: number;
  add(entry: Entry): void;
  /** Returns jobs to the queue that a worker has not begun. */
  putBack(entries: readonly Entry[]): void;
  /**
   * Removes the next job from the queue and charges its owner.
   * @param mayTake whether a job with this expected duration in milliseconds may be taken; undefined: unknown duration
   */
  next(mayTake: (expectedMs: number | undefined) => boolean): Entry | undefined;
  /** Returns false if the entry is not waiting. */
  remove(entry: Entry): boolean;
  /** Removes all waiting jobs. */
  clear(): Entry[];
  /** Charges the owner of a job with its duration in milliseconds. */
  ended(entry: Entry, tookMs: number): void;
}

interface Use {
  ms: number;
  at: number;
}

interface Member<Entry> {
  use: Use;
  group: Use;
  /** A moving average of the duration of its jobs. */
  meanMs: number | undefined;
  waiting: Entry[];
}

const HALF_LIFE_MS = 30_000;
/** The assumed duration of a job of an unknown member until it ends. */
const UNKNOWN_MS = 100;
/** The weight of the newest job in a member's average: one long job raises it, a few short jobs lower it again. */
const NEWEST = 0.3;
const MOST_REMEMBERED = 2000;

/** @param now the time of a monotonic clock in milliseconds */
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

  /** Forgets members without waiting jobs; if they come back, they count as unknown. */
  function forget(): void {
    for (const [key, member] of members) if (!withWaiting.has(member)) members.delete(key);
    const remaining = new Set([...members.values()].map(({ group }) => group));
    for (const [key, group] of groups) if (!remaining.has(group)) groups.delete(key);
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

  function leave(member: Member<Entry>, index: number): Entry | undefined {
    const [entry] = member.waiting.splice(index, 1);
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
      const index = member.waiting.indexOf(entry);
      if (index >= 0) leave(member, index);
      return index >= 0;
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

/** The time that the owner of a job is charged with while the job runs. */
function reservedFor({ expectedMs }: Queued): number {
  return expectedMs ?? UNKNOWN_MS;
}
