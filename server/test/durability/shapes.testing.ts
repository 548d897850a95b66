// What workflows are made of, as plain data that fast-check generates and shrinks.
//
// 1. How a workflow ends, and what its steps come to, follows from the document alone: whatever could come in
//    another order has no part in it. The only exceptions stand below steps that are named `race...` or `effect...`.
// 2. Every step takes an object with a number `n` and gives one back.
import fc from 'fast-check';

export type Shape =
  | { is: 'set'; n: number; if: boolean }
  | { is: 'wait'; seconds: number }
  | { is: 'compute'; k: number; bounded: boolean }
  | { is: 'call'; child: number; by: 'call' | 'run' | 'run and go on' }
  | { is: 'listen'; mode: Mode; wants: 'one' | 'all' | 'two'; each: Shape[] }
  | { is: 'emit'; isTwin: boolean }
  | { is: 'effect'; mayRepeat: boolean }
  | { is: 'ask'; isAnswered: boolean }
  | { is: 'do'; steps: Shape[]; bounded: boolean; exits: boolean }
  | { is: 'for'; times: number; steps: Shape[] }
  | { is: 'long for'; times: number }
  | { is: 'again'; times: number; steps: Shape[] }
  | { is: 'fork'; branches: Shape[][] }
  | { is: 'won fork'; winner: Shape[]; losers: Loser[] }
  | { is: 'race'; rivals: Shape[][] }
  | { is: 'try'; steps: Shape[]; fails: Failure; retries: number; seconds: number; handler: Shape[] }
  | { is: 'flaky try'; failures: number; seconds: number; steps: Shape[] }
  | { is: 'switch'; to: 'continue' | 'exit' | 'next but one'; steps: Shape[] }
  | { is: 'raise' }
  | { is: 'end' };

export type Mode = 'sent' | 'published';
/** What makes a try fail; `no`: nothing does. */
export type Failure = 'no' | 'raise' | 'refused computation' | 'misfit computation' | 'timeout' | 'failing child';
/** What waits for what does not come. */
export type Loser = 'long wait' | 'listen' | 'child' | 'try';

/** Where a step stands: what may stand there. */
interface Surroundings {
  depth: number;
  /** Beside others: an error or an end here would cut the others off at some moment of theirs. */
  isBeside: boolean;
  /** In a race: what is done here may be cut off, so nobody else must see it. */
  isRacing: boolean;
  children: number;
}

const SECONDS = fc.constantFrom(0, 0, 1, 30, 3600, 20_000);
const MODE = fc.constantFrom<Mode>('sent', 'published');

function plainShape({ isBeside, isRacing, children }: Surroundings): fc.Arbitrary<Shape> {
  return fc.oneof(
    { weight: 3, arbitrary: fc.record({ is: fc.constant('set' as const), n: fc.nat(9), if: fc.boolean() }) },
    { weight: 3, arbitrary: fc.record({ is: fc.constant('wait' as const), seconds: SECONDS }) },
    {
      weight: 3,
      arbitrary: fc.record({ is: fc.constant('compute' as const), k: fc.nat(9), bounded: fc.boolean() }),
    },
    {
      weight: children > 0 ? 3 : 0,
      arbitrary: fc.record({
        is: fc.constant('call' as const),
        child: fc.nat(Math.max(0, children - 1)),
        by: fc.constantFrom('call' as const, 'run' as const, 'run and go on' as const),
      }),
    },
    {
      weight: 3,
      arbitrary: fc.record({
        is: fc.constant('listen' as const),
        mode: MODE,
        wants: fc.constantFrom('one' as const, 'all' as const, 'two' as const),
        each: fc.constant<Shape[]>([]),
      }),
    },
    {
      weight: isRacing ? 0 : 1,
      arbitrary: fc.record({ is: fc.constant('emit' as const), isTwin: fc.boolean() }),
    },
    { weight: 2, arbitrary: fc.record({ is: fc.constant('effect' as const), mayRepeat: fc.boolean() }) },
    { weight: 2, arbitrary: fc.record({ is: fc.constant('ask' as const), isAnswered: fc.boolean() }) },
    { weight: 1, arbitrary: fc.record({ is: fc.constant('long for' as const), times: fc.constantFrom(3, 70, 140) }) },
    { weight: isBeside ? 0 : 1, arbitrary: fc.constantFrom<Shape>({ is: 'raise' }, { is: 'end' }) },
  );
}

function nestedShape(here: Surroundings): fc.Arbitrary<Shape> {
  const steps = stepsOf({ ...here, depth: here.depth - 1 });
  const beside = stepsOf({ ...here, depth: here.depth - 1, isBeside: true });
  const racing = stepsOf({ ...here, depth: here.depth - 1, isBeside: true, isRacing: true });
  return fc.oneof(
    fc.record({ is: fc.constant('do' as const), steps, bounded: fc.boolean(), exits: fc.boolean() }),
    fc.record({ is: fc.constant('for' as const), times: fc.nat(3), steps }),
    fc.record({ is: fc.constant('again' as const), times: fc.integer({ min: 1, max: 3 }), steps: beside }),
    fc.record({
      is: fc.constant('fork' as const),
      branches: fc.array(beside, { minLength: 1, maxLength: 3 }),
    }),
    fc.record({
      is: fc.constant('won fork' as const),
      winner: beside,
      losers: fc.array(
        fc.constantFrom<Loser>('long wait', 'listen', 'try', ...(here.children > 0 ? ['child' as const] : [])),
        {
          minLength: 1,
          maxLength: 2,
        },
      ),
    }),
    fc.record({
      is: fc.constant('race' as const),
      rivals: fc.array(racing, { minLength: 2, maxLength: 3 }),
    }),
    fc.record({
      is: fc.constant('try' as const),
      steps: beside,
      fails: fc.constantFrom<Failure>(
        'no',
        'raise',
        'refused computation',
        'misfit computation',
        'timeout',
        ...(here.children > 0 ? ['failing child' as const] : []),
      ),
      retries: fc.nat(2),
      seconds: SECONDS,
      handler: steps,
    }),
    fc.record({
      is: fc.constant('flaky try' as const),
      failures: fc.nat(2),
      seconds: SECONDS,
      steps: beside,
    }),
    fc.record({
      is: fc.constant('switch' as const),
      to: fc.constantFrom('continue' as const, 'exit' as const, 'next but one' as const),
      steps,
    }),
    fc.record({
      is: fc.constant('listen' as const),
      mode: MODE,
      wants: fc.constantFrom('one' as const, 'all' as const, 'two' as const),
      each: steps,
    }),
  );
}

function shapeOf(here: Surroundings): fc.Arbitrary<Shape> {
  const plain = plainShape(here);
  if (here.depth <= 0) return plain;
  return fc.oneof({ weight: 3, arbitrary: plain }, { weight: 2, arbitrary: nestedShape(here) });
}

/** Steps that run one after the other. */
function stepsOf(here: Surroundings): fc.Arbitrary<Shape[]> {
  return fc.array(shapeOf(here), { minLength: 1, maxLength: 3 });
}

/** The steps of a workflow, and of those that it calls; a child calls those that come after it. */
export interface Shapes {
  main: Shape[];
  children: Shape[][];
}

export const shapes: fc.Arbitrary<Shapes> = fc.record({
  main: stepsOf({ depth: 3, isBeside: false, isRacing: false, children: 2 }),
  children: fc.tuple(
    stepsOf({ depth: 1, isBeside: true, isRacing: true, children: 0 }),
    stepsOf({ depth: 1, isBeside: true, isRacing: true, children: 0 }),
  ),
});
