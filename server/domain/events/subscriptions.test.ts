import { afterEach, beforeEach, expect, test } from 'vitest';
import { openTemporaryStore, type TemporaryStore } from '../../kernel/log/testing.ts';
import {
  type Correlate,
  findSubscribers,
  type PublishedTexts,
  type Interest,
  subscribe,
  subscriptionMigrations,
  unsubscribe,
} from './subscriptions.ts';

const PLACE = { org: 'acme', playbook: 'shop' };
const ANYTHING = { type: null, source: null, subject: null, correlation: null };
const PAID = { type: 'order.paid', source: '/shop', subject: '7' };

let temporary: TemporaryStore;
beforeEach(() => {
  temporary = openTemporaryStore(subscriptionMigrations);
});
afterEach(() => temporary.remove());

function listen(subscriber: string, ...interests: Partial<Interest>[]): Promise<void> {
  const whole = interests.map((interest) => ({ ...ANYTHING, ...interest }));
  return temporary.store.write(PLACE, (tx) =>
    subscribe(tx, PLACE, { reaction: 'run', subscriber, listener: '1' }, whole),
  );
}

async function subscribersOf(event: PublishedTexts, playbookKey = PLACE, correlate: Correlate = () => undefined) {
  const found = await temporary.store.write(PLACE, (tx) => findSubscribers(tx, playbookKey, event, correlate));
  return found.map(({ subscriber }) => subscriber);
}

test('an event finds those whose texts it has, each once and always in the same order', async () => {
  await listen('e', {}, { type: 'order.paid' });
  await listen('d', { type: 'order.paid', source: '/shop', subject: '7' });
  await listen('c', { subject: '7' }, { subject: '8' });
  await listen('b', { source: '/shop' });
  await listen('a', { type: 'order.paid' });
  await listen('other type', { type: 'order.sent' });
  await listen('other subject', { type: 'order.paid', subject: '8' });
  expect(await subscribersOf(PAID)).toEqual(['a', 'b', 'c', 'd', 'e']);
  expect(await subscribersOf({ type: 'x', source: '/x' })).toEqual(['e']);
  expect(await subscribersOf(PAID, { org: 'acme', playbook: 'other' })).toEqual([]);
});

test('who listens no more is not found', async () => {
  await listen('a', { type: 'order.paid' });
  await temporary.store.write(PLACE, (tx) =>
    unsubscribe(tx, PLACE, { reaction: 'run', subscriber: 'a', listener: '1' }),
  );
  expect(await subscribersOf(PAID)).toEqual([]);
});

test('works of one commit find who began to listen in it, and no one who listens no more', async () => {
  const { store } = temporary;
  const found = (): Promise<string[]> =>
    store.write(PLACE, async (tx) =>
      (await findSubscribers(tx, PLACE, PAID, () => undefined)).map(({ subscriber }) => subscriber),
    );
  const refused = store.write(PLACE, async (tx) => {
    await subscribe(tx, PLACE, { reaction: 'run', subscriber: 'refused', listener: '1' }, [ANYTHING]);
    throw new Error('refused');
  });
  const seen = Promise.all([found(), refused.catch(() => 'refused'), found(), listen('a', {}), found()]);
  expect(await seen).toEqual([[], 'refused', [], undefined, ['a']]);
  expect(await found()).toEqual(['a']);
});

test('a subscriber of a value of the data is found by that value, and by every event whose value is unknown', async () => {
  const expects = (sha256: string): Partial<Interest> => ({
    type: 'order.paid',
    correlation: { from: '.order', sha256 },
  });
  await listen('of 7', expects('digest of 7'));
  await listen('of 8', expects('digest of 8'));
  await listen('of any', { type: 'order.paid' });
  const event = { ...PAID, data: { order: 7 } };
  expect(
    await subscribersOf(
      event,
      PLACE,
      (from, data) => `digest of ${(data as { order: number }).order}${from === '.order' ? '' : '?'}`,
    ),
  ).toEqual(['of 7', 'of any']);
  expect(await subscribersOf(event)).toEqual(['of 7', 'of 8', 'of any']);
});
