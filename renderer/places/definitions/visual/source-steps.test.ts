import { expect, test } from 'vitest';
import { emptyListsIn, readSteps } from './source-steps.ts';

const SOURCE = `# order
do:
  - "a/b":
      set: { x: 1 } # one
  - each: { for: { in: '[1]' }, do: [{ in: { wait: PT1S } }] }
`;

test('each step is found where its name is written, in lines and in brackets', () => {
  const { value, positionOf } = readSteps(SOURCE);
  expect(value).toMatchObject({ do: [{ 'a/b': { set: { x: 1 } } }, { each: {} }] });
  expect(positionOf('/do/0/a~1b')).toEqual({ offset: SOURCE.indexOf('"a/b"'), line: 3 });
  expect(positionOf('/do/1/each')).toEqual({ offset: SOURCE.indexOf('each:'), line: 5 });
  expect(positionOf('/do/1/each/do/0/in')).toEqual({ offset: SOURCE.indexOf('in: { wait'), line: 5 });
  expect(positionOf('/do/7/gone')).toBeUndefined();
});

test.each([['do: ['], ['do: *none'], ['a: 1\na: 2']])('%j has no steps', (source) => {
  expect(readSteps(source).value).toBeUndefined();
  expect(readSteps(source).positionOf('/do/0/a')).toBeUndefined();
});

test('lists without steps are found under the steps that are drawn', () => {
  const source = `use: { functions: { f: { do: [] } } }
do:
  - "1": { try: [], catch: {} }
  - full: { do: [{ a: {} }], set: { do: [] } }
  - heard: { listen: {}, foreach: { item: x } }
  - new: { do: [] }
`;
  const nodes = ['start', '/do/0/1', '/do/1/full', '/do/1/full/do/0/a', '/do/2/heard', '/use/functions/f', 'end'].map(
    (id) => ({ id, name: '', type: '', summary: '', line: 1 }),
  );
  expect(emptyListsIn({ nodes, edges: [] }, readSteps(source).value)).toEqual([
    { list: '/do/0/1/try', step: '/do/0/1' },
    { list: '/do/0/1/catch/do', step: '/do/0/1' },
    { list: '/do/2/heard/foreach/do', step: '/do/2/heard' },
    { list: '/use/functions/f/do', step: '/use/functions/f' },
  ]);
  expect(emptyListsIn({ nodes, edges: [] }, readSteps('do: [').value)).toEqual([]);
});
