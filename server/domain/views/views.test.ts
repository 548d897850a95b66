import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { asOwnWork } from '../../lib/own-work.ts';
import { unavailable } from '../../lib/rejection.ts';
import type { ReadFilter } from '../../kinds/checked.ts';
import { createKeptViews, createTestSandbox, type KeptViews, PLACE, type TestSandbox } from './kept-views.testing.ts';

let sandbox: TestSandbox;
beforeAll(() => {
  sandbox = createTestSandbox();
});
afterAll(() => sandbox.close());

const attribute = fc.constantFrom('a', 'b');
const events: fc.Arbitrary<{ type?: string; source?: string; subject?: string }> = fc.oneof(
  fc.constant({}),
  fc.record({ type: attribute }),
  fc.record({ type: attribute, source: attribute, subject: attribute }, { requiredKeys: [] }),
);
const program = fc.constantFrom('one', 'two');
const filter: fc.Arbitrary<ReadFilter> = fc.oneof(
  { weight: 4, arbitrary: events.map((fields) => ({ events: fields })) },
  { weight: 1, arbitrary: program.map((name) => ({ runs: { subject: `computation/${name}` } })) },
  { weight: 1, arbitrary: program.map((name) => ({ changes: { source: `computation/${name}` } })) },
);
const version = fc.record({
  reads: fc.array(filter, { minLength: 1, maxLength: 3 }),
  poison: fc.oneof(
    { weight: 3, arbitrary: fc.constant(-1) },
    { weight: 1, arbitrary: fc.integer({ min: 1, max: 30 }) },
  ),
});
const view = fc.nat({ max: 2 });
const crash = fc.option(fc.record({ after: fc.nat({ max: 4 }), isKept: fc.boolean() }), { nil: undefined });

type Step = (views: KeptViews) => Promise<unknown>;
const publish = fc.record({ type: attribute, source: attribute, subject: attribute });
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.array(publish, { minLength: 1, maxLength: 12, size: 'max' }).map((all) => publishAll(all)),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(program, fc.boolean()).map(
      (given): Step =>
        (views) =>
          views.run(...given),
    ),
  },
  {
    weight: 1,
    arbitrary: program.map(
      (name): Step =>
        (views) =>
          views.change(name),
    ),
  },
  {
    weight: 3,
    arbitrary: fc.tuple(view, version).map(
      (given): Step =>
        (views) =>
          views.save(...given),
    ),
  },
  {
    weight: 5,
    arbitrary: crash.map(
      (given): Step =>
        (views) =>
          views.work(given),
    ),
  },
  { weight: 1, arbitrary: fc.constant<Step>((views) => views.restart()) },
  {
    weight: 2,
    arbitrary: view.map(
      (given): Step =>
        (views) =>
          isAsExpected(views, given),
    ),
  },
);

/** On PostgreSQL each case makes a schema. */
const CASES = process.env['POSTGRES_FOR_TESTS'] === undefined ? 40 : 20;

function publishAll(all: readonly { type: string; source: string; subject: string }[]): Step {
  return (views) => views.publish(...all);
}

/** A view is a plain fold over the filtered log: each event once, in order, up to the one at which it stalls. */
async function isAsExpected(views: KeptViews, index: number): Promise<void> {
  const asked = await views.ask(index);
  if (asked === undefined) return;
  const { met, ids, expected } = asked;
  expect(ids).toEqual(expected.ids);
  const name = ['first', 'second', 'third'][index] ?? '';
  const standing = await views.views().standing({ ...PLACE, name });
  expect(standing).toMatchObject({ behind: expected.behind });
  const stands = expected.stalledBy === undefined ? 'current' : 'stalled';
  expect([met.standing, standing?.state]).toEqual([stands, stands]);
  expect(standing?.stalled_by?.event_id).toBe(expected.stalledBy);
}

test('a view is a plain fold over the events that it keeps, whatever crashes and changes between', async () => {
  let cases = 0;
  const property = fc.asyncProperty(
    fc.array(step, { minLength: 10, maxLength: 30, size: 'max' }),
    fc.integer({ min: 1, max: 6 }),
    async (steps, mostEvents) => {
      cases += 1;
      const views = await createKeptViews(sandbox, mostEvents);
      try {
        for (const one of steps) await one(views);
        for (const index of [0, 1, 2]) await isAsExpected(views, index);
      } finally {
        await views.close();
      }
    },
  );
  await fc.assert(property, { numRuns: CASES });
  expect(cases).toBe(CASES);
}, 120_000);

