import { expect, test } from 'vitest';
import { type DraftStore, dropAnswer, keepAnswer, readAnswer } from './answer-drafts.ts';

function createStore(room = Number.POSITIVE_INFINITY): DraftStore & { texts: Map<string, string> } {
  const texts = new Map<string, string>();
  return {
    texts,
    get length() {
      return texts.size;
    },
    key: (index) => [...texts.keys()][index] ?? null,
    getItem: (key) => texts.get(key) ?? null,
    setItem(key, text) {
      if (text.length > room) throw new Error('The quota is exceeded.');
      texts.set(key, text);
    },
    removeItem: (key) => void texts.delete(key),
  };
}

test('a draft is kept for its request alone, until it is dropped', () => {
  const store = createStore();
  expect(readAnswer(store, 'desk', 'one')).toBeUndefined();
  expect(keepAnswer(store, 'desk', 'one', { approved: false })).toBe(true);
  expect(readAnswer(store, 'desk', 'one')).toEqual({ approved: false });
  expect(readAnswer(store, 'desk', 'two')).toBeUndefined();
  expect(readAnswer(store, 'other', 'one')).toBeUndefined();
  dropAnswer(store, 'desk', 'one');
  expect(store.texts.size).toBe(0);
});

test('no more than a hundred are kept, and nothing but drafts is dropped for room', () => {
  const store = createStore();
  store.texts.set('cuebook draft desk computation/sum', '{}');
  for (let run = 0; run < 120; run += 1) keepAnswer(store, 'desk', `run-${run}`, run);
  expect(store.texts.size).toBe(101);
  expect(store.texts.has('cuebook draft desk computation/sum')).toBe(true);
  expect(readAnswer(store, 'desk', 'run-119')).toBe(119);
});

test('a browser without room says so, and a broken entry counts as none', () => {
  const store = createStore(60);
  expect(keepAnswer(store, 'desk', 'one', 'x'.repeat(80))).toBe(false);
  store.texts.set('cuebook answer desk two', '{ "answer"');
  store.texts.set('cuebook answer desk three', '"text"');
  expect(readAnswer(store, 'desk', 'two')).toBeUndefined();
  expect(readAnswer(store, 'desk', 'three')).toBeUndefined();
});
