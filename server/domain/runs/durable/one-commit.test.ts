// What is recorded in one commit, over a store in which the test triggers each commit.
import path from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { JsonObject } from '../../../../shared/json.ts';
import { createFakeClock } from '../../../lib/clock.ts';
import { temporaryFolder } from '../../../test/index.ts';
import { cancelTop, startTop, TOP } from '../../../test/durability/callers.testing.ts';
import { copyOf, createPlaybook, save } from '../../../test/durability/cases.testing.ts';
import type { Definition } from '../../../test/durability/document.testing.ts';
import { createParts, type Parts } from '../../../test/durability/parts.testing.ts';
import { type ServiceProcess, startProcess } from '../../../test/durability/process.testing.ts';

const clock = createFakeClock();
const folder = temporaryFolder();
const template = path.join(folder.path, 'template.db');
let parts: Parts;

const ADD_ONE = { call: 'computation/add-one', with: { n: '${ .n }' } };

function workflow(name: string, steps: readonly JsonObject[]): Definition {
  const document = { dsl: '1.0.3', namespace: 'desk', name, version: '1.0.0' };
  const named = steps.map((step, index) => ({ [`s${index + 1}`]: step }));
  return { type: 'workflow', name, source: JSON.stringify({ document, do: named }) };
}

beforeAll(async () => {
  parts = createParts(clock);
  await createPlaybook(parts, template);
  await save(parts, template, [
    { type: 'computation', name: 'add-one', source: 'export default ({ n }) => ({ n: n + 1 });' },
    workflow('two', [ADD_ONE, ADD_ONE]),
  ]);
});
afterAll(async () => {
  await parts.close();
  folder.remove();
});

let cases = 0;

/** A database with a workflow `main` of these steps. */
async function given(steps: readonly JsonObject[]): Promise<string> {
  cases += 1;
  const file = copyOf(template, `case-${cases}.db`);
  await save(parts, file, [workflow('main', steps)]);
  return file;
}

function start(file: string): ServiceProcess {
  const fail = (error: unknown): void => expect.fail(String(error));
  const watch = { carriedOut: () => {}, performed: () => {} };
  const on = { comesAgain: () => undefined, onTask: () => {}, onError: fail };
  const service = startProcess({ file, clock, parts, watch, ...on });
  let killed: Promise<void> | undefined;
  const kill = (): Promise<void> => (killed ??= service.kill());
  onTestFinished(kill);
  return { ...service, kill };
}

/** Commits what waits, one after the other, until nothing does; returns how many commits that were. */
async function commitAll(service: ServiceProcess, most = Number.POSITIVE_INFINITY): Promise<number> {
  let commits = 0;
  while (commits < most && (await service.settle()) > 0) {
    await service.commit(0, false);
    commits += 1;
  }
  return commits;
}

/** A service in which `main` has started. */
async function begun(file: string): Promise<ServiceProcess> {
  const service = start(file);
  void service.begin();
  await commitAll(service);
  startTop(service).catch(() => {});
  await service.settle();
  await service.commit(0, false);
  return service;
}

/** The same, when the first run that it calls is about to be recorded. */
async function started(file: string): Promise<ServiceProcess> {
  const service = await begun(file);
  expect(await service.settle()).toBe(1);
  return service;
}

function look<T>(file: string, sql: string): T[] {
  const database = new Database(file, { readonly: true });
  try {
    return database.prepare(sql).all() as T[];
  } finally {
    database.close();
  }
}

const statusesOf = (file: string): string[] =>
  look<{ name: string; status: string }>(file, 'SELECT name, status FROM runs ORDER BY started_position').map(
    ({ name, status }) => `${name} ${status}`,
  );

interface AppliedInput {
  id: string;
  cause: string;
  kind: string;
}

const appliedIn = (file: string): AppliedInput[] =>
  look(
    file,
    `SELECT id, json_extract(metadata, '$.causation_id') AS cause, json_extract(data, '$.kind') AS kind FROM events
     WHERE stream = 'run-${TOP}' AND type = 'workflow_input_applied' ORDER BY position`,
  );
const inputsOf = (file: string): string[] => appliedIn(file).map(({ kind }) => kind);
const topOf = ({ runs }: ServiceProcess) => runs.get({ org: 'local', playbook: 'desk' }, TOP);

