// How a run waits for its view: until the view holds what was recorded when the run started, and for a bounded time.
import { type EventLog, selectReadEnd } from '../../kernel/log/index.ts';
import { type Clock, stopwatch } from '../../lib/clock.ts';
import { type Deadline, startDeadline, untilAborted } from '../../lib/deadline.ts';
import { ownWork, REQUEST_WAIT_MS } from '../../lib/own-work.ts';
import type { ViewStatus, Views } from '../../kinds/recall/index.ts';
import { LOOKED_EVERY } from './follow-others.ts';
import type { StalledBy, ViewKey, ViewRow } from './sql.ts';

/** How long a run waits for a view that is being built: most are built sooner, and others may take minutes. */
const BUILDING_WAIT_MS = 1000;
/** How long it waits at most for the batch in progress then: one that fails takes far longer than others. */
const BUILDING_BATCH_WAIT_MS = 5000;
export interface View {
  row: ViewRow;
  /** The position up to which it has read: the checkpoint, or further where there was nothing that it keeps. */
  readTo: number;
}

export interface BringUpOptions {
  log: EventLog;
  clock: Clock;
  read: (key: ViewKey) => Promise<View | undefined>;
  /** One batch of the view. */
  step: (key: ViewKey) => Promise<unknown>;
  /** Whether this process keeps the view. */
  isKeptHere: (key: ViewKey) => Promise<boolean>;
}

export function createBringUp({ log, clock, read, step, isKeptHere }: BringUpOptions): Views['bringUp'] {
  /** A view that another process builds is left to it. */
  async function advance(key: ViewKey, isBuilt: boolean): Promise<unknown> {
    if (isBuilt || (await isKeptHere(key))) return step(key);
    return new Promise<void>((resolve) => void clock.wakeAfter(LOOKED_EVERY, resolve));
  }

  async function bringUpWithin(
    { org, playbook, name, version }: Parameters<Views['bringUp']>[0],
    deadlines: { building: Deadline; behind: Deadline },
  ): Promise<ViewStatus> {
    const key = { org, playbook, name };
    const waitedMs = stopwatch(clock);
    const wanted = await log.read((tx) => selectReadEnd(tx, key));
    for (;;) {
      const view = await read(key);
      // A version that was saved meanwhile dropped the view of the one that the run was to use.
      if (view === undefined || view.row.version !== version) {
        const detail = `Another version of recall/${name} was saved in the meantime; run it again shortly.`;
        return { standing: 'building', checkpoint: 0, detail };
      }
      const { row, readTo: checkpoint } = view;
      if (row.stalled !== null) return { standing: 'stalled', checkpoint, detail: stalledWords(name, row.stalled) };
      const isBuilt = checkpoint >= row.target;
      if (isBuilt && checkpoint >= wanted) return { standing: 'current', checkpoint, state: row.state };
      const { signal: over } = isBuilt ? deadlines.behind : deadlines.building;
      if (over.aborted || (!isBuilt && waitedMs() >= BUILDING_WAIT_MS)) {
        const words = isBuilt
          ? `is behind: it has read ${checkpoint} of the ${wanted} records that were there when the run started`
          : `is being built: it has read ${checkpoint} of the ${row.target} records that were there when the version was saved`;
        const detail = `The view of recall/${name}, version ${version}, ${words}. Run it again shortly.`;
        return { standing: 'building', checkpoint, detail };
      }
      await untilAborted(advance(key, isBuilt), over);
    }
  }

  return async (run) => {
    const building = startDeadline(clock, BUILDING_BATCH_WAIT_MS, run.signal);
    // A view that was built and is behind waits for its turn, and the run with it.
    const behind = startDeadline(clock, ownWork() === undefined ? REQUEST_WAIT_MS : undefined, run.signal);
    try {
      return await bringUpWithin(run, { building, behind });
    } finally {
      building.callOff();
      behind.callOff();
    }
  };
}

function stalledWords(name: string, stalled: string): string {
  const { event_id: id, detail } = JSON.parse(stalled) as StalledBy;
  return `The view of recall/${name} stalled at the event ${id}: ${detail} Save a version that can process the event; its view is then rebuilt.`;
}
