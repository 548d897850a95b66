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
import { type EventLog, type PlaybookKey, selectReadEnd, type WriteTransaction } from '../../kernel/log/index.ts';
import { conflict, type Refused } from '../../lib/rejection.ts';
import { asOwnWork } from '../../lib/own-work.ts';
import { ownerIn } from '../../lib/worker-pool/index.ts';
import type { ReadFilter } from '../../kinds/checked.ts';
import type { Fold, Views } from '../../kinds/recall/index.ts';
import { createBringUp, type View } from './bring-up.ts';
import { followOthers } from './follow-others.ts';
import { createRounds, type Rounds } from './rounds.ts';
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

import { createViewLeases, type ViewLeases } from './view-leases.ts';

export { readViewLag } from './lag.ts';
export { viewMigrations } from './sql.ts';

export interface ViewsOptions {
  log: EventLog;
  clock: Clock;
  fold: Fold;
  logger: Pick<Logger, 'error'>;
  /** The most events of a batch; 10,000 when absent. */
  mostEvents?: number;
}

/** Log positions that a view reads without a matching event before its checkpoint is stored: each write includes the state. */
const POSITIONS_UNSTORED = 10_000;
const MOST_SOURCES = 64;

export class RecallViews implements Views {
  readonly #options: ViewsOptions;
  readonly #mostEvents: number;
  readonly #stopping = new AbortController();
  /** How far views have read since their checkpoint without finding anything. */
  readonly #passed = new Map<string, { version: number; checkpoint: number; readTo: number }>();
  /** Up to which log position the events of each view have been counted, and their number. */
  readonly #counts = new Map<string, { version: number; upTo: number; kept: number }>();
  readonly #sources = new LRUCache<string, string>({ max: MOST_SOURCES });
  /** The one batch, of all views, that is read while the batch before it is folded. */
  #eager: { view: string; version: number; after: number; batch: Promise<Batch | undefined> } | undefined;
  /** The current step of each view, even if no caller waits for it any more. */
  readonly #steps = new Map<string, Promise<'done' | 'more'>>();
  readonly #leases: ViewLeases | undefined;
  readonly #rounds: Rounds;
  /** Views are saved and retired with their definitions. */
  readonly definitions: DefinitionHooks = {
    saved: (tx, key, version, { document }) => this.#saved(tx, key, version, document.reads ?? []),
    retired: (tx, key) => this.#retired(tx, key),
  };
  readonly bringUp: Views['bringUp'];

