import { expect, test } from 'vitest';
import type { JsonObject } from '../../../../shared/json.ts';
import { STANDS_IN, standIn } from './stand-in.job.ts';

const reading = (result: JsonObject) =>
  standIn({ key: 'k', message: JSON.stringify({ jsonrpc: '2.0', id: 1, result }) });
const standingIn = (members: JsonObject): string =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, result: { ...members, _meta: { [STANDS_IN]: 'k' } } });
const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index);

test('the result of a call is left to its call', () => {
  expect(reading({ content: [{ type: 'text', text: 'long' }], resultType: 'complete' })).toEqual({
    message: standingIn({ resultType: 'complete', content: [] }),
    standsFor: 'call',
  });
});

test('a list of tools is read, with its schemas as texts', () => {
  const inputSchema = { type: 'object', properties: { a: {} } };
  expect(reading({ tools: [{ name: 'act', inputSchema }, 7], nextCursor: 'more' })).toEqual({
    message: standingIn({ tools: [], nextCursor: 'more' }),
    standsFor: {
      tools: [{ name: 'act', description: '', argumentNames: ['a'], schema: JSON.stringify(inputSchema) }],
      leftOut: ['a tool without a name'],
    },
  });
});

test('tools whose schema holds too much, or that take too many arguments together, are left out', () => {
  const tool = (name: string, count: number): JsonObject => ({
    name,
    inputSchema: { properties: Object.fromEntries(numbers(count).map((index) => [`a${index}`, 1])) },
  });
  const { standsFor } = reading({
    tools: [tool('wide', 6000), ...numbers(13).map((index) => tool(`tool_${index}`, 4000)), tool('small', 1)],
  });
  const { tools, leftOut } = typeof standsFor === 'object' ? standsFor : { tools: [], leftOut: [] };
  expect(tools.map(({ name }) => name)).toEqual([...numbers(12).map((index) => `tool_${index}`), 'small']);
  expect(leftOut).toEqual([
    'wide, whose input schema has more than 10000 values',
    'tool_12, with which the listed tools take more than 50000 arguments',
  ]);
});

test('of a list with too many tools only as many are read as show that', () => {
  const { standsFor } = reading({ tools: numbers(100_000) });
  expect(typeof standsFor === 'object' ? standsFor.leftOut.length : 0).toBe(2001);
});

test('any other message is passed on unchanged, unless it holds too much', () => {
  const message = JSON.stringify({ jsonrpc: '2.0', id: 1, result: { instructions: 'x'.repeat(100_000) } });
  expect(standIn({ key: 'k', message })).toEqual({ message });
  expect(reading({ instructions: numbers(20_000) })).toEqual({});
  expect(standIn({ key: 'k', message: '[1' })).toEqual({});
});