test.each([1, 3, 500])('a poison event stalls its view alone, in batches of %i', async (mostEvents) => {
  const views = await createKeptViews(sandbox, mostEvents);
  try {
    await views.save(0, { reads: [{ events: {} }], poison: 5 });
    await views.save(1, { reads: [{ events: {} }], poison: -1 });
    await views.save(2, { reads: [{ events: { type: 'other' } }], poison: 5 });
    await publishAll(Array.from({ length: 9 }, () => ({ type: 'a', source: 'a', subject: 'a' })))(views);
    for (const index of [0, 1, 2]) await isAsExpected(views, index);
    expect(await views.views().standing({ ...PLACE, name: 'first' })).toMatchObject({ state: 'stalled', behind: 5 });
    await views.restart();
    await views.save(0, { reads: [{ events: {} }], poison: -1 });
    for (const index of [0, 1, 2]) await isAsExpected(views, index);
  } finally {
    await views.close();
  }
});

const EVENT = { type: 'a', source: 'a', subject: 'a' };
const first = (views: KeptViews) => views.views().standing({ ...PLACE, name: 'first' });

/** A view that is current, and whose next batch does not end until it is released. */
async function givenHeldBatch(): Promise<{
  views: KeptViews;
  /** When the batch is at work. */
  begun: Promise<void>;
  batches: () => number;
  goOn: PromiseWithResolvers<void>;
}> {
  const [begun, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let isHeld = false;
  let batches = 0;
  const fold: TestSandbox['fold'] = async (folding) => {
    if (isHeld) {
      batches += 1;
      begun.resolve();
      await goOn.promise;
    }
    return sandbox.fold(folding);
  };
  const views = await createKeptViews({ ...sandbox, fold }, 2);
  await views.publish(EVENT);
  await views.save(0, { reads: [{ events: {} }], poison: -1 });
  await expect.poll(() => first(views), { timeout: 20_000 }).toMatchObject({ state: 'current', behind: 0 });
  isHeld = true;
  await views.publish(EVENT);
  return { views, begun: begun.promise, batches: () => batches, goOn };
}

test('a run waits ten seconds for its view, also where a batch takes longer; those that left leave no work', async () => {
  const { views, begun, batches, goOn } = await givenHeldBatch();
  try {
    for (const _caller of [1, 2, 3]) {
      const asked = views.ask(0);
      await begun;
      // Whatever reads the store now is answered behind the run.
      await first(views);
      views.advance(10_000);
      expect((await asked)?.met.standing).toBe('building');
    }
    goOn.reject(unavailable('Other programs keep every worker.'));
    await views.views().stop();
    expect(batches()).toBe(1);
  } finally {
    await views.close();
  }
});

test("a run that the runtime started waits for its view's turn without a limit", async () => {
  const { views, begun, goOn } = await givenHeldBatch();
  try {
    const asked = asOwnWork({}, () => views.ask(0));
    await begun;
    await first(views);
    views.advance(60_000);
    goOn.resolve();
    expect((await asked)?.met.standing).toBe('current');
  } finally {
    await views.close();
  }
});

test('what is recorded while a run is at a batch is read in the background', async () => {
  const { views, begun, goOn } = await givenHeldBatch();
  try {
    const asked = views.ask(0);
    await begun;
    await views.publish(EVENT);
    views.advance(200);
    goOn.resolve();
    expect((await asked)?.met.standing).toBe('current');
    await expect.poll(() => first(views), { timeout: 20_000 }).toMatchObject({ state: 'current', behind: 0 });
  } finally {
    await views.close();
  }
});

test('views are built in the background, one batch after the other, without a run', async () => {
  const views = await createKeptViews(sandbox, 2);
  try {
    await publishAll(Array.from({ length: 20 }, () => ({ type: 'a', source: 'a', subject: 'a' })))(views);
    await views.save(0, { reads: [{ events: {} }], poison: -1 });
    await views.save(1, { reads: [{ events: {} }], poison: 15 });
    const standing = (name: string) => views.views().standing({ ...PLACE, name });
    await expect.poll(() => standing('first'), { timeout: 20_000 }).toMatchObject({ state: 'current', behind: 0 });
    await expect.poll(() => standing('second'), { timeout: 20_000 }).toMatchObject({ state: 'stalled', behind: 6 });
  } finally {
    await views.close();
  }
}, 60_000);
