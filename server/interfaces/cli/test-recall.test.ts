import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CommandLine, createCommandLine } from './cuebook.testing.ts';

let line: CommandLine;
beforeAll(() => {
  line = createCommandLine();
});
afterAll(() => line.remove());

const program = (examples: string): string => `export const reads = [{ events: { type: 'opened' } }];
export const initial = { ids: [] };
export function evolve(state, event) {
  if (event.event.data === 'poison') throw new Error('no');
  state.ids.push(event.event.id);
  return state;
}
export const answer = (state, input) => state.ids.slice(0, input.most);
export const examples = [${examples}];
`;
const EVENTS = "events: [{ type: 'opened', id: 'a' }, { type: 'closed', id: 'b' }, { type: 'opened', id: 'c' }]";

test('`cuebook test` keeps the view of an example in memory and compares its result', async () => {
  const folder = line.writePlaybook({
    'good.recall.ts': program(
      `{ name: 'two', ${EVENTS}, input: {}, output: ['a', 'c'] }, { name: 'one', ${EVENTS}, input: { most: 1 }, output: ['a'] }`,
    ),
    'wrong.recall.ts': program(`{ name: 'three', ${EVENTS}, input: {}, output: ['a', 'b', 'c'] }`),
    'poisoned.recall.ts': program("{ name: 'poison', events: [{ type: 'opened', data: 'poison' }], input: {} }"),
    'let.recall.ts': `let n = 0;\n${program('')}`,
  });
  const tested = await line.cuebook(['test', folder, '--json']);
  const results = JSON.parse(tested.stdout) as {
    definition: string;
    example?: string;
    passed: boolean;
    detail?: string;
  }[];
  const of = (name: string) => results.filter(({ definition }) => definition === `recall/${name}`);
  expect(of('good')).toEqual([
    { definition: 'recall/good', passed: true },
    { definition: 'recall/good', example: 'two', passed: true },
    { definition: 'recall/good', example: 'one', passed: true },
  ]);
  expect(of('wrong')[1]).toMatchObject({ passed: false, detail: 'returned ["a","c"]; expected ["a","b","c"]' });
  expect(of('poisoned')[1]).toMatchObject({
    passed: false,
    detail: expect.stringContaining('fails for event-1: Line 4'),
  });
  expect(of('let')).toEqual([
    { definition: 'recall/let', passed: false, detail: expect.stringContaining('Line 1, column 1: A top-level `let`') },
  ]);
  expect(tested.code).toBe(1);
}, 30_000);
