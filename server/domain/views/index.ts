// The views of recall functions: state kept of a playbook's events, one event at a time (docs/decisions/views.md).
// 1. A view's state and its position are one row, replaced only if it is still the row that was read: each event counts once.
// 2. A view belongs to one version. Saving a version begins its view, and drops the one before, in the same transaction.
// 3. A view that stalls keeps what it had before the event, and only it stalls.
// 4. A view has one batch in progress at most, which requests join. In the background, views take turns batch by batch.
// 5. Where several processes share the store, one of them keeps a view in the background (view-leases.ts). Each brings it up to
//    date for questions; by 1, no event counts twice.
// 6. Views depend only on the log: after a start, every view checks whether it is behind.
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { LIMITS } from '../../../shared/limits.ts';
import type { RecallStanding } from '../../../shared/schemas/index.ts';
import { type DefinitionHooks, type DefinitionKey, readVersion } from '../definitions/index.ts';
import { type Clock, isoTime } from '../../lib/clock.ts';
import { type EventLog, type PlaybookKey, selectReadEnd } from '../../kernel/log/index.ts';
import { conflict, type Refused } from '../../lib/rejection.ts';
import { asOwnWork } from '../../lib/own-work.ts';
import { ownerIn } from '../../lib/worker-pool/index.ts';
import type { ReadFilter } from '../../kinds/checked.ts';
import type { Fold, Views } from '../../kinds/recall/index.ts';
import { createBringUp, type View } from './bring-up.ts';
import { followOthers } from './follow-others.ts';
import { createRounds } from './rounds.ts';
import { type Batch, countKept, readBatch, readNewest } from './read-batch.ts';
import {
  advanceView,
  beginView,
  countViews,
  deleteView,
  selectView,
  selectViewKeys,
  type StalledBy,
  type ViewKey,
  type ViewRow,
} from './sql.ts';

import { createViewLeases } from './view-leases.ts';

export { readViewLag } from './lag.ts';
export { viewMigrations } from './sql.ts';

export interface RecallViews extends Views {
  definitions: DefinitionHooks;
  /** How a view stands; undefined for a retired function. */
  standing: (key: ViewKey) => Promise<RecallStanding | undefined>;
  /** Begins to keep every view up to date in the background. */
  start(): Promise<void>;
  /** Answers when nothing works on a view any more. */
  stop(): Promise<void>;
}

export interface ViewsOptions {
  log: EventLog;
  clock: Clock;
  fold: Fold;
  logger: Pick<Logger, 'error'>;
  /** The most events of a batch; 10,000 when absent. */
  mostEvents?: number;
}

/** Places that a view passes without an event that it keeps before that is stored: each storing writes the state. */
const PLACES_UNSTORED = 10_000;
const MOST_SOURCES = 64;

