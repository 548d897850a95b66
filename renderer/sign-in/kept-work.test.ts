import { afterEach, expect, test, vi } from 'vitest';
import { writeStored } from '../ui/browser-storage.ts';
import { deleteWork, keptDrafts, TAB_DRAFTS, workKey } from './kept-work.ts';

afterEach(() => void vi.unstubAllGlobals());

/** The storage of a browser; its methods are not keys. */
function storage(): object {
  const methods = {
    setItem: (key: string, text: string) => void (store[key] = text),
    removeItem: (key: string) => void delete store[key],
  };
  const store = Object.create(methods) as Record<string, string>;
  return store;
}

const local = { isLocal: true, org: () => 'local' };
const acme = { isLocal: false, org: () => 'acme' };
const globex = { isLocal: false, org: () => 'globex' };
const DRAFT = 'draft desk computation/sum';

test('work belongs to an org, except in local mode', () => {
  expect([local, acme, globex].map((owner) => workKey(DRAFT, owner))).toEqual([
    `cuebook ${DRAFT}`,
    `cuebook org acme ${DRAFT}`,
    `cuebook org globex ${DRAFT}`,
  ]);
});

test('deleting the work of an org leaves that of others, and everything else', () => {
  const kept = { localStorage: storage(), sessionStorage: storage() };
  vi.stubGlobal('window', kept);
  for (const owner of [local, acme, globex]) {
    writeStored('localStorage', workKey(DRAFT, owner), { base: 1, text: '' });
    writeStored('localStorage', workKey('answer desk one', owner), { at: 1 });
    writeStored('sessionStorage', workKey('run input desk computation/sum', owner), { value: {} });
    writeStored('sessionStorage', workKey('tool input desk shop/place_order', owner), { value: {} });
    writeStored('sessionStorage', workKey(`${TAB_DRAFTS}desk computation/sum`, owner), { base: 1, text: '' });
  }
  writeStored('localStorage', 'cuebook runs again', []);
  expect([local, acme].map((owner) => keptDrafts(owner).length)).toEqual([2, 2]);
  deleteWork(acme);
  expect([local, acme, globex].map((owner) => keptDrafts(owner).length)).toEqual([2, 0, 2]);
  expect(Object.keys(kept.sessionStorage)).toHaveLength(6);
  expect(Object.keys(kept.localStorage)).toContain('cuebook runs again');
});

test('work that a full storage could not take is found and deleted as well', () => {
  const full = {
    setItem() {
      throw new Error('full');
    },
    getItem: () => null,
    removeItem: () => undefined,
  };
  vi.stubGlobal('window', { localStorage: Object.create(full), sessionStorage: storage() });
  writeStored('localStorage', workKey(DRAFT, acme), { base: 1, text: '' });
  expect(keptDrafts(acme)).toHaveLength(1);
  deleteWork(acme);
  expect(keptDrafts(acme)).toEqual([]);
});
