import { expect, test } from 'vitest';
import { createChecking } from '../checking.testing.ts';

const { warningsOf } = createChecking();

const VOTE = '{ listen: { to: { one: { with: { type: vote } } } } }';
const PAID = '{ listen: { to: { one: { with: { type: paid } } } } }';
const AGAIN = '{ switch: [{ enough: { when: .a, then: end } }, { more: { then: get } }] }';
const LOOP = 'Each time this loop reaches';

const listOf = (...steps: string[]): string => `do:\n${steps.map((step) => `  - ${step}\n`).join('')}`;

test.each<[string, string, string]>([
  [
    'a loop with a wait',
    listOf(`get: ${VOTE}`, 'thank: { wait: PT1S }', `enough: ${AGAIN}`),
    `/do/0/get/listen ${LOOP} \`thank\`, events of \`vote\` that are published before \`get\` listens again are lost. To receive all of them, write one \`listen\` with \`any\` and \`until\`, and handle each in its \`foreach\``,
  ],
  [
    'a loop with a call before the `listen`',
    listOf('get: { call: computation/score }', `hear: ${VOTE}`, `enough: ${AGAIN}`),
    `/do/1/hear/listen ${LOOP} \`get\``,
  ],
  [
    'a loop with steps inside steps',
    listOf(
      `get: { try: [{ hear: ${VOTE} }], catch: { do: [{ tell: { call: computation/score } }] } }`,
      `enough: ${AGAIN}`,
    ),
    `/do/0/get/try/0/hear/listen ${LOOP} \`tell\``,
  ],
  [
    'a `for`',
    listOf(`all: { for: { in: .x }, do: [{ hear: ${VOTE} }, { note: { call: computation/score } }] }`),
    `/do/0/all/do/0/hear/listen ${LOOP} \`note\``,
  ],
  [
    'a function that takes time',
    `use: { functions: { note: { do: [{ pause: { wait: PT1S } }] } } }\n${listOf(`get: ${VOTE}`, 'thank: { call: note }', `enough: ${AGAIN}`)}`,
    `/do/0/get/listen ${LOOP} \`pause\``,
  ],
  [
    'a loop of `any` event',
    listOf('get: { listen: { to: { any: [] } } }', 'thank: { run: { workflow: { name: other } } }', `enough: ${AGAIN}`),
    `${LOOP} \`thank\`, events that are published`,
  ],
  [
    'two in a row with a call between them',
    listOf(`first: ${VOTE}`, 'note: { call: computation/score }', `second: ${VOTE}`),
    '/do/2/second/listen Between `first` and this `listen`, events of `vote` that are published while `note` is in progress are lost.',
  ],
  [
    'two in a row with several steps between them',
    listOf(
      `first: ${VOTE}`,
      'a: { set: { b: 1 } }',
      'c: { fork: { branches: [{ d: { wait: PT1S } }] } }',
      `e: { do: [{ second: ${VOTE} }] }`,
    ),
    '/do/3/e/do/0/second/listen Between `first` and this `listen`, events of `vote` that are published while `d` is in progress',
  ],
])('%s loses events, which is a warning', async (_, body, words) => {
  expect(await warningsOf(body)).toEqual([expect.stringContaining(words)]);
});

test('in a loop that listens for two kinds of events in turn, each loses those that come meanwhile', async () => {
  expect(await warningsOf(listOf(`get: ${VOTE}`, `pay: ${PAID}`, `enough: ${AGAIN}`))).toEqual([
    expect.stringContaining(`/do/0/get/listen ${LOOP} \`pay\`, events of \`vote\``),
    expect.stringContaining(`/do/1/pay/listen ${LOOP} \`get\`, events of \`paid\``),
  ]);
});

test.each([
  ['a loop without a step that takes time', listOf(`get: ${VOTE}`, 'a: { set: { b: 1 } }', `enough: ${AGAIN}`)],
  ['a loop without a `listen`', listOf('get: { wait: PT1S }', `enough: ${AGAIN}`)],
  [
    'a workflow that does not wait',
    listOf(`get: ${VOTE}`, 'x: { run: { workflow: { name: other }, await: false } }', `enough: ${AGAIN}`),
  ],
  [
    'one `listen` that handles each event',
    listOf(
      'get: { listen: { to: { any: [{ with: { type: vote } }], until: length > 2 } }, foreach: { do: [{ a: { wait: PT1S } }] } }',
    ),
  ],
  ['a `listen` after a call', listOf('a: { call: computation/score }', `get: ${VOTE}`, 'b: { wait: PT1S }')],
  ['two for different events', listOf(`first: ${VOTE}`, 'a: { call: computation/score }', `second: ${PAID}`)],
  [
    'two in branches',
    listOf(`f: { fork: { branches: [{ a: ${VOTE} }, { b: { do: [{ c: { wait: PT1S } }] } }, { d: ${VOTE} }] } }`),
  ],
  [
    'one of two cases',
    listOf(
      's: { switch: [{ a: { when: .a, then: first } }, { b: { then: second } }] }',
      `first: { listen: { to: { one: { with: { type: vote } } } }, then: end }`,
      'a: { wait: PT1S, then: second }',
      `second: ${VOTE}`,
    ),
  ],
])('%s is none', async (_, body) => {
  expect((await warningsOf(body)).filter((warning) => warning.includes('are lost'))).toEqual([]);
});

test('functions that call each other twice are looked at once', async () => {
  const levels = Array.from(
    { length: 40 },
    (_, level) => `f${level}: { do: [{ a: { call: f${level + 1} } }, { b: { call: f${level + 1} } }] }`,
  );
  const functions = `use: { functions: { ${levels.join(', ')}, f40: ${VOTE} } }`;
  const body = `${functions}\n${listOf('a: { call: f0 }', 'b: { wait: PT1S }', 'c: { call: f0, then: a }')}`;
  expect((await warningsOf(body)).filter((warning) => warning.includes('are lost'))).toHaveLength(1);
});
