// What the event log guarantees over every store (log.ts), as one suite: each adapter is mounted on it.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createFakeClock, type FakeClock, isoTime } from '../../lib/clock.ts';
import { contentMigrations, storeText, readText, sha256 } from '../contents/index.ts';
import { createIds } from '../ids.ts';
import {
  createEventLog,
  type EventLog,
  logMigrations,
  type Migration,
  type NewEvent,
  type PlaybookKey,
  type Projection,
  type ReadingPage,
  selectEvent,
  selectReadEnd,
  selectReading,
  selectStream,
  selectStreamEnd,
  type StoredEvent,
  StreamMoved,
  UniqueViolation,
} from './index.ts';
import type { TestedStore } from './testing.ts';

const PLACE: PlaybookKey = { org: 'acme', playbook: 'support' };
const OTHER: PlaybookKey = { org: 'acme', playbook: 'sales' };

/** A read table as a slice has one: the last event of each stream and how many there were. */
const streamsTable: Migration = {
  id: 'test/1',
  sql: `
    CREATE TABLE ends (
      org TEXT NOT NULL, playbook TEXT NOT NULL, stream TEXT NOT NULL, events BIGINT NOT NULL, last TEXT NOT NULL,
      PRIMARY KEY (org, playbook, stream)
    );`,
};

const ends: Projection = {
  tables: ['ends'],
  async apply(tx, event) {
    await tx.run(
      `INSERT INTO ends (org, playbook, stream, events, last) VALUES ($1, $2, $3, 1, $4)
       ON CONFLICT (org, playbook, stream) DO UPDATE SET events = ends.events + 1, last = $4`,
      [event.org, event.playbook, event.stream, event.id],
    );
  },
};

const contractMigrations: readonly Migration[] = [...logMigrations, ...contentMigrations, streamsTable];

function event(type: string, metadata: Partial<NewEvent['metadata']> = {}): NewEvent {
  return { type, data: { said: type }, metadata: { by: 'ada', ...metadata } };
}

function typesOf(events: readonly StoredEvent[]): string[] {
  return events.map(({ type }) => type);
}

