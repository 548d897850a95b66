// The positions of a graph where a step can be inserted or dropped: behind each step, before the first one of each list, and in
// each list without steps.
import { absolutePositions, type PositionedStep } from './initial-viewport.ts';
import { EMPTY_LIST, type PlacedStep } from './placed-step.ts';
import { type ListPosition, positionOfStep } from './step-position.ts';

export interface InsertionPoint extends ListPosition {
  /** The step beside the point; absent if the list is empty. */
  beside?: string;
  /** In an empty list: the step that the list is under; absent for the list of the workflow. */
  within?: string;
  side: 'before' | 'after';
  /** The centre of the point, in pixels of a graph that goes down. */
  x: number;
  y: number;
}

/** Pixels between a step and the point before or behind it. The layout leaves more. */
const DISTANCE = 10;
/** Of the button of a point, in pixels. In an empty list it stands at the bottom. */
const BUTTON_HEIGHT = 24;

/** The members of a step whose lists have other names than the step. */
const MEMBERS: Readonly<Record<string, string>> = { '/try': 'try', '/catch/do': 'catch', '/foreach/do': 'foreach' };

/** The points of a graph, by list, in order. */
export function insertionPoints(steps: readonly PlacedStep[]): InsertionPoint[] {
  const positions = absolutePositions(steps);
  const lists = Map.groupBy(
    [...positions.values()].flatMap((positioned) => {
      if (positioned.step.step.type === EMPTY_LIST) return [];
      const position = positionOfStep(positioned.step.step.id);
      return position === undefined ? [] : [{ ...position, positioned }];
    }),
    ({ list }) => list,
  );
  const start = positions.get('start');
  // A workflow without steps.
  if (!lists.has('/do')) return start === undefined ? [] : [{ list: '/do', at: 0, side: 'after', ...below(start) }];
  const beside = [...lists].flatMap(([list, unordered]): InsertionPoint[] => {
    const own = unordered.toSorted((one, other) => one.at - other.at);
    const [first] = own;
    if (first === undefined) return [];
    const begin = list === '/do' && start !== undefined ? below(start) : above(first.positioned);
    return [
      { list, at: 0, side: 'before', beside: first.positioned.step.step.id, ...begin },
      ...own.map(({ at, positioned }) => ({
        list,
        at: at + 1,
        side: 'after' as const,
        beside: positioned.step.step.id,
        ...below(positioned),
      })),
    ];
  });
  const within = [...positions.values()].flatMap(({ step: { step, width, height }, x, y }): InsertionPoint[] => {
    if (step.type !== EMPTY_LIST || step.parent === undefined) return [];
    const centre = { x: x + width / 2, y: y + height - BUTTON_HEIGHT / 2 };
    return [{ list: step.id, at: 0, side: 'after', within: step.parent, ...centre }];
  });
  return [...beside, ...within];
}

/** The member of a step that holds a list, if it says more than that there are steps: `catch`. */
export function memberOfList(list: string, step: string): string | undefined {
  return MEMBERS[list.slice(step.length)];
}

/** Where a point is, in words. */
export function wordsOf({
  list,
  beside,
  within,
  side,
}: Pick<InsertionPoint, 'list' | 'beside' | 'within' | 'side'>): string {
  if (within !== undefined) {
    const member = memberOfList(list, within);
    return `into ${member === undefined ? '' : `the ${member} of `}${positionOfStep(within)?.name ?? within}`;
  }
  const name = beside === undefined ? undefined : positionOfStep(beside)?.name;
  return name === undefined ? 'here' : `${side} ${name}`;
}

/** The point nearest to a position, within `reach` pixels; undefined if there is none. */
export function nearestPoint(
  points: readonly InsertionPoint[],
  { x, y }: { x: number; y: number },
  reach: number,
): InsertionPoint | undefined {
  const distanceOf = (point: InsertionPoint): number => Math.hypot(point.x - x, point.y - y);
  const [nearest] = points.toSorted((one, other) => distanceOf(one) - distanceOf(other));
  return nearest !== undefined && distanceOf(nearest) <= reach ? nearest : undefined;
}

function above({ x, y, step }: PositionedStep): { x: number; y: number } {
  return { x: x + step.width / 2, y: y - DISTANCE };
}

function below({ x, y, step }: PositionedStep): { x: number; y: number } {
  return { x: x + step.width / 2, y: y + step.height + DISTANCE };
}