test('given a workflow that calls functions, then each of them costs one commit', async () => {
  const file = await given([ADD_ONE, ADD_ONE, ADD_ONE]);
  const service = await started(file);
  await service.commit(0, false);
  expect(statusesOf(file)).toEqual(['main started', 'add-one succeeded']);
  expect(inputsOf(file)).toEqual(['started', 'called_run_ended']);
  expect(await commitAll(service)).toBe(2);
  expect(await topOf(service)).toMatchObject({ output: { n: 4 } });
  const cause = `SELECT type FROM events WHERE id = '${appliedIn(file)[1]?.cause}'`;
  expect(look(file, cause)).toEqual([{ type: 'run_succeeded' }]);
});

test('given a called workflow, then its last step moves the workflow above it in the same commit', async () => {
  const file = await given([{ call: 'workflow/two', with: { n: '${ .n }' } }]);
  const service = await started(file);
  // The called workflow starts; then each of its two calls ends.
  expect(await commitAll(service)).toBe(3);
  expect(statusesOf(file)).toEqual(['main succeeded', 'two succeeded', 'add-one succeeded', 'add-one succeeded']);
});

test('given a workflow that moves before the ending is recorded, then the ending is applied on its own', async () => {
  const file = await given([ADD_ONE, ADD_ONE]);
  const service = await started(file);
  cancelTop(service).catch(() => {});
  expect(await service.settle()).toBe(2);
  await service.commit(1, false);
  await service.commit(0, false);
  expect(statusesOf(file)).toEqual(['main started']);
  await commitAll(service);
  expect(statusesOf(file)).toEqual(['main rejected', 'add-one succeeded']);
  expect(inputsOf(file)).toEqual(['started', 'cancel_requested']);
});

test.each([0, 1, 2])('given a process that ends after %i of its commits, then the next one continues', async (most) => {
  const file = await given([ADD_ONE, ADD_ONE]);
  const service = await started(file);
  await commitAll(service, most);
  await service.settle();
  await service.kill();
  const next = start(file);
  void next.begin();
  await commitAll(next);
  expect(await topOf(next)).toMatchObject({ output: { n: 3 } });
  expect(statusesOf(file)).toEqual(['main succeeded', 'add-one succeeded', 'add-one succeeded']);
  expect(inputsOf(file)).toEqual(['started', 'called_run_ended', 'called_run_ended']);
});

const NO_TIME = { wait: 'PT0S' };

test('given timers that are due when they are set, then they are recorded with what sets them', async () => {
  const file = await given([NO_TIME, NO_TIME, ADD_ONE, NO_TIME]);
  const service = await begun(file);
  const [first, second, third] = appliedIn(file);
  expect([first, second, third].map((one) => one?.kind)).toEqual(['started', 'timer_due', 'timer_due']);
  expect([second?.cause, third?.cause]).toEqual([first?.id, second?.id]);
  // The call, and the timer behind it.
  expect(await commitAll(service)).toBe(1);
  expect(inputsOf(file).slice(3)).toEqual(['called_run_ended', 'timer_due']);
  expect(await topOf(service)).toMatchObject({ status: 'succeeded', output: { n: 2 } });
  expect(look(file, 'SELECT * FROM tasks')).toEqual([]);
});

test('given a branch that wins with such a timer, then what the other one began is not carried out', async () => {
  const branches = [{ quick: NO_TIME }, { slow: ADD_ONE }];
  const file = await given([{ fork: { compete: true, branches } }]);
  const service = await begun(file);
  await commitAll(service);
  expect(await topOf(service)).toMatchObject({ status: 'succeeded' });
  expect(statusesOf(file)).toEqual(['main succeeded']);
  expect(look(file, 'SELECT * FROM run_waiters')).toEqual([]);
});

test.each([
  ['its start', []],
  ['an input', [ADD_ONE]],
])(
  'given an event id that is published twice around such a timer after %s, then the second one fails',
  async (_, before) => {
    const emit = (data: string) => ({ emit: { event: { with: { id: 'one', source: '/here', type: 'told', data } } } });
    const file = await given([...before, emit('first'), NO_TIME, emit('second')]);
    const service = await begun(file);
    await commitAll(service);
    expect(await topOf(service)).toMatchObject({ status: 'rejected', reason: 'invalid_input' });
    expect(look(file, `SELECT id FROM events WHERE stream = 'events'`)).toHaveLength(1);
    expect(inputsOf(file).at(-1)).toBe('timer_due');
  },
);

test('given a loop of such timers, then one commit holds a bounded number of its turns', async () => {
  const file = await given([{ for: { in: '[range(150)]' }, do: [{ pause: NO_TIME }] }]);
  const service = await begun(file);
  expect(inputsOf(file)).toHaveLength(100);
  await commitAll(service);
  expect(await topOf(service)).toMatchObject({ status: 'succeeded' });
  expect(inputsOf(file)).toHaveLength(151);
});
