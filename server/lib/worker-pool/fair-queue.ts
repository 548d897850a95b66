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
export interface PlaybookRef {
  org: string;
  playbook: string;
}

/** The owner of a job for a playbook: playbooks share the workers, and the members of a playbook share its part. */
export function ownerIn({ org, playbook }: PlaybookRef, member: string): Owner {
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
export class FairQueue<Entry extends Queued> {
  readonly #now: () => number;
  readonly #groups = new Map<string, Use>();
  readonly #members = new Map<string, Member<Entry>>();
  readonly #withWaiting = new Set<Member<Entry>>();
  #size = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  get size(): number {
    return this.#size;
  }

  add(entry: Entry): void {
    const member = this.#memberOf(entry.owner);
    const { waiting } = member;
    const last = waiting.at(-1);
    if (last === undefined || last.arrival < entry.arrival) waiting.push(entry);
    else
      waiting.splice(
        waiting.findIndex(({ arrival }) => arrival > entry.arrival),
        0,
        entry,
      );
    this.#withWaiting.add(member);
    this.#size += 1;
  }

  /** Returns jobs to the queue that a worker has not begun. */
  putBack(entries: readonly Entry[]): void {
    for (const entry of entries) {
      this.#charge(entry, -reservedFor(entry));
      this.add(entry);
    }
  }

  /**
   * Removes the next job from the queue and charges its owner.
   * @param mayTake whether a job with this expected duration in milliseconds may be taken; undefined: unknown duration
   */
  next(mayTake: (expectedMs: number | undefined) => boolean): Entry | undefined {
    let first: Member<Entry> | undefined;
    for (const member of this.#withWaiting) {
      if (mayTake(member.meanMs) && (first === undefined || this.#comesBefore(member, first))) first = member;
    }
    const entry = first && this.#leave(first, 0);
    if (first === undefined || entry === undefined) return undefined;
    entry.expectedMs = first.meanMs;
    this.#charge(entry, reservedFor(entry));
    return entry;
  }

  /** Returns false if the entry is not waiting. */
  remove(entry: Entry): boolean {
    const member = this.#memberOf(entry.owner);
    const index = member.waiting.indexOf(entry);
    if (index >= 0) this.#leave(member, index);
    return index >= 0;
  }

  /** Removes all waiting jobs. */
  clear(): Entry[] {
    const all = [...this.#withWaiting].flatMap(({ waiting }) => waiting.splice(0));
    this.#withWaiting.clear();
    this.#size = 0;
    return all;
  }

  /** Charges the owner of a job with its duration in milliseconds. */
  ended(entry: Entry, tookMs: number): void {
    this.#charge(entry, tookMs - reservedFor(entry));
    if (entry.owner === undefined) return;
    const member = this.#memberOf(entry.owner);
    member.meanMs = member.meanMs === undefined ? tookMs : member.meanMs + NEWEST * (tookMs - member.meanMs);
  }

  #memberOf(owner: Owner | undefined): Member<Entry> {
    const key = owner === undefined ? '' : JSON.stringify(owner);
    const known = this.#members.get(key);
    if (known !== undefined) return known;
    if (this.#members.size >= MOST_REMEMBERED) this.#forget();
    const groupKey = owner === undefined ? '' : JSON.stringify(owner[0]);
    const group = this.#groups.get(groupKey) ?? { ms: 0, at: this.#now() };
    this.#groups.set(groupKey, group);
    const member = { use: { ms: 0, at: this.#now() }, group, meanMs: owner === undefined ? 0 : undefined, waiting: [] };
    this.#members.set(key, member);
    return member;
  }

  /** Forgets members without waiting jobs; if they come back, they count as unknown. */
  #forget(): void {
    for (const [key, member] of this.#members) if (!this.#withWaiting.has(member)) this.#members.delete(key);
    const remaining = new Set([...this.#members.values()].map(({ group }) => group));
    for (const [key, group] of this.#groups) if (!remaining.has(group)) this.#groups.delete(key);
  }

  #charge(entry: Entry, ms: number): void {
    const { use, group } = this.#memberOf(entry.owner);
    for (const one of [use, group]) {
      one.ms = Math.max(0, this.#usedBy(one) + ms);
      one.at = this.#now();
    }
  }

  #usedBy({ ms, at }: Use): number {
    return ms * 2 ** ((at - this.#now()) / HALF_LIFE_MS);
  }

  #comesBefore(one: Member<Entry>, other: Member<Entry>): boolean {
    const isSameGroup = one.group === other.group;
    const useAfter = (member: Member<Entry>): number =>
      this.#usedBy(isSameGroup ? member.use : member.group) + (member.meanMs ?? UNKNOWN_MS);
    const difference = useAfter(one) - useAfter(other);
    if (difference !== 0) return difference < 0;
    return (one.waiting[0]?.arrival ?? 0) < (other.waiting[0]?.arrival ?? 0);
  }

  #leave(member: Member<Entry>, index: number): Entry | undefined {
    const [entry] = member.waiting.splice(index, 1);
    if (entry !== undefined) this.#size -= 1;
    if (member.waiting.length === 0) this.#withWaiting.delete(member);
    return entry;
  }
}

/** The time that the owner of a job is charged with while the job runs. */
function reservedFor({ expectedMs }: Queued): number {
  return expectedMs ?? UNKNOWN_MS;
}
