import pino from 'pino';
import Type from 'typebox';
import { expect, test } from 'vitest';
import { createIds } from '../../kernel/ids.ts';
import { systemClock } from '../../lib/clock.ts';
import { DEVELOPER, defineOperation, makeCallable } from '../../operations/index.ts';
import { createHttpServer } from './index.ts';
import { createTurns } from './turns.ts';

/** Turns whose rounds begin when the test says so, and who began in which order. */
function given() {
  let begin: (() => void) | undefined;
  const turns = createTurns((next) => void (begin = next));
  const began: string[] = [];
  return {
    began,
    send: (who: string, count: number) => {
      for (let index = 0; index < count; index += 1) {
        const turn = turns.take(who);
        if (turn === undefined) began.push(who);
        else void turn.then(() => began.push(who));
      }
    },
    nextRound: async () => {
      const next = begin;
      begin = undefined;
      next?.();
      await Promise.resolve();
      return next !== undefined;
    },
  };
}

test('a few requests of a caller begin in a round, the others in later ones', async () => {
  const { send, began, nextRound } = given();
  send('flood', 10);
  expect(began).toHaveLength(4);
  await nextRound();
  expect(began).toHaveLength(8);
  // Later requests of the caller do not overtake.
  send('flood', 1);
  expect(began).toHaveLength(8);
  await nextRound();
  expect(began).toHaveLength(11);
});

test('a caller that waits for nothing begins at once, whatever others have waiting', async () => {
  const { send, began, nextRound } = given();
  send('flood', 1000);
  send('neighbour', 1);
  expect(began).toEqual(['flood', 'flood', 'flood', 'flood', 'neighbour']);
  await nextRound();
  send('neighbour', 1);
  expect(began.filter((who) => who === 'flood')).toHaveLength(8);
  expect(began.at(-1)).toBe('neighbour');
});

test('no further rounds are asked for when nobody sends anything', async () => {
  const { send, nextRound } = given();
  send('caller', 5);
  expect([await nextRound(), await nextRound(), await nextRound()]).toEqual([true, true, false]);
});

test.each(['GET', 'POST'] as const)('each %s of a published server takes its turn', async (method) => {
  const handled: string[] = [];
  const operation = defineOperation({
    name: 'work',
    tag: 'Tests',
    title: 'Work',
    description: 'Works.',
    permissions: [],
    method,
    route: '/work',
    path: Type.Object({}),
    output: Type.Object({}),
    problems: [],
    hints: { readOnly: true, destructive: false, idempotent: true },
    mcp: false,
    async handle({ caller }) {
      handled.push(caller.id);
      return {};
    },
  });
  const app = createHttpServer({
    callables: [makeCallable(operation)],
    descriptions: {
      openapi: '{}',
      guides: [],
      studio: { page: '', assets: new Map() },
      health: () => ({ status: 'ok', version: '0', mode: 'published', store: 'sqlite' }),
    },
    access: { mode: 'published', identify: ({ authorization = '' }) => ({ ...DEVELOPER, id: authorization.slice(7) }) },
    browsers: { isAllowedOrigin: () => false },
    ids: createIds(systemClock),
    logger: pino({ level: 'silent' }),
    stopping: new AbortController().signal,
  });
  const send = (who: string) =>
    app.inject({ method, url: '/v1/orgs/acme/work', headers: { authorization: `Bearer ${who}` } });
  const answers = await Promise.all([...Array.from({ length: 40 }, () => send('flood')), send('neighbour')]);
  expect(answers.map(({ statusCode }) => statusCode)).toEqual(answers.map(() => 200));
  expect(handled.indexOf('neighbour')).toBeLessThan(20);
  await app.close();
});
