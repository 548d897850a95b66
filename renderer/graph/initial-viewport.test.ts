import { expect, test } from 'vitest';
import { initialViewport } from './initial-viewport.ts';
import type { PlacedStep } from './placed-step.ts';

const step = (id: string, at: { x: number; y: number }, parent?: string): PlacedStep => ({
  step: { id, name: id, type: 'set', line: 1, summary: '', ...(parent === undefined ? {} : { parent }) },
  ...at,
  width: 200,
  height: 50,
  isBlock: false,
});

test('given a graph that fits, then it is centred', () => {
  const viewport = initialViewport([step('a', { x: 0, y: 0 })], { width: 400, height: 250 }, { direction: 'right' });
  expect(viewport).toEqual({ zoom: 1, x: 100, y: 100 });
});

test('given a long graph, then its start or the step in focus is shown, without empty space beyond the margin', () => {
  const long = [step('a', { x: 0, y: 0 }), step('b', { x: 2_000, y: 0 }), step('c', { x: 3_800, y: 0 })];
  const size = { width: 800, height: 250 };
  const first = initialViewport(long, size, { direction: 'right' });
  expect(first).toMatchObject({ zoom: 0.75, x: 20 });
  const middle = initialViewport(long, size, { direction: 'right', focus: 'b' });
  expect(middle.x + 2_100 * middle.zoom).toBe(400);
  const last = initialViewport(long, size, { direction: 'right', focus: 'c' });
  expect(last.x + 4_000 * last.zoom).toBe(780);
});

test('given a step in a block, then its position includes that of the block', () => {
  const steps = [
    step('block', { x: 3_000, y: 0 }),
    step('inner', { x: 10, y: 10 }, 'block'),
    step('z', { x: 9_000, y: 0 }),
  ];
  const { x, zoom } = initialViewport(steps, { width: 800, height: 250 }, { direction: 'right', focus: 'inner' });
  expect(x + 3_110 * zoom).toBe(400);
});
