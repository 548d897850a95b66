import pino from 'pino';
import Type from 'typebox';
import { expect, test } from 'vitest';
import { createIds } from '../../kernel/ids.ts';
import { systemClock } from '../../lib/clock.ts';
import { yieldToEventLoop } from '../../lib/event-loop.ts';
import { DEVELOPER, defineOperation, makeCallable } from '../../operations/index.ts';
import { createHttpServer } from './index.ts';
import { createTurns } from './turns.ts';

/** Turns whose rounds begin when the test says so. Each request takes as many milliseconds as the test says. */
function given(costs: Readonly<Record<string, number>>) {
  let begin: (() => void) | undefined;
  let now = 0;
  const turns = createTurns({ next: (next) => void (begin = next), now: () => now });
  const began: string[] = [];
  const start = (caller: string): void => {
    began.push(caller);
    now += costs[caller] ?? 1;
  };
  return {
    began,
    send: (caller: string, count: number) => {
      for (let index = 0; index < count; index += 1) {
        const turn = turns.take(caller);
        if (turn === undefined) start(caller);
        else void turn.then(() => start(caller));
      }
    },
    nextRound: async () => {
      const next = begin;
      begin = undefined;
      next?.();
      await yieldToEventLoop();
      return next !== undefined;
    },
  };
}

test('cheap requests begin together, for a few milliseconds a round, and those of a caller in their order', async () => {
  const { send, began, nextRound } = given({});
  send('flood', 20);
  expect(began).toHaveLength(1);
  await nextRound();
  expect(began).toHaveLength(6);
  send('flood', 1);
  expect(began).toHaveLength(6);
  await nextRound();
  expect(began).toHaveLength(11);
});

test('a costly request begins alone', async () => {
  const { send, began, nextRound } = given({ flood: 30 });
  send('flood', 3);
  await nextRound();
  expect(began).toHaveLength(2);
});

test('a caller waits for one request of another, however many wait, and then uses as much time', async () => {
  const { send, began, nextRound } = given({ flood: 30, neighbour: 1 });
  send('flood', 1000);
  send('neighbour', 100);
  for (let round = 0; round < 10; round += 1) await nextRound();
  expect(began.slice(0, 32)).toEqual(['flood', ...Array.from({ length: 30 }, () => 'neighbour'), 'flood']);
});

test('a caller that begins to wait has no time saved up', async () => {
  const { send, began, nextRound } = given({ early: 10, late: 10 });
  send('early', 100);
  for (let round = 0; round < 20; round += 1) await nextRound();
  began.length = 0;
  send('late', 100);
  for (let round = 0; round < 20; round += 1) await nextRound();
  expect(Math.abs(began.filter((caller) => caller === 'late').length - 10)).toBeLessThanOrEqual(1);
});

test('no further rounds are asked for when nobody sends anything', async () => {
  const { send, nextRound } = given({});
  send('caller', 2);
  expect([await nextRound(), await nextRound(), await nextRound()]).toEqual([true, true, false]);
});

function usedMicroseconds(): number {
  const { user, system } = process.threadCpuUsage();
  return user + system;
}

test.each([
  ['GET', 'published'],
  ['POST', 'published'],
  ['GET', 'local'],
  ['POST', 'local'],
] as const)('each %s of a %s server takes its turn', async (method, mode) => {
  const handled: string[] = [];
  const operationAt = (name: string) =>
    defineOperation({
      name,
      tag: 'Tests',
      title: 'Work',
      description: 'Works.',
      permissions: [],
      method,
      route: `/${name}`,
      path: Type.Object({}),
      output: Type.Object({}),
      problems: [],
      hints: { readOnly: true, destructive: false, idempotent: true },
      mcp: false,
      async handle({ caller }) {
        handled.push(`${caller.id} ${name}`);
        // A round has room for a few of these, however fast the machine is.
        const begun = usedMicroseconds();
        while (usedMicroseconds() < begun + 1000);
        return {};
      },
    });
  const app = createHttpServer({
    callables: ['work', 'look'].map((name) => makeCallable(operationAt(name))),
    descriptions: {
      openapi: '{}',
      guides: [],
      studio: { page: '', assets: new Map() },
      health: () => ({ status: 'ok', version: '0', mode, store: 'sqlite' }),
    },
    access: { mode, identify: ({ authorization = '' }) => ({ ...DEVELOPER, id: authorization.slice(7) }) },
    browsers: { isAllowedOrigin: () => false },
    ids: createIds(systemClock),
    logger: pino({ level: 'silent' }),
    stopping: new AbortController().signal,
  });
  const send = (caller: string, name = 'work') =>
    app.inject({ method, url: `/v1/orgs/acme/${name}`, headers: { authorization: `Bearer ${caller}` } });
  const flood = Array.from({ length: 40 }, () => send('flood'));
  // In local mode all requests are of one caller.
  const answers = await Promise.all([...flood, mode === 'local' ? send('flood', 'look') : send('neighbour')]);
  expect(answers.map(({ statusCode }) => statusCode)).toEqual(answers.map(() => 200));
  expect(handled.indexOf(mode === 'local' ? 'flood look' : 'neighbour work')).toBeLessThan(20);
  expect(handled).toHaveLength(41);
  await app.close();
});
