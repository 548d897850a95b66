import { afterEach, expect, test, vi } from 'vitest';
import { isOnlyInMemory } from '../../ui/browser-storage.ts';
import { answerKey, dropAnswer, keepAnswer, readAnswer } from './answer-drafts.ts';

afterEach(() => void vi.unstubAllGlobals());

/** What a browser keeps, by key; its methods are no keys, as in a browser. */
function givenStore(room = Number.POSITIVE_INFINITY): Record<string, string> {
  const methods = {
    getItem: (key: string) => store[key] ?? null,
    setItem(key: string, text: string) {
      if (text.length > room) throw new Error('The quota is exceeded.');
      store[key] = text;
    },
    removeItem: (key: string) => void delete store[key],
  };
  const store = Object.create(methods) as Record<string, string>;
  vi.stubGlobal('window', { localStorage: store });
  return store;
}

test('a draft belongs to one request and is kept until it is dropped', () => {
  const store = givenStore();
  expect(readAnswer('desk', 'one')).toEqual({});
  keepAnswer('desk', 'one', { answer: { approved: false } });
  expect(readAnswer('desk', 'one')).toEqual({ answer: { approved: false } });
  keepAnswer('desk', 'one', { answer: { approved: false }, broken: '{ "approved": tr' });
  expect(readAnswer('desk', 'one')).toEqual({ answer: { approved: false }, broken: '{ "approved": tr' });
  expect(readAnswer('desk', 'two')).toEqual({});
  expect(readAnswer('other', 'one')).toEqual({});
  dropAnswer('desk', 'one');
  expect(Object.keys(store)).toEqual([]);
});

test('at most a hundred drafts are kept, and only drafts are dropped to make room', () => {
  const store = givenStore();
  store['cuebook draft desk computation/sum'] = '{}';
  for (let run = 0; run < 120; run += 1) keepAnswer('desk', `run-${run}`, { answer: run });
  expect(Object.keys(store)).toHaveLength(101);
  expect(store).toHaveProperty(['cuebook draft desk computation/sum']);
  expect(readAnswer('desk', 'run-119').answer).toBe(119);
});

test('with full storage, the draft lives as long as the page; a broken entry counts as none', () => {
  const store = givenStore(60);
  const long = 'x'.repeat(80);
  keepAnswer('desk', 'one', { answer: long });
  expect(isOnlyInMemory(answerKey('desk', 'one'))).toBe(true);
  expect(readAnswer('desk', 'one').answer).toBe(long);
  dropAnswer('desk', 'one');
  store['cuebook answer desk two'] = '{ "answer"';
  store['cuebook answer desk three'] = '"text"';
  expect(readAnswer('desk', 'two')).toEqual({});
  expect(readAnswer('desk', 'three')).toEqual({});
});
