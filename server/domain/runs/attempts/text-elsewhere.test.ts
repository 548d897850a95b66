import { expect, onTestFinished, test } from 'vitest';
import { createFakeClock } from '../../../lib/clock.ts';
import { yieldToEventLoop } from '../../../lib/event-loop.ts';
import type { TextPiece } from '../durable/invocation.ts';
import { createLiveText, type LiveText } from './live-text.ts';
import { createFollowElsewhere } from './text-elsewhere.ts';

const RUN = { org: 'acme', playbook: 'desk', runId: '0192b3a4-5c6d-7e8f-9a0b-1c2d3e4f5a6b' };
const ATTEMPT = { ...RUN, attempt: 1, holder: 'one' };

/** Two processes: one carries out the attempt, at the other it is followed. Time passes only through `pass`. */
function given() {
  const clock = createFakeClock();
  const sent: string[] = [];
  /** What is not delivered. */
  let isLost = (_topic: string): boolean => false;
  const listeners = { one: (_topic: string): void => {}, other: (_topic: string): void => {} };
  const toward = (to: 'one' | 'other', from: 'one' | 'other') => ({
    announce(topic: string) {
      sent.push(topic);
      if (!isLost(topic)) setImmediate(() => listeners[to](topic));
    },
    onAnnounced: (tell: (topic: string) => void) => void (listeners[from] = tell),
  });
  let text: LiveText | undefined = createLiveText(clock);
  const over = Promise.withResolvers<'ended' | 'abandoned'>();
  const awaitElsewhere = (_attempt: unknown, signal: AbortSignal): Promise<'ended' | 'abandoned'> =>
    Promise.race([
      over.promise,
      new Promise<never>((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('Left.')))),
    ]);
  createFollowElsewhere({
    shared: toward('other', 'one'),
    clock,
    find: () => text && { text: () => text as LiveText },
    awaitElsewhere,
  });
  const followElsewhere = createFollowElsewhere({
    shared: toward('one', 'other'),
    clock,
    find: () => undefined,
    awaitElsewhere,
  });
  async function pass(milliseconds: number): Promise<void> {
    for (let left = milliseconds; left >= 0; left -= 250) {
      for (let turn = 0; turn < 5; turn += 1) await yieldToEventLoop();
      if (left > 0) clock.advance(Math.min(left, 250));
    }
    for (let turn = 0; turn < 5; turn += 1) await yieldToEventLoop();
  }
  return {
    live: text,
    sent,
    pass,
    lose: (what: (topic: string) => boolean) => (isLost = what),
    ends: (how: 'ended' | 'abandoned', says: 'with its last piece' | 'silently' = 'with its last piece'): void => {
      if (says === 'with its last piece') text?.end();
      text = undefined;
      over.resolve(how);
    },
    follow: () => {
      const leaving = new AbortController();
      onTestFinished(() => leaving.abort());
      const pieces: TextPiece[] = [];
      let isOver = false;
      void (async () => {
        for await (const piece of followElsewhere(ATTEMPT, leaving.signal)) pieces.push(piece);
        isOver = true;
      })();
      return { pieces, leave: () => leaving.abort(), isOver: () => isOver, shown: () => joined(pieces) };
    },
  };
}

/** The text as a client shows it. */
function joined(pieces: readonly TextPiece[]): string {
  return pieces.reduce((shown, { from, text }) => shown.slice(0, from) + text, '');
}

const pieces = (sent: readonly string[]): string[] => sent.filter((topic) => topic.startsWith('text piece'));

test('followers get the text so far, what is added, and the end with the last piece', async () => {
  const { live, follow, pass, ends } = given();
  live.begin();
  live.add('Hello ');
  const first = follow();
  await pass(0);
  expect(first.pieces).toEqual([{ from: 0, text: 'Hello ' }]);
  live.add('you');
  await pass(500);
  const second = follow();
  await pass(500);
  expect(second.pieces).toEqual([{ from: 0, text: 'Hello you' }]);
  live.add('.');
  ends('ended');
  expect(first.isOver()).toBe(false);
  await pass(500);
  for (const { isOver, shown } of [first, second]) {
    expect(shown()).toBe('Hello you.');
    expect(isOver()).toBe(true);
  }
});

