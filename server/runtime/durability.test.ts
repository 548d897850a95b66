// Runs that wait end the same whatever happens to the service meanwhile: processes that end between any two commits,
// tasks that come twice, requests that are sent again, clocks that jump, arrivals in another order.
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AGAIN, rerunTop, TOP } from '../test/durability/callers.testing.ts';
import { copyOf, createPlaybook, save, undisturbed } from '../test/durability/cases.testing.ts';
import { definitionsOf, sentTypesOf, SURROUNDINGS } from '../test/durability/document.testing.ts';
import { createParts, type Parts } from '../test/durability/parts.testing.ts';
import { PROJECTIONS } from '../test/durability/process.testing.ts';
import { breachesOf, dump, endingOf, endingsOf, missingRunsOf, visitsOf } from '../test/durability/record.testing.ts';
import { type Schedule, schedules, stops, UNDISTURBED } from '../test/durability/schedule.testing.ts';
import { type Shapes, shapes } from '../test/durability/shapes.testing.ts';
import { execute, type Case } from '../test/durability/world.testing.ts';
import { createFakeClock } from '../lib/clock.ts';
import { temporaryFolder } from '../test/index.ts';

/** More of them, or those of one seed, are tried with the environment; each failure says its seed and path. */
const CASES = Number(process.env['DURABILITY_CASES'] ?? 36);
const STOPS = Math.ceil(CASES / 3);
/** Milliseconds: far more than the cases take, for a machine that does other things. */
const PATIENCE = 60_000 + CASES * 5000;
const SEED = process.env['DURABILITY_SEED'];
/** The seed of reruns, unless more cases are tried: their replay is new, and a test of every change fails only because of the change. */
const RERUN_SEED = process.env['DURABILITY_CASES'] === undefined ? { seed: 991 } : {};

function settings(numRuns: number): Pick<fc.Parameters, 'numRuns' | 'seed'> {
  return { numRuns, ...(SEED === undefined ? {} : { seed: Number(SEED) }) };
}

const folder = temporaryFolder();
const template = path.join(folder.path, 'template.db');
let parts: Parts;

beforeAll(async () => {
  parts = createParts(createFakeClock());
  await createPlaybook(parts, template);
  await save(parts, template, SURROUNDINGS);
}, PATIENCE);
afterAll(async () => {
  await parts.close();
  folder.remove();
});

/** A database in which the definitions of the shapes are saved. */
async function saved(steps: Shapes): Promise<Case> {
  const { main, children } = definitionsOf(steps);
  const file = copyOf(template, 'case.db');
  await save(parts, file, [...children, main]);
  return { file, sentTypes: sentTypesOf(main) };
}

/** Carries a case out on a copy; whatever is wrong with it fails the test. Answers the database. */
async function carriedOut(name: string, given: Case, schedule: Schedule): Promise<string> {
  const copy = copyOf(given.file, name);
  const { errors } = await execute(parts, { ...given, file: copy }, schedule);
  expect(errors).toEqual([]);
  expect(breachesOf(copy)).toEqual([]);
  return copy;
}

/** What the read tables hold, and what they hold when built again. */
async function dumpsOf(file: string): Promise<{ kept: unknown; rebuilt: unknown }> {
  const tables = PROJECTIONS.flatMap((projection) => projection.tables);
  const kept = dump(file, tables);
  await undisturbed(parts, file, ({ log }) => log.rebuild());
  return { kept, rebuilt: dump(file, tables) };
}

/** Whether an event is published whose id is not the run's own. */
function hasTwin(steps: Shapes): boolean {
  return JSON.stringify(steps).includes('"isTwin":true');
}

/** A block in a fork begins with the context that it had, so that what other branches exported since then is lost. */
function isBlockBesideOthers({ step, kind }: { step: string; kind: string }): boolean {
  return step.includes('/fork/branches/') && ['do', 'for', 'fork', 'try', 'listen'].includes(kind);
}

/** A called run whose caller stops wanting it between the claim of its start and the start. */
const UNWANTED: [Shapes, Schedule] = [
  {
    main: [{ is: 'won fork', winner: [{ is: 'wait', seconds: 0 }], losers: ['child'] }],
    children: [[{ is: 'set', n: 0, if: true }], [{ is: 'set', n: 0, if: true }]],
  },
  { ...UNDISTURBED, picks: [3] },
];

test(
  'given a run that is disturbed, then it ends as it would have, and so does all that it calls',
  async () => {
    const property = fc.asyncProperty(shapes, schedules, async (steps, schedule) => {
      const given = await saved(steps);
      const calm = await carriedOut('calm.db', given, UNDISTURBED);
      const disturbed = await carriedOut('disturbed.db', given, schedule);
      expect(missingRunsOf(disturbed)).toEqual([]);
      expect(endingsOf(disturbed)).toEqual(endingsOf(calm));
      const { kept, rebuilt } = await dumpsOf(disturbed);
      expect(rebuilt).toEqual(kept);
    });
    await fc.assert(property, { ...settings(CASES), examples: [UNWANTED] });
  },
  PATIENCE,
);

test(
  'given a run that has ended, then a rerun from any of its steps ends as it did, whatever happens meanwhile',
  async () => {
    const property = fc.asyncProperty(shapes, schedules, schedules, fc.nat(), async (steps, first, second, nth) => {
      const given = await saved(steps);
      const origin = await carriedOut('origin.db', given, first);
      const visits = visitsOf(origin, TOP);
      const visit = visits[nth % Math.max(1, visits.length)];
      if (visit === undefined) return;
      // The last to close the database leaves all of it in one file, which is copied.
      await undisturbed(parts, origin, async () => {});
      const refused: string[] = [];
      const again = await carriedOut('again.db', { ...given, file: origin, begin: rerunTop(visit, refused) }, second);
      expect(refused).toEqual([]);
      // An event that is published under a fixed id is there already.
      const mayDiffer = hasTwin(steps) || isBlockBesideOthers(visit);
      expect(endingOf(again, AGAIN)).toBe(endingOf(again, mayDiffer ? AGAIN : TOP));
      const { kept, rebuilt } = await dumpsOf(again);
      expect(rebuilt).toEqual(kept);
    });
    await fc.assert(property, { ...RERUN_SEED, ...settings(STOPS) });
  },
  PATIENCE,
);

test(
  'given a run that is stopped at some moment, then all work in progress ends and nothing is left of it',
  async () => {
    const property = fc.asyncProperty(shapes, schedules, stops, async (steps, schedule, stop) => {
      const stopped = await carriedOut('stopped.db', await saved(steps), { ...schedule, stop });
      const { kept, rebuilt } = await dumpsOf(stopped);
      expect(rebuilt).toEqual(kept);
    });
    await fc.assert(property, settings(STOPS));
  },
  PATIENCE,
);
