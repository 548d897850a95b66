// Views over a real store and sandbox, whose process can end between any two of their commits; and what they must be:
// a plain fold over the events that their filters keep.
import { DEFINITION_TYPES, type DefinitionType } from '../../../shared/definition-types.ts';
import { openLog } from '../../runtime/open-stores.ts';
import { Definitions } from '../definitions/index.ts';
import { createFakeClock, type FakeClock } from '../../lib/clock.ts';
import { type EventLog, type NewEvent, selectReading, type StoredEvent } from '../../kernel/log/index.ts';
import { createSandbox } from '../../lib/sandbox/index.ts';
import { createSchemaChecker } from '../../lib/schemas/index.ts';
import type { ReadFilter } from '../../kinds/checked.ts';
import type { Kind } from '../../kinds/kind.ts';
import { createFold, createRecallKind, type Fold, type ViewStatus } from '../../kinds/recall/index.ts';
import { createPlaybooks } from '../playbooks/index.ts';
import { readSettings } from '../../settings/index.ts';
import { temporaryFolder } from '../../test/index.ts';
import { RecallViews } from './index.ts';
import { selectView } from './sql.ts';

export const PLACE = { org: 'local', playbook: 'desk' };
const VIEW_NAMES = ['first', 'second', 'third'];
const NOBODY = new AbortController().signal;

/** A commit of the views at which their process ends. */
export interface Crash {
  /** How many commits come before it. */
  after: number;
  /** Whether the commit itself is kept, although its caller gets no answer. */
  isKept: boolean;
}

/** What a version keeps, and the number of the event that it cannot take; -1 for none. */
export interface Version {
  reads: readonly ReadFilter[];
  poison: number;
}

export interface KeptViews {
  /** In one commit. */
  publish(...events: readonly { type: string; source: string; subject?: string }[]): Promise<void>;
  /** A run of computation/one or computation/two, from its start to its end. */
  run(name: string, isDone: boolean): Promise<void>;
  /** A further version of computation/one or computation/two. */
  change(name: string): Promise<void>;
  save(view: number, version: Version): Promise<void>;
  /** Lets the views work in the background until they have nothing to do, or their process ends. */
  work(crash: Crash | undefined): Promise<void>;
  restart(): Promise<void>;
  /** The state that a run finds now, the ids of the events in the stored state, and what they are to be; undefined for a view that was never saved. */
  ask(view: number): Promise<{ met: ViewStatus; ids: string[]; expected: Expected } | undefined>;
  views(): RecallViews;
  /** Moves the time on. */
  advance(milliseconds: number): void;
  close(): Promise<void>;
}

export interface Expected {
  /** The ids of the events that are in the state, in order. */
  ids: string[];
  /** How many that it keeps are not in it. */
  behind: number;
  /** The event at which it is to stall. */
  stalledBy: string | undefined;
}

export interface TestSandbox {
  recall: ReturnType<typeof createRecallKind>;
  fold: Fold;
  views: { now: RecallViews | undefined };
  close(): Promise<void>;
}

/** Shared by all cases: starting workers takes longer than a case. */
export function createTestSandbox(): TestSandbox {
  const sandbox = createSandbox();
  const schemas = createSchemaChecker();
  const types = { check: async () => [], checkSyntax: async () => [], close: async () => {} };
  const views: TestSandbox['views'] = { now: undefined };
  const current = (): RecallViews => {
    if (views.now === undefined) throw new Error('There are no views.');
    return views.now;
  };
  const recall = createRecallKind({
    sandbox,
    types,
    schemas,
    views: {
      bringUp: (...given) => current().bringUp(...given),
      newest: (...given) => current().newest(...given),
    },
  });
  return {
    recall,
    fold: createFold(sandbox),
    views,
    async close() {
      await Promise.all([sandbox.close(), schemas.close()]);
    },
  };
}