test('the followers of one process cost one sending, at most four times a second', async () => {
  const { live, follow, pass, sent } = given();
  live.begin();
  const followers = [follow(), follow(), follow()];
  await pass(0);
  for (let count = 0; count < 40; count += 1) {
    live.add('x');
    await pass(25);
  }
  await pass(500);
  for (const { shown } of followers) expect(shown()).toBe('x'.repeat(40));
  // The time that passed is 1.5 seconds.
  expect(pieces(sent).length).toBeLessThanOrEqual(8);
  expect(sent.length - pieces(sent).length).toBe(1);
});

test('a text that starts over starts over there', async () => {
  const { live, follow, pass } = given();
  live.begin();
  live.add('first');
  const { pieces: came, shown } = follow();
  await pass(500);
  live.begin();
  await pass(500);
  expect(came.at(-1)).toEqual({ from: 0, text: '' });
  live.add('second');
  await pass(500);
  expect(shown()).toBe('second');
});

test.each([
  ['signs that JSON escapes', '\u0001"\\\n'.repeat(2000)],
  ['characters of several bytes and halves', `x${'😀語'.repeat(4000)}`],
])('a long text of %s comes whole, in notifications that PostgreSQL takes', async (_what, long) => {
  const { live, follow, pass, sent } = given();
  live.begin();
  live.add(long);
  const { shown } = follow();
  await pass(500);
  expect(shown()).toBe(long);
  expect(pieces(sent).length).toBeGreaterThan(1);
  for (const topic of sent) expect(Buffer.byteLength(JSON.stringify(topic))).toBeLessThan(7500);
});

test('of a text whose beginning was dropped, what is kept comes with its position', async () => {
  const { live, follow, pass } = given();
  live.begin();
  for (let part = 0; part < 3; part += 1) live.add(`${part}`.repeat(65_536));
  const { pieces: came } = follow();
  await pass(500);
  const [first] = came;
  expect(first?.from).toBeGreaterThan(0);
  expect((first?.from ?? 0) + came.reduce((length, { text }) => length + text.length, 0)).toBe(3 * 65_536);
});

test('after a lost piece the text comes from its beginning', async () => {
  const { live, follow, pass, lose } = given();
  live.begin();
  live.add('one ');
  const { shown } = follow();
  await pass(500);
  lose((topic) => topic.includes('two'));
  live.add('two ');
  await pass(500);
  lose(() => false);
  live.add('three ');
  await pass(1000);
  expect(shown()).toBe('one two three ');
});

test('a lost request is repeated', async () => {
  const { live, follow, pass, lose } = given();
  live.begin();
  live.add('Hello');
  lose(() => true);
  const { shown } = follow();
  await pass(1000);
  expect(shown()).toBe('');
  lose(() => false);
  await pass(5000);
  expect(shown()).toBe('Hello');
});

test('nothing is sent once nobody has followed for 15 seconds, and a follower who stays gets everything', async () => {
  const { live, follow, pass, sent } = given();
  live.begin();
  live.add('a');
  const { leave, shown } = follow();
  await pass(60_000);
  live.add('b');
  await pass(500);
  expect(shown()).toBe('ab');
  leave();
  await pass(16_000);
  const before = sent.length;
  live.add('c');
  await pass(20_000);
  expect(sent.length).toBe(before);
});

test.each(['ended', 'abandoned'] as const)(
  'the stream of an attempt that %s without a last piece ends',
  async (how) => {
    const { live, follow, pass, ends } = given();
    live.begin();
    live.add('Hel');
    const { isOver, shown } = follow();
    await pass(500);
    ends(how, 'silently');
    await pass(1500);
    expect(isOver()).toBe(true);
    expect(shown()).toBe('Hel');
  },
);
