// Bursts in workers of the sandbox, with a workflow that calls computations.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../shared/json.ts';
import { systemClock } from '../lib/clock.ts';
import { createSandbox, createTypeChecker } from '../lib/sandbox/index.ts';
import { createSchemaChecker } from '../lib/schemas/index.ts';
import { createComputationKind } from './computation/index.ts';
import { NO_STATE } from './durable.ts';
import { createTestRuns, type TestRuns } from './workflow/testing.ts';
import { Burst, type Continued, createBursts, inProgress, newControl, newProgress, stopBurst } from './burst/index.ts';

const sandbox = createSandbox();
const types = createTypeChecker();
const schemas = createSchemaChecker();
let runs: TestRuns;
beforeAll(() => {
  runs = createTestRuns();
});
afterAll(() => Promise.all([sandbox.close(), types.close(), schemas.close(), runs.close()]));

const RUN = { org: 'local', playbook: 'desk', runId: '0192b3a4-5c6d-7e8f-9a0b-1c2d3e4f5a6b', depth: 0 };
const SOURCES: Readonly<Record<string, string>> = {
  'add-one': 'export default ({ n }) => ({ n: n + 1 });',
  // Long before it has used up its work.
  slow: 'export default () => { for (;;) "ab".repeat(5000); };',
  'stuck-built-in': 'export default () => "a".repeat(4e6).indexOf("a".repeat(2e6) + "b");',
};
const ADD_ONE = '{ call: computation/add-one, with: { n: "${ .n }" } }';

interface Given {
  steps: readonly string[];
  stopped?: boolean;
  leftMs?: number;
  inputSchema?: JsonObject;
  outputSchema?: JsonObject;
  firstTimer?: number;
  input?: Json;
}

/** What a worker makes of the burst that follows the start of a workflow of these steps. */
async function carriedOn(given: Given): Promise<{ burst: Burst; carried: Continued | undefined; stuckAt: number }> {
  const { steps, stopped = false, leftMs = 100_000, inputSchema, outputSchema } = given;
  const { firstTimer = Number.POSITIVE_INFINITY } = given;
  const head = "document: { dsl: '1.0.3', namespace: test, name: main, version: '1.0.0' }\ndo:\n";
  const source = head + steps.map((step, index) => `  - s${index}: ${step}\n`).join('');
  const run = { ...RUN, name: 'main', version: 1, source };
  const now = systemClock.now();
  const burst = new Burst(NO_STATE, newProgress(now));
  const started = { kind: 'started', key: RUN.runId, data: { input: given.input ?? { n: 0 } } } as const;
  const decision = await runs.kind.decide({ ...run, now, takenEventKeys: new Set() }, NO_STATE, started);
  if (decision === undefined) throw new Error('Nothing was decided.');
  burst.add({ input: started, decision });
  const decider = await runs.kind.workerDecider?.(run);
  const { pureModule: module = '' } = createComputationKind({ sandbox, types, schemas });
  const functions = (decider?.calls ?? []).map(({ type, name }) => {
    return { type, name, module, source: SOURCES[name] ?? '', inputSchema, outputSchema };
  });
  const control = newControl();
  if (stopped) stopBurst(control);
  const { progress, parts } = burst;
  const job = { run, progress, parts, isWhole: true, functions, firstTimer, leftMs, control };
  const signal = AbortSignal.timeout(leftMs + 1000);
  if (decider === undefined) throw new Error('The workflow cannot be decided in a worker.');
  const carried = await createBursts(sandbox, systemClock).continueInWorker(job, decider, signal);
  if (carried !== undefined) burst.append(carried);
  return { burst, carried, stuckAt: inProgress(control) };
}

const outputsOf = (burst: Burst): unknown[] =>
  burst.decided.flatMap(({ follows }) => (follows?.called === undefined ? [] : [follows.called.ending]));

test('successive calls are executed, and decisions made between them, up to the end of the workflow', async () => {
  const { burst, carried } = await carriedOn({ steps: [ADD_ONE, '{ wait: PT0S }', ADD_ONE, ADD_ONE] });
  expect(outputsOf(burst)).toEqual([1, 2, 3].map((n) => ({ status: 'succeeded', output: { n }, record: {} })));
  expect(burst.result().at(-1)?.decision.ending).toMatchObject({ status: 'succeeded', output: { n: 3 } });
  expect(burst.result().map(({ input }) => input?.kind)).toEqual([
    'started',
    'called_run_ended',
    'timer_due',
    'called_run_ended',
    'called_run_ended',
  ]);
  const started = carried?.decided.flatMap(({ follows }) => follows?.called?.startedAt ?? []) ?? [];
  expect(started).toEqual(started.toSorted((a, b) => a - b));
});

test('a burst ends before what only the main thread can decide, and keeps the ending that it is about', async () => {
  const beyond = `{ call: computation/add-one, with: { n: "\${ .n }" }, output: { as: '{ n: (.n | @sh | length) }' } }`;
  const { burst, carried } = await carriedOn({ steps: [ADD_ONE, beyond, ADD_ONE] });
  expect(outputsOf(burst)).toHaveLength(1);
  expect(carried?.ended?.ending).toMatchObject({ status: 'succeeded', output: { n: 2 } });
});

test.each([
  ['it is stopped', { stopped: true }],
  ['too little time remains', { leftMs: 40 }],
])('no call is begun where %s', async (_, given) => {
  const { carried } = await carriedOn({ steps: [ADD_ONE, ADD_ONE], ...given });
  expect(carried?.decided).toEqual([]);
  expect(carried?.ended).toBeUndefined();
});

test('a timer that is due before the call has ended comes first', async () => {
  const { carried } = await carriedOn({ steps: [ADD_ONE, ADD_ONE], firstTimer: 0 });
  expect(carried?.decided).toEqual([]);
  expect(carried?.ended).toBeUndefined();
});

test('an input that does not match its schema is refused before the program runs', async () => {
  const { burst } = await carriedOn({ steps: [ADD_ONE], inputSchema: { required: ['amount'] } });
  expect(outputsOf(burst)).toMatchObject([
    { status: 'rejected', rejection: { reason: 'invalid_input', issues: [{ pointer: '/input' }] } },
  ]);
  expect(burst.result().at(-1)?.decision.ending).toMatchObject({ status: 'rejected' });
});

test('an output that does not match its schema ends its run, and the workflow takes it in', async () => {
  const { burst } = await carriedOn({ steps: [ADD_ONE], outputSchema: { type: 'string' } });
  expect(outputsOf(burst)).toMatchObject([{ status: 'rejected', rejection: { kind: 'unworkable' } }]);
  expect(burst.result().at(-1)?.decision.ending).toMatchObject({ status: 'failed' });
});

test('a program that takes longer than the remaining time is stopped, and earlier decisions are kept', async () => {
  const { burst, carried } = await carriedOn({ steps: [ADD_ONE, '{ call: computation/slow }'], leftMs: 300 });
  expect(outputsOf(burst)).toHaveLength(1);
  expect(carried?.tooSlow).toBe(1);
  const again = await carriedOn({ steps: [ADD_ONE, ADD_ONE] });
  expect(outputsOf(again.burst)).toHaveLength(2);
});

test('a built-in function that never returns ends its worker, and is known', async () => {
  const { carried, stuckAt } = await carriedOn({
    steps: [ADD_ONE, '{ call: computation/stuck-built-in }'],
    leftMs: 200,
  });
  expect(carried).toBeUndefined();
  expect(stuckAt).toBe(1);
});
