import { expect, test } from 'vitest';
import { insertionPoints, nearestPoint, wordsOf } from './insertion-points.ts';
import { EMPTY_LIST, type PlacedStep } from './placed-step.ts';

const step = (id: string, y: number, parent?: string): PlacedStep => ({
  step: { id, name: id, type: 'set', line: 1, summary: '', ...(parent === undefined ? {} : { parent }) },
  x: 0,
  y,
  width: 200,
  height: 50,
  isBlock: false,
});

const STEPS = [
  step('start', 0),
  step('/do/0/a', 100),
  step('/do/1/each', 200),
  step('/do/1/each/do/0/in', 40, '/do/1/each'),
  step('/use/functions/f', 600),
  step('end', 700),
];

test('given nested lists, then there is a point before the first and behind each step, and none beside functions', () => {
  const points = insertionPoints(STEPS);
  expect(points.map(({ list, at, x, y }) => [list, at, x, y])).toEqual([
    ['/do', 0, 100, 60],
    ['/do', 1, 100, 160],
    ['/do', 2, 100, 260],
    ['/do/1/each/do', 0, 100, 230],
    ['/do/1/each/do', 1, 100, 300],
  ]);
  expect(points.map(wordsOf)).toEqual(['before a', 'after a', 'after each', 'before in', 'after in']);
});

test('given a workflow without steps, then there is a point behind its start', () => {
  expect(insertionPoints([step('start', 0), step('end', 100)])).toEqual([
    { list: '/do', at: 0, side: 'after', x: 100, y: 60 },
  ]);
});

test('given a list without steps, then there is a point in it', () => {
  const empty = (list: string, of: string): PlacedStep => ({
    ...step(list, 40, of),
    step: { id: list, name: '', type: EMPTY_LIST, line: 0, summary: '', parent: of },
  });
  // Names may be numbers.
  const steps = [step('/do/0/1', 100), empty('/do/0/1/try', '/do/0/1'), empty('/do/0/1/catch/do', '/do/0/1')];
  const points = insertionPoints(steps);
  expect(points.map(({ list, at, within, y }) => [list, at, within, y])).toEqual([
    ['/do', 0, undefined, 90],
    ['/do', 1, undefined, 160],
    ['/do/0/1/try', 0, '/do/0/1', 178],
    ['/do/0/1/catch/do', 0, '/do/0/1', 178],
  ]);
  expect(points.map(wordsOf)).toEqual(['before 1', 'after 1', 'into the try of 1', 'into the catch of 1']);
});

test('given a position, then the nearest point within reach is found', () => {
  const points = insertionPoints(STEPS);
  expect(nearestPoint(points, { x: 90, y: 150 }, 40)).toMatchObject({ list: '/do', at: 1 });
  expect(nearestPoint(points, { x: 90, y: 900 }, 40)).toBeUndefined();
  expect(nearestPoint([], { x: 0, y: 0 }, 40)).toBeUndefined();
});