export async function createKeptViews(test: TestSandbox, mostEvents: number): Promise<KeptViews> {
  const folder = temporaryFolder();
  const settings = readSettings({ DATA_DIR: folder.path });
  const versions = new Map<number, Version[]>();
  let now = open();
  let crash: (Crash & { ended: () => void }) | undefined;
  let count = 0;

  /** The store as the views see it: it ends at a given point, and answers nothing from then on. */
  function mortal(real: EventLog, life: { isOver: boolean }): EventLog {
    return {
      ...real,
      async read(work) {
        if (life.isOver) return never();
        const answer = await real.read(work);
        return life.isOver ? never() : answer;
      },
      async write(scope, work) {
        if (life.isOver) return never();
        if (crash === undefined) return real.write(scope, work);
        if (crash.after > 0) {
          crash.after -= 1;
          return real.write(scope, work);
        }
        life.isOver = true;
        if (crash.isKept) await real.write(scope, work);
        crash.ended();
        return never();
      },
    };
  }

  interface Process {
    clock: FakeClock;
    log: EventLog;
    views: RecallViews;
    definitions: Definitions;
    life: { isOver: boolean };
  }

  function open(): Process {
    const life = { isOver: false };
    const clock = createFakeClock();
    const log = openLog(settings, clock, (sentence) => {
      throw new Error(sentence);
    });
    const views = new RecallViews({
      log: mortal(log, life),
      clock,
      fold: test.fold,
      mostEvents,
      logger: {
        error: ({ err }: { err: unknown }) => {
          throw err;
        },
      } as never,
    });
    test.views.now = views;
    const program: Kind = {
      type: 'computation',
      traits: {},
      check: async () => ({
        ok: true,
        document: { examples: [], expose: false, overview: '', references: [], warnings: [] },
      }),
      start: async () => ({ status: 'failed', detail: '' }),
    };
    const kinds = Object.fromEntries(DEFINITION_TYPES.map((type) => [type, program])) as Record<DefinitionType, Kind>;
    const definitions = new Definitions(log, { ...kinds, recall: test.recall }, [views.definitions]);
    return { clock, log, views, definitions, life };
  }

  async function append(stream: string, ...events: NewEvent[]): Promise<void> {
    await now.log.write(PLACE, (tx) => now.log.append(tx, { ...PLACE, stream, events }));
  }

  async function restart(): Promise<void> {
    now.life.isOver = true;
    await now.log.close();
    now = open();
    await now.views.start();
  }

  async function expectedOf({ reads, poison }: Version): Promise<Expected> {
    const all = await now.log.read((tx) => selectReading(tx, PLACE, { order: 'asc', limit: 1_000_000 }));
    const kept = all.filter((event) => reads.some((filter) => fits(filter, event)));
    const at = kept.findIndex(({ data }) => poison >= 0 && data['data'] === poison);
    const ids = kept.slice(0, at < 0 ? kept.length : at).map(({ id }) => id);
    return { ids, behind: kept.length - ids.length, stalledBy: at < 0 ? undefined : kept[at]?.id };
  }

  await createPlaybooks(now.log, async () => {}).create(PLACE, { name: 'Desk', description: '' }, 'developer');
  for (const name of ['one', 'two'])
    await now.definitions.create({ ...PLACE, type: 'computation', name }, '0', 'developer');

  return {
    async publish(...events) {
      const published = events.map((attributes): NewEvent => {
        count += 1;
        const event = { ...attributes, id: `e${count}`, time: '2026-01-01T00:00:00.000Z' };
        const data = { event, data: count, time_given: false };
        return { type: 'event_published', data, metadata: { by: 'developer' } };
      });
      await append('events', ...published);
    },
    async run(name, isDone) {
      count += 1;
      const runId = `0192b3a4-5c6d-7e8f-9a0b-${String(count).padStart(12, '0')}`;
      const metadata = {
        by: 'developer',
        run_id: runId,
        definition: { type: 'computation' as const, name, version: 1 },
      };
      const started = { attempt: 1, input_sha256: '0'.repeat(64), input: { count } };
      await append(`run-${runId}`, { type: 'run_started', data: started, metadata });
      const ended: NewEvent = isDone
        ? { type: 'run_succeeded', data: { attempt: 1, output: count, record: {} }, metadata }
        : { type: 'run_failed', data: { attempt: 1, detail: 'no' }, metadata };
      await append(`run-${runId}`, ended);
    },
    async change(name) {
      count += 1;
      await now.definitions.update({ ...PLACE, type: 'computation', name }, String(count), 'developer');
    },
    async save(view, version) {
      const key = { ...PLACE, type: 'recall' as const, name: String(VIEW_NAMES[view]) };
      const known = versions.get(view) ?? [];
      versions.set(view, [...known, version]);
      const source = programOf(version, known.length);
      if (known.length === 0) await now.definitions.create(key, source, 'developer');
      else await now.definitions.update(key, source, 'developer');
    },
    async work(given) {
      const ended = new Promise<void>((resolve) => {
        crash = given && { ...given, ended: resolve };
      });
      now.clock.advance(1000);
      const asking = [...versions.keys()].map((view) => meet(view).catch(() => undefined));
      await Promise.race([ended, Promise.all(asking)]);
      const { isOver } = now.life;
      crash = undefined;
      if (isOver) await restart();
    },
    restart,
    async ask(view) {
      const version = versions.get(view)?.at(-1);
      const met = await meet(view);
      if (version === undefined || met === undefined) return undefined;
      const name = String(VIEW_NAMES[view]);
      const row = await now.log.read((tx) => selectView(tx, { ...PLACE, name }));
      const ids = row?.state ? (JSON.parse(row.state) as { ids: string[] }).ids : [];
      return { met, ids, expected: await expectedOf(version) };
    },
    views: () => now.views,
    advance: (milliseconds) => now.clock.advance(milliseconds),
    async close() {
      await now.views.stop();
      await now.log.close();
      folder.remove();
    },
  };

  async function meet(view: number): Promise<ViewStatus | undefined> {
    const { length: version } = versions.get(view) ?? [];
    if (version === 0) return undefined;
    const name = String(VIEW_NAMES[view]);
    return now.views.bringUp({ ...PLACE, name, version, signal: NOBODY });
  }
}

/** Keeps the ids of what it sees, in order. */
function programOf({ reads, poison }: Version, version: number): string {
  return `// Version ${version}
export const reads = ${JSON.stringify(reads)};
export const initial = { ids: [], chance: 0 };
export function evolve(state, event) {
  if (event.kind === 'event' && event.event.data === ${poison}) throw new Error('poison');
  state.ids.push(event.id);
  state.chance = (state.chance * 31 + Math.floor(Math.random() * 1000)) % 1000003;
  return state;
}
export const answer = (state) => state;
`;
}

/** Written anew, from the words of the rule alone. */
function fits(filter: ReadFilter, { type, data, metadata }: StoredEvent): boolean {
  const named = `${metadata.definition?.type}/${metadata.definition?.name}`;
  if ('runs' in filter) return /^run_(started|succeeded|rejected|failed)$/.test(type) && filter.runs.subject === named;
  if ('changes' in filter) return type.startsWith('definition_') && filter.changes.source === named;
  const event = data['event'] as Record<string, unknown> | undefined;
  return type === 'event_published' && Object.entries(filter.events).every(([name, value]) => event?.[name] === value);
}

function never(): Promise<never> {
  return new Promise(() => {});
}
