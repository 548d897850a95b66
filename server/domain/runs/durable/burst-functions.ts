// The pure functions that a burst may call, as they are when the burst first needs them.
import { LRUCache } from 'lru-cache';
import type { DefinitionType } from '../../../../shared/definition-types.ts';
import type { EventLog, WriteTransaction } from '../../../kernel/log/index.ts';
import type { SentJob } from '../../../kinds/burst/index.ts';
import type { Kind } from '../../../kinds/kind.ts';
import { inOrder } from '../../../lib/in-order.ts';
import { isStillCurrent, type Runnable, Runnables } from '../../definitions/index.ts';
import { requireActivePlaybook } from '../../playbooks/index.ts';
import type { Attempt } from '../history/events.ts';
import { Outdated } from './invocation.ts';

/** How long bursts do not call a function that took too long, in milliseconds. */
const SLOW_FOR_MS = 10_000;
const MOST_SLOW = 1000;
/** The most characters of all programs that are sent to a worker. */
const MOST_CHARACTERS = 1_000_000;

export interface BurstFunctionsOptions {
  log: EventLog;
  kinds: Readonly<Record<DefinitionType, Kind>>;
}

/** What the bursts of a process know of functions. */
export class KnownFunctions {
  readonly options: BurstFunctionsOptions;
  readonly runnables = new Runnables();
  /** Versions of functions that took too long. */
  readonly slow = new LRUCache<string, true>({ max: MOST_SLOW, ttl: SLOW_FOR_MS });

  constructor(options: BurstFunctionsOptions) {
    this.options = options;
  }
}

interface KnownFunction {
  runnable: Runnable;
  /** Read from this process's memory, so it may be outdated. */
  isFromMemory: boolean;
}

interface Named {
  type: DefinitionType;
  name: string;
}

export class BurstFunctions {
  readonly #known: KnownFunctions;
  readonly #caller: Attempt;
  readonly #functions = new Map<string, KnownFunction>();
  /** The transaction in which the functions were last found to be current. */
  #checkedIn: { tx: WriteTransaction; functions: Set<string> } | undefined;

  constructor(known: KnownFunctions, caller: Attempt) {
    this.#known = known;
    this.#caller = caller;
  }

  /** The pure functions among those that the run may call. The task of a call reports why a function cannot be called. */
  async read(calls: readonly Named[]): Promise<SentJob['functions']> {
    const { kinds } = this.#known.options;
    const pure = calls.filter(({ type }) => kinds[type].pureModule !== undefined);
    for (const one of pure) {
      if (this.#functions.has(nameOf(one))) continue;
      // oxlint-disable-next-line no-await-in-loop -- most are remembered, and read at once
      const found = await this.#readOne(one);
      if (found !== undefined) this.#functions.set(nameOf(one), found);
    }
    let characters = 0;
    return pure.flatMap(({ type, name }) => {
      const { runnable } = this.#functions.get(nameOf({ type, name })) ?? {};
      const { pureModule: module } = kinds[type];
      if (runnable === undefined || module === undefined) return [];
      const { source, inputSchema, outputSchema } = runnable;
      characters += source.length;
      if (characters > MOST_CHARACTERS || this.#known.slow.has(this.#versionOf({ type, name }))) return [];
      return [{ type, name, module, source, inputSchema, outputSchema }];
    });
  }

  async #readOne(called: Named): Promise<KnownFunction | undefined> {
    const { runnables, options } = this.#known;
    const { org, playbook } = this.#caller;
    const key = { org, playbook, ...called };
    const remembered = runnables.remembered(options.log, key);
    if (remembered !== undefined) return { runnable: remembered, isFromMemory: true };
    const read = options.log.read((tx) => inOrder(requireActivePlaybook(tx, key), runnables.read(tx, key)));
    return read.then(
      (runnable) => ({ runnable, isFromMemory: false }),
      () => undefined,
    );
  }

  /** For a while, bursts do not call the function. */
  markSlow(called: Named): void {
    this.#known.slow.set(this.#versionOf(called), true);
  }

  /** @throws Refused where the playbook is retired; Outdated */
  async requireCurrent(tx: WriteTransaction, called: Named): Promise<Runnable> {
    const key = nameOf(called);
    const found = this.#functions.get(key);
    if (found === undefined) throw new Error(`The burst called ${key} without knowing it.`);
    if (this.#checkedIn?.tx !== tx) this.#checkedIn = { tx, functions: new Set() };
    if (this.#checkedIn.functions.has(key)) return found.runnable;
    const { org, playbook } = this.#caller;
    await requireActivePlaybook(tx, this.#caller);
    const isCurrent = await isStillCurrent(tx, { org, playbook, ...called }, found.runnable);
    if (found.isFromMemory && !isCurrent) throw new Outdated();
    this.#checkedIn.functions.add(key);
    return found.runnable;
  }

  #versionOf({ type, name }: Named): string {
    const { org, playbook } = this.#caller;
    const version = this.#functions.get(nameOf({ type, name }))?.runnable.version ?? 0;
    return JSON.stringify([org, playbook, type, name, version]);
  }
}

function nameOf({ type, name }: Named): string {
  return `${type}/${name}`;
}
