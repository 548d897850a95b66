// Workflows over a store in which the test triggers each commit: what a commit holds, and what a crash leaves.
import path from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';
import type { JsonObject } from '../../../shared/json.ts';
import { createFakeClock, type FakeClock } from '../../lib/clock.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { startTop, TOP } from './callers.testing.ts';
import { copyOf, createPlaybook, save } from './cases.testing.ts';
import type { Definition } from './document.testing.ts';
import { createParts, type Parts } from './parts.testing.ts';
import { type ProcessOptions, type ServiceProcess, startProcess } from './process.testing.ts';

/** A call of a function that adds 1 to `n`. */
export const ADD_ONE = { call: 'computation/add-one', with: { n: '${ .n }' } };

/** An event, whose output is its input. It is recorded before a call that follows begins. */
export const EMIT = { emit: { event: { with: { source: '/here', type: 'told' } } }, output: { as: '$input' } };

export const WATCH: ProcessOptions['watch'] = { carriedOut: () => {}, performed: () => {} };

export interface SteppedCases {
  clock: FakeClock;
  /** A database with a workflow `main` of these steps. */
  given: (steps: readonly JsonObject[]) => Promise<string>;
  /** A copy of a database, as it is now. */
  copy: (file: string) => string;
  start: (file: string, options?: Partial<ProcessOptions>) => ServiceProcess;
  /** A service in which `main` has started. No worker was free for its first call, which is therefore a task. */
  begun: (file: string, options?: Partial<ProcessOptions>) => Promise<ServiceProcess>;
  /** The same, when the first run that it calls is about to be recorded. */
  started: (file: string, options?: Partial<ProcessOptions>) => Promise<ServiceProcess>;
}

/** @param definitions those of the playbook beside `add-one` */
export function useSteppedCases(definitions: readonly Definition[] = []): SteppedCases {
  const clock = createFakeClock();
  const folder = temporaryFolder();
  const template = path.join(folder.path, 'template.db');
  let parts: Parts;
  let cases = 0;

  beforeAll(async () => {
    parts = createParts(clock);
    await createPlaybook(parts, template);
    const addOne = 'export default ({ n }) => ({ n: n + 1 });';
    await save(parts, template, [{ type: 'computation', name: 'add-one', source: addOne }, ...definitions]);
  });
  afterAll(async () => {
    await parts.close();
    folder.remove();
  });

  function copy(file: string): string {
    cases += 1;
    return copyOf(file, `case-${cases}.db`);
  }

  function start(file: string, options: Partial<ProcessOptions> = {}): ServiceProcess {
    const fail = (error: unknown): void => expect.fail(String(error));
    const on = { comesAgain: () => undefined, onTask: () => {}, onError: fail };
    const service = startProcess({ file, clock, parts, watch: WATCH, ...on, ...options });
    let killed: Promise<void> | undefined;
    const kill = (): Promise<void> => (killed ??= service.kill());
    onTestFinished(kill);
    return { ...service, kill };
  }

  async function begun(file: string, options: Partial<ProcessOptions> = {}): Promise<ServiceProcess> {
    let areWorkersBusy = true;
    const watch = { ...WATCH, ...options.watch, areWorkersBusy: () => areWorkersBusy };
    const service = start(file, { ...options, watch });
    void service.begin();
    await commitAll(service);
    startTop(service).catch(() => {});
    await service.settle();
    areWorkersBusy = false;
    await service.commit(0, false);
    return service;
  }

  return {
    clock,
    async given(steps) {
      const file = copy(template);
      await save(parts, file, [workflow('main', steps)]);
      return file;
    },
    copy,
    start,
    begun,
    async started(file, options) {
      const service = await begun(file, options);
      expect(await service.settle()).toBe(1);
      return service;
    },
  };
}

export function workflow(name: string, steps: readonly JsonObject[]): Definition {
  const document = { dsl: '1.0.3', namespace: 'desk', name, version: '1.0.0' };
  const named = steps.map((step, index) => ({ [`s${index + 1}`]: step }));
  return { type: 'workflow', name, source: JSON.stringify({ document, do: named }) };
}

/** Commits what waits, one after the other, until nothing does; returns how many commits that were. */
export async function commitAll(service: ServiceProcess, most = Number.POSITIVE_INFINITY): Promise<number> {
  let commits = 0;
  while (commits < most && (await service.settle()) > 0) {
    await service.commit(0, false);
    commits += 1;
  }
  return commits;
}

export function look<T>(file: string, sql: string): T[] {
  const database = new Database(file, { readonly: true });
  try {
    return database.prepare(sql).all() as T[];
  } finally {
    database.close();
  }
}

export const statusesOf = (file: string): string[] =>
  look<{ name: string; status: string }>(file, 'SELECT name, status FROM runs ORDER BY started_position').map(
    ({ name, status }) => `${name} ${status}`,
  );

export interface AppliedInput {
  id: string;
  cause: string;
  kind: string;
}

export const appliedIn = (file: string): AppliedInput[] =>
  look(
    file,
    `SELECT id, json_extract(metadata, '$.causation_id') AS cause, json_extract(data, '$.kind') AS kind FROM events
     WHERE stream = 'run-${TOP}' AND type = 'workflow_input_applied' ORDER BY position`,
  );
export const inputsOf = (file: string): string[] => appliedIn(file).map(({ kind }) => kind);
export const topOf = ({ runs }: ServiceProcess) => runs.get({ org: 'local', playbook: 'desk' }, TOP);