/** Mounts the suite on one adapter; 'open' answers an empty store in a place of its own. */
export function describeEventLog(name: string, open: (migrations: readonly Migration[]) => Promise<TestedStore>): void {
  describe(`the event log on ${name}`, () => {
    let clock: FakeClock;
    let tested: TestedStore;
    let log: EventLog;

    const overStore = (store: TestedStore['store']): EventLog =>
      createEventLog({ store, projections: [ends], clock, ids: createIds(clock) });

    beforeEach(async () => {
      clock = createFakeClock();
      tested = await open(contractMigrations);
      log = overStore(tested.store);
    });

    afterEach(() => tested.remove());

    function append(stream: string, types: readonly string[], more: { expected?: number; place?: PlaybookKey } = {}) {
      const { place = PLACE, ...expected } = more;
      return log.write(place, (tx) =>
        log.append(tx, { ...place, stream, ...expected, events: types.map((type) => event(type)) }),
      );
    }

    const reading = (page: Partial<ReadingPage> = {}, place = PLACE): Promise<StoredEvent[]> =>
      log.read((tx) => selectReading(tx, place, { order: 'asc', limit: 1_000, ...page }));
    const streamEnd = (stream: string): Promise<number> => log.read((tx) => selectStreamEnd(tx, PLACE, stream));
    async function recordTree(): Promise<void> {
      const tree = { correlation_id: 'root' };
      await append('run-1', ['a', 'b']);
      clock.advance(1_000);
      const events = [event('a', tree), event('c', tree)];
      await log.write(PLACE, (tx) => log.append(tx, { ...PLACE, stream: 'run-2', events }));
      await append('run-1', ['b']);
      await append('run-1', ['a'], { place: OTHER });
    }

    async function streamPositions(order: 'asc' | 'desc', after?: number): Promise<number[]> {
      const page = { stream: 'run-1', order, after, limit: 2 };
      return (await log.read((tx) => selectStream(tx, PLACE, page))).map(({ position }) => position);
    }

    describe('append', () => {
      test('gives positions from 1, the time, one trace an append, and answers what is read later', async () => {
        const recorded = await append('run-1', ['a', 'b']);
        expect(recorded.map(({ position, readPosition }) => [position, readPosition])).toEqual([
          [1, 1],
          [2, 2],
        ]);
        expect(new Set(recorded.map(({ metadata }) => `${metadata.trace_id} ${metadata.span_id}`)).size).toBe(1);
        expect(recorded[0]?.metadata).toMatchObject({ at: isoTime(clock.now()), correlation_id: null, by: 'ada' });
        expect(await reading()).toMatchObject(recorded);
        expect(await log.read((tx) => selectEvent(tx, PLACE, recorded[1]?.id ?? ''))).toMatchObject(recorded[1] ?? {});
      });

      test('keeps the trace of the request and what is kept apart', async () => {
        const kept = { input: { sha256: sha256('text'), bytes: 4 } };
        const traceId = 'a'.repeat(32);
        await log.write(PLACE, (tx) =>
          log.append(tx, { ...PLACE, stream: 's', traceId, events: [{ ...event('a'), kept }] }),
        );
        expect(await reading()).toMatchObject([{ kept, metadata: { trace_id: traceId } }]);
      });

      test.each([
        ['a stream that must not exist yet', 0],
        ['an end that has passed', 1],
        ['an end that has not come', 3],
      ])('is refused when it expects %s', async (_, expected) => {
        await append('run-1', ['a', 'b']);
        await expect(append('run-1', ['late'], { expected })).rejects.toThrow(StreamMoved);
        expect(typesOf(await reading())).toEqual(['a', 'b']);
        await append('run-1', ['c'], { expected: 2 });
        expect(await streamEnd('run-1')).toBe(3);
      });

      test('lets one of those through who expect the same end', async () => {
        const outcomes = await Promise.allSettled(
          Array.from({ length: 20 }, (_, index) => append('run-1', [`writer ${index}`], { expected: 0 })),
        );
        expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
        expect(await streamEnd('run-1')).toBe(1);
      });

      test('over several streams records all or none', async () => {
        await append('second', ['there']);
        const both = log.write(PLACE, async (tx) => {
          await log.append(tx, { ...PLACE, stream: 'first', expected: 0, events: [event('a')] });
          await log.append(tx, { ...PLACE, stream: 'second', expected: 0, events: [event('b')] });
        });
        await expect(both).rejects.toThrow(StreamMoved);
        expect(typesOf(await reading())).toEqual(['there']);
        expect(await streamEnd('first')).toBe(0);
        expect(await log.read((tx) => tx.all('SELECT stream FROM ends'))).toEqual([{ stream: 'second' }]);
      });

      test('keeps playbooks apart: their streams, read positions and events', async () => {
        const [mine] = await append('run-1', ['mine']);
        await append('run-1', ['theirs'], { place: OTHER, expected: 0 });
        expect(await reading({}, OTHER)).toMatchObject([{ type: 'theirs', position: 1, readPosition: 1 }]);
        expect(await log.read((tx) => selectEvent(tx, OTHER, mine?.id ?? ''))).toBeUndefined();
      });
    });

    describe('the order of reading', () => {
      test('has no gaps although works that share a commit are refused', async () => {
        const outcomes = await Promise.allSettled(
          Array.from({ length: 60 }, (_, index) =>
            log.write(PLACE, async (tx) => {
              await log.append(tx, { ...PLACE, stream: `run-${index}`, events: [event('a'), event('b')] });
              if (index % 3 === 0) throw new Error('refused');
            }),
          ),
        );
        expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(40);
        const positions = (await reading()).map(({ readPosition }) => readPosition);
        expect(positions).toEqual(Array.from({ length: 80 }, (_, index) => index + 1));
        expect(await log.read((tx) => selectReadEnd(tx, PLACE))).toBe(80);
      });

      test('has no gaps, nor has the common stream, whoever is refused and wherever it stands among the works', async () => {
        for (const refused of [[0], [0, 1, 2], [3, 4], [9], [0, 9], [1, 3, 5, 7]]) {
          await Promise.allSettled(
            Array.from({ length: 10 }, (_, index) => {
              const place = index % 4 === 3 ? OTHER : PLACE;
              return log.write(place, async (tx) => {
                await log.append(tx, { ...place, stream: 'events', events: [event('a'), event('b')] });
                await log.append(tx, { ...place, stream: 'events', events: [event('c')] });
                if (refused.includes(index)) throw new Error('refused');
              });
            }),
          );
          await append('events', ['alone']);
        }
        for (const place of [PLACE, OTHER]) {
          const expected = (await reading({}, place)).map((_, index) => index + 1);
          expect((await reading({}, place)).map(({ readPosition }) => readPosition)).toEqual(expected);
          expect((await reading({}, place)).map(({ position }) => position)).toEqual(expected);
          expect(await log.read((tx) => selectReadEnd(tx, place))).toBe(expected.length);
          expect(await log.read((tx) => selectStreamEnd(tx, place, 'events'))).toBe(expected.length);
        }
      });

      test('is that of the common stream to who expects where it ends', async () => {
        const outcomes = await Promise.allSettled([
          append('events', ['a', 'b']),
          append('events', ['c'], { expected: 2 }),
          append('events', ['late'], { expected: 2 }),
          append('events', ['d'], { expected: 3 }),
        ]);
        expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
        expect(typesOf(await reading())).toEqual(['a', 'b', 'c', 'd']);
      });

      test('leaves out what is not listed, which takes no place in it', async () => {
        await append('run-1', ['a']);
        const hidden = { ...PLACE, stream: 'playbook', listed: false, events: [event('hidden')] };
        const [unlisted] = await log.write(PLACE, (tx) => log.append(tx, hidden));
        await append('run-1', ['b']);
        expect((await reading()).map(({ type, readPosition }) => [type, readPosition])).toEqual([
          ['a', 1],
          ['b', 2],
        ]);
        expect(await log.read((tx) => selectEvent(tx, PLACE, unlisted?.id ?? ''))).toBeUndefined();
        expect(await streamEnd('playbook')).toBe(1);
      });

      test('goes on where it ended after reopening', async () => {
        await append('run-1', ['a']);
        log = overStore(await tested.reopen());
        await append('run-1', ['b'], { expected: 1 });
        expect((await reading()).map(({ type, readPosition }) => [type, readPosition])).toEqual([
          ['a', 1],
          ['b', 2],
        ]);
      });
    });

    describe('an end that is remembered', () => {
      test('is that of the last commit, with refused ones in between', async () => {
        await append('run-1', ['a']);
        const refused = log.write(PLACE, async (tx) => {
          await log.append(tx, { ...PLACE, stream: 'run-1', events: [event('refused')] });
          throw new Error('refused');
        });
        await expect(refused).rejects.toThrow('refused');
        await append('run-1', ['b'], { expected: 1 });
        expect((await reading()).map(({ type, position, readPosition }) => [type, position, readPosition])).toEqual([
          ['a', 1, 1],
          ['b', 2, 2],
        ]);
      });

      test.each<[string, number | undefined]>([
        ['run-1', undefined],
        ['run-1', 2],
        ['run-2', 0],
      ])(
        'and that another process has moved is read again by who appends to %s expecting %s',
        async (stream, expected) => {
          await append('run-1', ['a']);
          const [theirs] = await reading();
          await log.write(PLACE, (tx) =>
            tx.run(
              `INSERT INTO events (org, playbook, id, stream, position, read_position, type, at, data, kept, metadata)
             SELECT org, playbook, 'theirs', stream, 2, 2, type, at, data, kept, metadata FROM events WHERE id = $1`,
              [theirs?.id ?? ''],
            ),
          );
          await append(stream, ['b'], expected === undefined ? {} : { expected });
          expect((await reading()).map(({ readPosition }) => readPosition)).toEqual([1, 2, 3]);
          expect(await streamEnd(stream)).toBe(stream === 'run-1' ? 3 : 1);
          await expect(append('run-1', ['late'], { expected: 1 })).rejects.toThrow(StreamMoved);
        },
      );
    });

    describe('an append of more events than a statement takes', () => {
      const types = Array.from({ length: 120 }, (_none, index) => `type ${index}`);

      test('places them in their order, everywhere', async () => {
        await append('run-1', ['a']);
        const recorded = await append('run-1', types);
        expect(recorded.map(({ position }) => position)).toEqual(types.map((_type, index) => index + 2));
        expect((await reading()).slice(1)).toMatchObject(recorded);
      });

      test('is refused whole where one of them has the key of another', async () => {
        const events = types.map((type, index) => ({ ...event(type), key: index === 110 ? 'type 0' : type }));
        const twice = log.write(PLACE, (tx) => log.append(tx, { ...PLACE, stream: 'run-1', expected: 0, events }));
        await expect(twice).rejects.toThrow(UniqueViolation);
        await append('run-1', ['a'], { expected: 0 });
        expect(typesOf(await reading())).toEqual(['a']);
      });
    });

    describe('those who follow', () => {
      test('are told after the commit, of their playbook alone, until they stop', async () => {
        const told: number[] = [];
        const seen: Promise<StoredEvent[]>[] = [];
        const stop = log.onCommit(PLACE, () => {
          told.push(told.length + 1);
          seen.push(reading());
        });
        await log.write(PLACE, async (tx) => {
          await log.append(tx, { ...PLACE, stream: 'run-1', events: [event('a')] });
          expect(told).toEqual([]);
        });
        expect(typesOf((await seen[0]) ?? [])).toEqual(['a']);
        await append('run-1', ['other'], { place: OTHER });
        expect(told).toEqual([1]);
        stop();
        await append('run-1', ['b']);
        expect(told).toEqual([1]);
      });

      test('are not told of what was undone', async () => {
        let told = false;
        log.onCommit(PLACE, () => {
          told = true;
        });
        const refused = log.write(PLACE, async (tx) => {
          await log.append(tx, { ...PLACE, stream: 'run-1', events: [event('a')] });
          throw new Error('refused');
        });
        await Promise.allSettled([refused, append('run-2', ['a'], { place: OTHER })]);
        expect(told).toBe(false);
      });
    });

    describe('pages', () => {
      const since = isoTime(createFakeClock().now() + 1_000);

      test.each<[string, Partial<ReadingPage>, number[]]>([
        ['everything', {}, [1, 2, 3, 4, 5]],
        ['a type', { type: 'a' }, [1, 3]],
        ['a time on', { since }, [3, 4, 5]],
        ['a tree of runs', { tree: 'root' }, [3, 4]],
        ['all of these', { type: 'a', since, tree: 'root' }, [3]],
        ['a type nobody recorded', { type: 'z' }, []],
      ])('of %s can be read to the end, from both sides', async (_, filter, positions) => {
        await recordTree();
        for (const [order, expected] of [
          ['asc', positions],
          ['desc', positions.toReversed()],
        ] as const) {
          for (const limit of [1, 2, 100]) {
            const read: (number | null)[] = [];
            for (let after: number | undefined; ; ) {
              const page = await reading({ ...filter, order, limit, after });
              read.push(...page.map(({ readPosition }) => readPosition));
              if (page.length < limit) break;
              after = page.at(-1)?.readPosition ?? undefined;
            }
            expect(read).toEqual(expected);
          }
        }
      });

      test('of a stream hold its events alone, in both orders', async () => {
        await recordTree();
        expect(await streamPositions('asc')).toEqual([1, 2]);
        expect(await streamPositions('asc', 2)).toEqual([3]);
        expect(await streamPositions('desc')).toEqual([3, 2]);
        expect(await streamPositions('desc', 2)).toEqual([1]);
      });
    });

    describe('a rebuild', () => {
      test('folds the same read tables out of the log, across its pages, and mends what was broken', async () => {
        const types = Array.from({ length: 41 }, (_, index) => `type ${index}`);
        for (let run = 0; run < 30; run += 1)
          await append(`run-${run % 11}`, types, run % 4 === 0 ? { place: OTHER } : {});
        const tables = (): Promise<unknown[]> =>
          log.read((tx) => tx.all('SELECT * FROM ends ORDER BY org, playbook, stream'));
        const before = await tables();
        await log.write(PLACE, (tx) => tx.run(`UPDATE ends SET events = 0, last = 'broken'`));
        expect(await log.rebuild()).toBe(30 * 41);
        expect(await tables()).toEqual(before);
      });
    });

    describe('kept texts', () => {
      test('are kept once a playbook, by the SHA-256 of their UTF-8 bytes', async () => {
        const text = 'grüße \u{1f600}';
        const keep = (place: PlaybookKey): Promise<{ sha256: string; bytes: number }> =>
          log.write(place, (tx) => storeText(tx, place, text));
        const [first] = await Promise.all([keep(PLACE), keep(PLACE), keep(OTHER)]);
        expect(first).toEqual({ sha256: sha256(text), bytes: Buffer.byteLength(text) });
        expect(await log.read((tx) => tx.all('SELECT playbook FROM contents ORDER BY playbook'))).toEqual([
          { playbook: 'sales' },
          { playbook: 'support' },
        ]);
        expect(await log.read((tx) => readText(tx, PLACE, sha256(text)))).toBe(text);
        const elsewhere = { org: 'other', playbook: 'support' };
        await expect(log.read((tx) => readText(tx, elsewhere, sha256(text)))).rejects.toThrow('is missing');
      });
    });
  });
}
