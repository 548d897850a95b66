import { expect, test } from 'vitest';
import type { EventLog } from '../../kernel/log/index.ts';
import { createIncumbents, type Incumbent } from './incumbents.ts';

const versionOf = (version: number) => ({ version }) as Incumbent;

/** Runs that have ended, and the active version. */
function givenFunction() {
  const state = { active: undefined as number | undefined, ended: new Set<string>() };
  const tx = {
    get: async (_: string, [, , runId]: string[]) => ({
      run_id: runId,
      ended_at: state.ended.has(String(runId)) ? 'now' : null,
    }),
    memory: { remembered: () => undefined },
  };
  const log = { read: (work: (read: typeof tx) => Promise<unknown>) => work(tx) } as unknown as EventLog;
  const active = async () => (state.active === undefined ? undefined : versionOf(state.active)) as never;
  const incumbents = createIncumbents(log, { active });
  const seen: (number | undefined)[] = [];
  const decide = (runId: string, activates: number | undefined, meanwhile = () => {}) =>
    incumbents.decide({ org: 'local', playbook: 'desk', name: 'tickets', runId }, async (incumbent) => {
      seen.push(incumbent?.version);
      meanwhile();
      return { activates: activates === undefined ? undefined : versionOf(activates) };
    });
  return { state, seen, decide };
}

test('the next build is compared with the version that one before activates, until its run has ended', async () => {
  const { state, seen, decide } = givenFunction();
  await Promise.all([decide('first', 1), decide('second', undefined), decide('third', undefined)]);
  expect(seen).toEqual([undefined, 1, 1]);
  state.active = 1;
  state.ended.add('first');
  await decide('fourth', undefined);
  expect(seen.at(-1)).toBe(1);
});

test('a build that ends without its activation is no longer compared with', async () => {
  const { state, seen, decide } = givenFunction();
  await decide('cancelled', 1);
  state.ended.add('cancelled');
  await decide('next', undefined);
  expect(seen).toEqual([undefined, undefined]);
});

test('a build that decides again is not compared with its own version', async () => {
  const { seen, decide } = givenFunction();
  await decide('same', 1);
  await decide('same', 1);
  expect(seen).toEqual([undefined, undefined]);
});

test('a decision is made again where another version was activated meanwhile', async () => {
  const { state, seen, decide } = givenFunction();
  await decide('build', 2, () => {
    state.active = 7;
  });
  expect(seen).toEqual([undefined, 7]);
});