export function createViews({ log, clock, fold, logger, mostEvents = 10_000 }: ViewsOptions): RecallViews {
  const stopping = new AbortController();
  /** How far views have read since their checkpoint without finding anything. */
  const passed = new Map<string, { version: number; checkpoint: number; readTo: number }>();
  /** Up to which place what views keep has been counted, and how many events that were from the first one on. */
  const counts = new Map<string, { version: number; upTo: number; kept: number }>();
  const sources = new LRUCache<string, string>({ max: MOST_SOURCES });
  /** The batch of one view that is read while the one before it is folded: of all views, so that little is held. */
  let ahead: { view: string; version: number; after: number; batch: Promise<Batch | undefined> } | undefined;
  /** The current step of each view, even if no caller waits for it any more. */
  const steps = new Map<string, Promise<'done' | 'more'>>();
  const { shared } = log;
  const leases = shared && createViewLeases(log, shared, clock);
  const isKeptHere = async (key: ViewKey): Promise<boolean> => leases === undefined || leases.take(key);
  const rounds = createRounds({ log, clock, logger, isKeptHere, step });

  followOthers(log, { clock, rounds, stopping: stopping.signal });

  const bringUp = createBringUp({ log, clock, read, step, isKeptHere });

  async function read(key: ViewKey): Promise<View | undefined> {
    const row = await log.read((tx) => selectView(tx, key));
    if (row === undefined) return undefined;
    const known = passed.get(textOf(key));
    const isOfThis = known?.version === row.version && known.checkpoint === row.checkpoint;
    return { row, readTo: isOfThis ? known.readTo : row.checkpoint };
  }

  /** One batch, or the end of the one that the view is at. Answers 'done' where nothing is left to read, or can be. */
  function step(key: ViewKey): Promise<'done' | 'more'> {
    const text = textOf(key);
    const going = steps.get(text);
    // It may have read before what its joiner looks for was recorded.
    if (going !== undefined) return going.then(() => 'more');
    const work = readOn(key);
    const isOver = (): void => void steps.delete(text);
    work.then(isOver, isOver);
    steps.set(text, work);
    return work;
  }

  async function readOn(key: ViewKey): Promise<'done' | 'more'> {
    const view = await read(key);
    if (view === undefined || view.row.stalled !== null) return 'done';
    const { row, readTo } = view;
    const batch = await nextBatch(key, row, readTo);
    const ending = batch.isEnd ? 'done' : 'more';
    if (batch.events.length === 0) {
      await pass(key, row, batch.upTo);
      return ending;
    }
    const source = await sourceOf(key, row.version);
    if (!batch.isEnd) readAhead(key, row, batch.upTo);
    // Whatever asks for the step: others join it.
    const progress = await asOwnWork({}, () =>
      fold({
        source,
        state: row.state,
        events: batch.events.map(({ text }) => text),
        owner: ownerIn(key, `recall/${key.name}`),
        signal: stopping.signal,
      }),
    );
    const { count, stalled } = progress;
    const isWhole = count === batch.events.length;
    const poison = stalled === undefined ? undefined : batch.events[count];
    await store(key, row, {
      checkpoint: isWhole ? batch.upTo : (batch.events[count - 1]?.readPosition ?? row.checkpoint),
      folded: row.folded + count,
      state: progress.state ?? row.state,
      stalled:
        poison === undefined
          ? null
          : JSON.stringify({ event_id: poison.id, type: poison.type, at: poison.at, detail: stalled }),
    });
    return isWhole ? ending : 'more';
  }

  /** What is behind a place, which may have been read while the batch before it was folded. */
  async function nextBatch(key: ViewKey, row: ViewRow, after: number): Promise<Batch> {
    const read = ahead;
    ahead = undefined;
    if (read?.view === textOf(key) && read.version === row.version && read.after === after) {
      const batch = await read.batch;
      // Where the log ended then, more may have been recorded since.
      if (batch !== undefined) return { ...batch, isEnd: false };
    }
    return readBatch(log, key, JSON.parse(row.reads) as ReadFilter[], after, mostEvents);
  }

  function readAhead(key: ViewKey, { version, reads }: ViewRow, after: number): void {
    const batch = readBatch(log, key, JSON.parse(reads) as ReadFilter[], after, mostEvents);
    ahead = { view: textOf(key), version, after, batch: batch.catch(() => undefined) };
  }

  async function store(key: ViewKey, before: ViewRow, after: Omit<Parameters<typeof advanceView>[3], 'at'>) {
    const at = isoTime(clock.now());
    await log.write(key, (tx) => advanceView(tx, key, before, { ...after, at }));
  }

  /** The view has read on and found nothing that it keeps. */
  async function pass(key: ViewKey, row: ViewRow, upTo: number): Promise<void> {
    const isBuilt = row.checkpoint < row.target && upTo >= row.target;
    if (isBuilt || upTo - row.checkpoint >= PLACES_UNSTORED) {
      const { folded, state, stalled } = row;
      await store(key, row, { checkpoint: upTo, folded, state, stalled });
    } else passed.set(textOf(key), { version: row.version, checkpoint: row.checkpoint, readTo: upTo });
  }

  async function sourceOf(key: ViewKey, version: number): Promise<string> {
    const known = sources.get(`${textOf(key)} ${version}`);
    if (known !== undefined) return known;
    const { source } = await log.read((tx) => readVersion(tx, { ...key, type: 'recall' }, version));
    sources.set(`${textOf(key)} ${version}`, source);
    return source;
  }

  function forget(key: ViewKey): void {
    passed.delete(textOf(key));
    counts.delete(textOf(key));
  }

  return {
    bringUp,
    newest: (place, reads, most) => readNewest(log, place, reads, most),
    async standing(key) {
      const view = await read(key);
      if (view === undefined) return undefined;
      const { row, readTo } = view;
      const { version, folded, at, stalled } = row;
      const known = counts.get(textOf(key));
      const from = known?.version === version && known.upTo > readTo ? known : { version, upTo: readTo, kept: folded };
      const { count, upTo } = await countKept(log, key, JSON.parse(row.reads) as ReadFilter[], from.upTo);
      const kept = from.kept + count;
      counts.set(textOf(key), { version, upTo, kept });
      const standing = { version, checkpoint: readTo, behind: kept - folded, at };
      if (stalled === null) return { state: readTo < row.target ? 'building' : 'current', ...standing };
      return { state: 'stalled', ...standing, stalled_by: JSON.parse(stalled) as StalledBy };
    },
    definitions: {
      async saved(tx, key, version, { document }) {
        if (key.type !== 'recall') return;
        if (version === 1 && (await countViews(tx, key, 1)) > LIMITS.recallFunctions) throw tooMany(key);
        await beginView(tx, key, {
          version,
          reads: JSON.stringify(document.reads ?? []),
          target: await selectReadEnd(tx, key),
          at: isoTime(clock.now()),
        });
        const view = viewOf(key);
        tx.afterCommit(() => {
          forget(view);
          rounds.keep(view);
        });
      },
      async retired(tx, key) {
        if (key.type !== 'recall') return;
        await deleteView(tx, key);
        await countViews(tx, key, -1);
        const view = viewOf(key);
        tx.afterCommit(() => {
          forget(view);
          rounds.leave(view);
        });
      },
    },
    async start() {
      for (const key of await log.read(selectViewKeys)) rounds.keep(key);
    },
    async stop() {
      stopping.abort();
      await rounds.stop();
      await Promise.allSettled(steps.values());
      await ahead?.batch;
    },
  };
}

function tooMany({ playbook }: PlaybookKey): Refused {
  return conflict(
    `The playbook ${playbook} has ${LIMITS.recallFunctions} active recall functions, which is the limit; retire one first.`,
  );
}

function viewOf({ org, playbook, name }: DefinitionKey): ViewKey {
  return { org, playbook, name };
}

function textOf({ org, playbook, name }: ViewKey): string {
  return JSON.stringify([org, playbook, name]);
}
