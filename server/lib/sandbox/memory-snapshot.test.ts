import { describe, expect, test } from 'vitest';
import { takeSnapshot } from './memory-snapshot.ts';

const PAGE = 4096;
const PAGES = 12;

/** A memory as a program leaves it: pages 0 and 5 hold something. */
function givenMemory(): { memory: { buffer: ArrayBuffer }; bytes: Uint8Array } {
  const memory = { buffer: new ArrayBuffer(PAGES * PAGE) };
  const bytes = new Uint8Array(memory.buffer);
  bytes.fill(7, 100, 300);
  bytes.fill(9, 5 * PAGE, 6 * PAGE);
  return { memory, bytes };
}

describe('after restore every byte is what it was', () => {
  const places = Array.from({ length: PAGES }, (_, page) => [page * PAGE, (page + 1) * PAGE - 1]).flat();

  test.each(places)('when the byte at %i was changed', (at) => {
    const { memory, bytes } = givenMemory();
    const before = Uint8Array.from(bytes);
    const snapshot = takeSnapshot(memory);
    for (let round = 0; round < 3; round += 1) {
      bytes[at] = 1;
      snapshot.restore();
      expect(Buffer.compare(bytes, before)).toBe(0);
    }
  });

  test('when all of it was changed, alike in every page', () => {
    const { memory, bytes } = givenMemory();
    const before = Uint8Array.from(bytes);
    const snapshot = takeSnapshot(memory);
    for (const value of [1, 255, 0]) {
      bytes.fill(value);
      snapshot.restore();
      expect(Buffer.compare(bytes, before)).toBe(0);
    }
  });

  test('when places changed at random, time after time', () => {
    const { memory, bytes } = givenMemory();
    const before = Uint8Array.from(bytes);
    const snapshot = takeSnapshot(memory);
    for (let round = 0; round < 50; round += 1) {
      for (let count = 0; count < 5; count += 1) bytes[(round * 7919 + count * 104_729) % bytes.length] = round + 1;
      snapshot.restore();
      expect(Buffer.compare(bytes, before)).toBe(0);
    }
  });

  test('and what the memory grew by is zero', () => {
    const { memory, bytes } = givenMemory();
    const snapshot = takeSnapshot(memory);
    const grown = new Uint8Array(2 * PAGES * PAGE);
    grown.set(bytes);
    memory.buffer = grown.buffer;
    const before = Uint8Array.from(grown);
    grown.fill(3);
    snapshot.restore();
    expect(Buffer.compare(grown, before)).toBe(0);
    grown[grown.length - 1] = 1;
    snapshot.restore();
    expect(Buffer.compare(grown, before)).toBe(0);
  });
});

describe('changes that are made again', () => {
  test.each([
    ['a byte in a page that held something', [[5 * PAGE + 77, 1]]],
    ['a byte that becomes zero', [[150, 0]]],
    [
      'the first and the last byte',
      [
        [0, 3],
        [PAGES * PAGE - 1, 4],
      ],
    ],
    ['bytes in many pages', Array.from({ length: PAGES }, (_none, page) => [page * PAGE + page * 300, page + 1])],
    ['no byte', []],
  ] as [string, [number, number][]][])('leave every byte as it was with them: %s', (_name, changed) => {
    const { memory, bytes } = givenMemory();
    const snapshot = takeSnapshot(memory);
    for (const [at, value] of changed) bytes[at] = value;
    const after = Uint8Array.from(bytes);
    const changes = snapshot.changes();
    for (let round = 0; round < 3; round += 1) {
      bytes.fill(round);
      snapshot.restore();
      changes.apply();
      expect(Buffer.compare(bytes, after)).toBe(0);
    }
  });

  test('also in what the memory grew by', () => {
    const { memory, bytes } = givenMemory();
    const snapshot = takeSnapshot(memory);
    const grown = new Uint8Array(2 * PAGES * PAGE);
    grown.set(bytes);
    memory.buffer = grown.buffer;
    grown[PAGES * PAGE + 5] = 6;
    const after = Uint8Array.from(grown);
    const changes = snapshot.changes();
    snapshot.restore();
    expect(Buffer.compare(grown, after)).not.toBe(0);
    changes.apply();
    expect(Buffer.compare(grown, after)).toBe(0);
  });
});
