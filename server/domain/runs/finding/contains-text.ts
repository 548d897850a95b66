import { readText } from '../../../kernel/contents/index.ts';
import { type ReadTransaction, selectEvent } from '../../../kernel/log/index.ts';
import type { RunRow } from '../history/sql.ts';

export interface SearchedRun {
  isFound: boolean;
  /** How many characters of inputs and outputs were read. */
  read: number;
}

/** Whether the id, the input or the output of a run contains a text; upper and lower case are the same. */
export async function searchRun(tx: ReadTransaction, run: RunRow, text: string): Promise<SearchedRun> {
  if (run.run_id.includes(text.toLowerCase())) return { isFound: true, read: 0 };
  // As the text stands within a string of JSON.
  const sought = JSON.stringify(text).slice(1, -1).toLowerCase();
  let read = 0;
  for (const [eventId, member] of [
    [run.attempt_event_id, 'input'],
    [run.ended_event_id, 'output'],
  ] as const) {
    const value = eventId === null ? undefined : await memberText(tx, run, eventId, member);
    if (value === undefined) continue;
    read += value.length;
    if (value.toLowerCase().includes(sought)) return { isFound: true, read };
  }
  return { isFound: false, read };
}

/** A member of a recorded event as JSON. */
async function memberText(
  tx: ReadTransaction,
  run: RunRow,
  eventId: string,
  member: string,
): Promise<string | undefined> {
  const event = await selectEvent(tx, run, eventId);
  const kept = event?.kept[member];
  if (kept !== undefined) return readText(tx, run, kept.sha256);
  const value = event?.data[member];
  return value === undefined ? undefined : JSON.stringify(value);
}
