// Where the order of reading of a playbook and its streams end. A process that wrote there last remembers it; the unique
// indexes of the events refuse what it remembers wrongly.
//
// 1. Inside a commit the memory is right and the table of the order of reading may lag behind: nothing but this reads it.
// 2. That table is written once a commit, for each playbook with new places in it.
import type { PlaybookKey } from './event.ts';
import { createMemory, createRowMemory } from './memory.ts';
import { putReadEnds, type ReadEnd, selectReadCounter, selectReadEnd, selectStreamEnd } from './sql.ts';
import type { WriteTransaction } from './store.ts';

const readEnds = createRowMemory<ReadEnd>(1000, putReadEnds);
const streamEnds = createMemory<number>(10_000);

const keyOfPlace = ({ org, playbook }: PlaybookKey): string => `${org}\0${playbook}`;
const keyOfStream = ({ org, playbook }: PlaybookKey, stream: string): string => `${org}\0${playbook}\0${stream}`;

/** The ends that an append begins behind. */
export interface Ends {
  stream: number;
  reading: number;
}

/**
 * @param expected where the stream is expected to end. What is remembered is believed where it is that; and a stream
 * that is expected not to exist yet is not looked for: its unique index refuses what is wrong.
 */
export async function findEnds(
  tx: WriteTransaction,
  place: PlaybookKey,
  stream: string,
  expected: number | undefined,
): Promise<Ends> {
  const known = streamEnds.get(tx, keyOfStream(place, stream)) ?? (expected === 0 ? 0 : undefined);
  const isBelieved = known !== undefined && (expected === undefined || expected === known);
  const [end, reading] = await Promise.all([
    isBelieved ? known : selectStreamEnd(tx, place, stream),
    readEnds.get(tx, keyOfPlace(place))?.end ?? selectReadCounter(tx, place),
  ]);
  return { stream: end, reading };
}

/** The same from the events themselves, which are never wrong. */
export async function readEndsAgain(tx: WriteTransaction, place: PlaybookKey, stream: string): Promise<Ends> {
  return { stream: await selectStreamEnd(tx, place, stream), reading: await selectReadEnd(tx, place) };
}

/** Events were recorded up to there. @param ends `reading` is null where they have no place in the order of reading */
export function moveEnds(
  tx: WriteTransaction,
  place: PlaybookKey,
  stream: string,
  ends: { stream: number; reading: number | null },
): void {
  streamEnds.set(tx, keyOfStream(place, stream), ends.stream);
  if (ends.reading === null) return;
  readEnds.put(tx, keyOfPlace(place), { org: place.org, playbook: place.playbook, end: ends.reading });
}