  constructor(options: ViewsOptions) {
    const { log, clock, logger, mostEvents = 10_000 } = options;
    this.#options = options;
    this.#mostEvents = mostEvents;
    this.#leases = log.shared && createViewLeases(log, log.shared, clock);
    const isKeptHere = async (key: ViewKey): Promise<boolean> => this.#leases?.take(key) ?? true;
    const step = (key: ViewKey): Promise<'done' | 'more'> => this.#step(key);
    this.#rounds = createRounds({ log, clock, logger, isKeptHere, step });
    followOthers(log, { clock, rounds: this.#rounds, stopping: this.#stopping.signal });
    this.bringUp = createBringUp({ log, clock, read: (key) => this.#read(key), step, isKeptHere });
  }

  /** How a view stands; undefined for a retired function. */
  async standing(key: ViewKey): Promise<RecallStanding | undefined> {
    const view = await this.#read(key);
    if (view === undefined) return undefined;
    const { row, readTo } = view;
    const { version, folded, at, stalled } = row;
    const known = this.#counts.get(textOf(key));
    const from = known?.version === version && known.upTo > readTo ? known : { version, upTo: readTo, kept: folded };
    const { count, upTo } = await countKept(this.#options.log, key, JSON.parse(row.reads) as ReadFilter[], from.upTo);
    const kept = from.kept + count;
    this.#counts.set(textOf(key), { version, upTo, kept });
    const standing = { version, checkpoint: readTo, behind: kept - folded, at };
    if (stalled === null) return { state: readTo < row.target ? 'building' : 'current', ...standing };
    return { state: 'stalled', ...standing, stalled_by: JSON.parse(stalled) as StalledBy };
  }

  /** Begins to keep every view up to date in the background. */
  async start(): Promise<void> {
    for (const key of await this.#options.log.read(selectViewKeys)) this.#rounds.keep(key);
  }

  /** Resolves when no step of a view is running. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#rounds.stop();
    await Promise.allSettled(this.#steps.values());
    await this.#eager?.batch;
  }

  newest: Views['newest'] = (playbookKey, reads, most) => readNewest(this.#options.log, playbookKey, reads, most);

  async #saved(tx: WriteTransaction, key: DefinitionKey, version: number, reads: readonly ReadFilter[]): Promise<void> {
    if (key.type !== 'recall') return;
    if (version === 1 && (await countViews(tx, key, 1)) > LIMITS.recallFunctions) throw tooMany(key);
    const at = isoTime(this.#options.clock.now());
    await beginView(tx, key, { version, reads: JSON.stringify(reads), target: await selectReadEnd(tx, key), at });
    const view = viewOf(key);
    tx.afterCommit(() => {
      this.#forget(view);
      this.#rounds.keep(view);
    });
  }

  async #retired(tx: WriteTransaction, key: DefinitionKey): Promise<void> {
    if (key.type !== 'recall') return;
    await deleteView(tx, key);
    await countViews(tx, key, -1);
    const view = viewOf(key);
    tx.afterCommit(() => {
      this.#forget(view);
      this.#rounds.leave(view);
    });
  }

  async #read(key: ViewKey): Promise<View | undefined> {
    const row = await this.#options.log.read((tx) => selectView(tx, key));
    if (row === undefined) return undefined;
    const known = this.#passed.get(textOf(key));
    const isOfThis = known?.version === row.version && known.checkpoint === row.checkpoint;
    return { row, readTo: isOfThis ? known.readTo : row.checkpoint };
  }

  /** One batch, or the end of the one that the view is at. Answers 'done' where nothing is left to read, or can be. */
  #step(key: ViewKey): Promise<'done' | 'more'> {
    const text = textOf(key);
    const running = this.#steps.get(text);
    // It may have read before the event that its second caller needs was recorded.
    if (running !== undefined) return running.then(() => 'more');
    const work = this.#readOn(key);
    const isOver = (): void => void this.#steps.delete(text);
    work.then(isOver, isOver);
    this.#steps.set(text, work);
    return work;
  }

  async #readOn(key: ViewKey): Promise<'done' | 'more'> {
    const view = await this.#read(key);
    if (view === undefined || view.row.stalled !== null) return 'done';
    const { row, readTo } = view;
    const batch = await this.#nextBatch(key, row, readTo);
    const ending = batch.isEnd ? 'done' : 'more';
    if (batch.events.length === 0) {
      await this.#pass(key, row, batch.upTo);
      return ending;
    }
    const source = await this.#sourceOf(key, row.version);
    if (!batch.isEnd) this.#readEagerly(key, row, batch.upTo);
    // Independent of the caller that starts the step: others join it.
    const progress = await asOwnWork({}, () =>
      this.#options.fold({
        source,
        state: row.state,
        events: batch.events.map(({ text }) => text),
        owner: ownerIn(key, `recall/${key.name}`),
        signal: this.#stopping.signal,
      }),
    );
    const { count, stalled } = progress;
    const isWhole = count === batch.events.length;
    const poison = stalled === undefined ? undefined : batch.events[count];
    await this.#store(key, row, {
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

  /** The next batch, which may have been read while the batch before it was folded. */
  async #nextBatch(key: ViewKey, row: ViewRow, after: number): Promise<Batch> {
    const read = this.#eager;
    this.#eager = undefined;
    if (read?.view === textOf(key) && read.version === row.version && read.after === after) {
      const batch = await read.batch;
      // Where the log ended then, more may have been recorded since.
      if (batch !== undefined) return { ...batch, isEnd: false };
    }
    return readBatch(this.#options.log, key, JSON.parse(row.reads) as ReadFilter[], after, this.#mostEvents);
  }

  #readEagerly(key: ViewKey, { version, reads }: ViewRow, after: number): void {
    const batch = readBatch(this.#options.log, key, JSON.parse(reads) as ReadFilter[], after, this.#mostEvents);
    this.#eager = { view: textOf(key), version, after, batch: batch.catch(() => undefined) };
  }

  async #store(key: ViewKey, before: ViewRow, after: Omit<Parameters<typeof advanceView>[3], 'at'>) {
    const at = isoTime(this.#options.clock.now());
    await this.#options.log.write(key, (tx) => advanceView(tx, key, before, { ...after, at }));
  }

  /** The view has read on and found nothing that it keeps. */
  async #pass(key: ViewKey, row: ViewRow, upTo: number): Promise<void> {
    const isBuilt = row.checkpoint < row.target && upTo >= row.target;
    if (isBuilt || upTo - row.checkpoint >= POSITIONS_UNSTORED) {
      const { folded, state, stalled } = row;
      await this.#store(key, row, { checkpoint: upTo, folded, state, stalled });
    } else this.#passed.set(textOf(key), { version: row.version, checkpoint: row.checkpoint, readTo: upTo });
  }

  async #sourceOf(key: ViewKey, version: number): Promise<string> {
    const known = this.#sources.get(`${textOf(key)} ${version}`);
    if (known !== undefined) return known;
    const { source } = await this.#options.log.read((tx) => readVersion(tx, { ...key, type: 'recall' }, version));
    this.#sources.set(`${textOf(key)} ${version}`, source);
    return source;
  }

  #forget(key: ViewKey): void {
    this.#passed.delete(textOf(key));
    this.#counts.delete(textOf(key));
  }
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
