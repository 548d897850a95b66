// The history of a run that has ended, as its kind replays it; behind those of the runs that it continued from.
import { isJsonObject, type Json } from '../../../../shared/json.ts';
import { runInput } from '../../../../shared/run-input.ts';
import { MIB } from '../../../../shared/product.ts';
import {
  type EventLog,
  type ReadTransaction,
  selectEvent,
  selectStream,
  type StoredEvent,
} from '../../../kernel/log/index.ts';
import { readMember } from '../../../kernel/contents/index.ts';
import type { CloudEvent } from '../../../kinds/durable.ts';
import type { ChosenStep, RecordedInput, RecordedMove, RecordedRun, ReplayRequest } from '../../../kinds/replaying.ts';
import { conflict } from '../../../lib/rejection.ts';
import { readVersion } from '../../definitions/index.ts';
import { readPublished } from '../../events/index.ts';
import { type RunKey, selectSent } from '../durable/sql.ts';
import { originOf, requireRun } from '../history/present.ts';
import { streamOf } from '../history/events.ts';
import type { RunRow } from '../history/sql.ts';

/** Bounds of what is read and held of a run and of those that it continued from. */
const MOST_EVENTS = 20_000;
const MOST_BYTES = 64 * MIB;
const MOST_ORIGINS = 20;
const EVENTS_A_PAGE = 500;

/** @throws Refused `conflict` for a history that is too long */
export async function readHistory(log: EventLog, last: RunRow, until: ChosenStep): Promise<ReplayRequest['before']> {
  const room = { events: MOST_EVENTS, bytes: MOST_BYTES };
  const before: { run: RecordedRun; until: ChosenStep }[] = [];
  for (let [row, left]: [RunRow, ChosenStep] = [last, until]; ; ) {
    // oxlint-disable-next-line no-await-in-loop -- each run names the one that it continued from
    before.unshift({ run: await readRun(log, row, room), until: left });
    const origin = originOf(row);
    if (origin === undefined) return before;
    if (before.length > MOST_ORIGINS) {
      throw conflict(`The run ${last.run_id} is the ${MOST_ORIGINS}th rerun in a row; run the workflow again.`);
    }
    const place = row;
    // oxlint-disable-next-line no-await-in-loop -- as above
    row = await log.read((tx) => requireRun(tx, place, origin.run_id));
    left = origin;
  }
}

async function readRun(log: EventLog, row: RunRow, room: { events: number; bytes: number }): Promise<RecordedRun> {
  const version = Number(row.definition_version);
  const inputs: (RecordedInput & { moved: RecordedMove[] })[] = [];
  let input: Json = {};
  const { source } = await log.read((tx) => readVersion(tx, row, version));
  for (let after: number | undefined; ; ) {
    const page = { stream: streamOf(row.run_id), order: 'asc', after, limit: EVENTS_A_PAGE } as const;
    // oxlint-disable-next-line no-await-in-loop -- a page at a time, each in a transaction of its own
    const read = await log.read(async (tx) => {
      const events = await selectStream(tx, row, page);
      for (const event of events) {
        room.bytes -= Object.values(event.kept).reduce((sum, { bytes }) => sum + bytes, 0);
        if (room.bytes < 0) throw tooLong(row, `${MOST_BYTES / MIB} MiB of results`);
        if (event.type === 'run_started') input = runInput(await readMember(tx, event, 'input'));
        else if (event.type === 'workflow_input_applied')
          inputs.push({ ...(await inputOf(tx, row, event)), moved: [] });
        else if (event.type.startsWith('step_')) inputs.at(-1)?.moved.push(await moveOf(tx, event));
      }
      return { count: events.length, end: events.at(-1)?.position };
    });
    room.events -= read.count;
    if (room.events < 0) throw tooLong(row, `${MOST_EVENTS} events`);
    if (read.count < EVENTS_A_PAGE) break;
    after = read.end;
  }
  return { runId: row.run_id, version, source, depth: Number(row.depth), input, inputs };
}

function tooLong({ run_id: runId }: RunRow, most: string) {
  return conflict(
    `The history of the run ${runId} has more than ${most}, the most that a rerun reads; run the workflow again.`,
  );
}

async function inputOf(tx: ReadTransaction, row: RunRow, event: StoredEvent): Promise<Omit<RecordedInput, 'moved'>> {
  const { kind, key, took } = event.data;
  const run = { org: row.org, playbook: row.playbook, run_id: row.run_id };
  const events: CloudEvent[] = [];
  for (const id of Array.isArray(took) ? took : []) {
    const sent = await selectSent(tx, run, String(id));
    if (sent !== undefined) events.push(sent.event);
  }
  return {
    kind: kind as RecordedInput['kind'],
    key: String(key),
    now: Date.parse(event.metadata.at),
    took: events,
    ...(kind === 'event_received' ? { event: await receivedEvent(tx, run, String(key)) } : {}),
  };
}

/** The event that a run received: one that was sent to it, or one that was published. */
async function receivedEvent(tx: ReadTransaction, run: RunKey, id: string): Promise<CloudEvent | undefined> {
  const sent = await selectSent(tx, run, id);
  if (sent !== undefined) return sent.event;
  const recorded = await selectEvent(tx, run, id);
  if (recorded?.type !== 'event_published') return undefined;
  return { specversion: '1.0', ...(await readPublished(tx, recorded)).event } as CloudEvent;
}

async function moveOf(tx: ReadTransaction, event: StoredEvent): Promise<RecordedMove> {
  const { step, kind, iterations, error } = event.data;
  const state = event.type.slice('step_'.length) as RecordedMove['state'];
  return {
    step: String(step),
    kind: String(kind),
    state,
    ...(Array.isArray(iterations) ? { iterations: iterations.map(Number) } : {}),
    ...(state === 'finished' ? { output: (await readMember(tx, event, 'output')) ?? null } : {}),
    ...(isJsonObject(error) ? { error } : {}),
  };
}
