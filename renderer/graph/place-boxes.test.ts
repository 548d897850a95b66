import { expect, test } from 'vitest';
import { type Box, type BoxEdge, placeBoxes } from './place-boxes.ts';

const boxesOf = (...ids: string[]): Box[] => ids.map((id) => ({ id, width: 100, height: 40 }));
const edgesOf = (...pairs: string[]): BoxEdge[] => pairs.map((pair) => ({ from: pair[0] ?? '', to: pair[1] ?? '' }));

test('a sequence is a line', () => {
  const boxes = boxesOf('a', 'b', 'c').map((box) => (box.id === 'b' ? { ...box, width: 300 } : box));
  const { centres, size } = placeBoxes(boxes, edgesOf('ab', 'bc'), 'down');
  expect(Object.fromEntries(centres)).toEqual({ a: { x: 150, y: 20 }, b: { x: 150, y: 94 }, c: { x: 150, y: 168 } });
  expect(size).toEqual({ width: 300, height: 188 });
  const right = placeBoxes(boxes, edgesOf('ab', 'bc'), 'right');
  expect([...right.centres.values()].map(({ x, y }) => [x, y])).toEqual([
    [50, 20],
    [284, 20],
    [518, 20],
  ]);
  expect(right.size).toEqual({ width: 568, height: 40 });
});

test('branches are beside each other, between the boxes before and after them', () => {
  const { centres, size } = placeBoxes(
    boxesOf('a', 'b', 'c', 'd', 'e', 'f'),
    edgesOf('ab', 'bc', 'bd', 'ce', 'de', 'ef'),
    'down',
  );
  const at = (id: string) => centres.get(id) ?? { x: 0, y: 0 };
  expect(at('c').y).toBe(at('d').y);
  expect(Math.abs(at('c').x - at('d').x)).toBeGreaterThanOrEqual(128);
  for (const [above, below] of ['ab', 'bc', 'ce', 'ef']) expect(at(below ?? '').y - at(above ?? '').y).toBe(74);
  expect(at('a').x).toBe(at('b').x);
  expect(at('e').x).toBe(at('f').x);
  for (const { x } of centres.values()) {
    expect(x).toBeGreaterThanOrEqual(50);
    expect(x).toBeLessThanOrEqual(size.width - 50);
  }
});

test('boxes without an edge between them are beside each other', () => {
  const { centres } = placeBoxes(boxesOf('a', 'b'), [], 'down');
  expect(centres.get('a')?.y).toBe(centres.get('b')?.y);
});

test('the label of an edge has room', () => {
  const label = { width: 60, height: 18 };
  const { centres } = placeBoxes(boxesOf('a', 'b'), [{ from: 'a', to: 'b', label }], 'down');
  expect((centres.get('b')?.y ?? 0) - (centres.get('a')?.y ?? 0)).toBeGreaterThanOrEqual(40 + 18);
});

test.each(['down', 'right'] as const)(
  'an edge that passes a box has a lane beside it in a graph that goes %s',
  (direction) => {
    const boxes = boxesOf('a', 'b', 'c');
    const { centres, lanes } = placeBoxes(boxes, edgesOf('ab', 'bc', 'ac'), direction);
    const [lane, ...more] = lanes;
    expect(lane).toMatchObject({ from: 'a', to: 'c' });
    expect(more).toEqual([]);
    const [axis, breadth] = direction === 'down' ? (['x', 100] as const) : (['y', 40] as const);
    const at = (id: string): number => centres.get(id)?.[axis] ?? 0;
    expect(Math.abs(at('a') + (lane?.beside ?? 0) - at('b'))).toBeGreaterThan(breadth / 2);
  },
);

test.each([
  ['a sequence', []],
  ['a sequence that leads back to its first box', [{ from: 'n1999', to: 'n0' }]],
])('%s of 2,000 boxes is placed', (_, more) => {
  const boxes = boxesOf(...Array.from({ length: 2_000 }, (_value, index) => `n${index}`));
  const edges = boxes.slice(1).map(({ id }, index) => ({ from: `n${index}`, to: id }));
  expect(placeBoxes(boxes, [...edges, ...more], 'down').size).toEqual({ width: 100, height: 2_000 * 40 + 1_999 * 34 });
});
