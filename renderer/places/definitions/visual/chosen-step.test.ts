import { expect, test } from 'vitest';
import { positionOfPoint } from './chosen-step.ts';

const DRAWN = { list: '/do/0/attempt/catch/do', at: 0, within: '/do/0/attempt', side: 'after' } as const;

test('given a list without steps, then its place follows the step that it is under', () => {
  const moved = { do: [{ first: {} }, { attempt: { try: [], catch: {} } }] };
  expect(positionOfPoint(moved, DRAWN)).toEqual({ list: '/do/1/attempt/catch/do', at: 0 });
  expect(positionOfPoint({ do: [] }, DRAWN)).toEqual({ list: DRAWN.list, at: 0 });
});

test('given a point beside a step, then it stays on its side of the step', () => {
  const source = { do: [{ new: {} }, { a: {} }] };
  const point = { list: '/do', at: 1, beside: '/do/0/a' };
  expect(positionOfPoint(source, { ...point, side: 'after' })).toEqual({ list: '/do', at: 2 });
  expect(positionOfPoint(source, { ...point, at: 0, side: 'before' })).toEqual({ list: '/do', at: 1 });
});
