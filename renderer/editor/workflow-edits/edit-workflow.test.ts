import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { changed } from './changes.ts';
import { editWorkflow, type StepEdit } from './index.ts';

const SOURCE = `document:
  dsl: '1.0.3'
  name: orders # the name
  metadata:
    examples:
      - name: one
        calls:
          /do/1/charge: 3
          /do/3/each/do/1/pause: 1
do:
  # Reads the order.
  - read: # at first
      set:
        a: 1
        # in read

  - charge:
      call: 'computation/charge'
      with: { a: 1 }

  # The route.
  - route:
      switch:
        - large:
            when: .a > 1
            then: charge
        - other:
            then: exit

  - each:
      for:
        in: .items
      do:
        - inner:
            set: { b: 2 }
        # A pause.
        - pause:
            wait: PT1S
`;

function edited(source: string, edit: StepEdit): string {
  const result = editWorkflow(source, edit);
  if ('refused' in result) throw new Error(result.refused);
  return changed(source, result.changes);
}

function refusal(source: string, edit: StepEdit): string {
  const result = editWorkflow(source, edit);
  return 'refused' in result ? result.refused : `not refused: ${JSON.stringify(result)}`;
}

/** The source with one text in place of another, which it has once. */
function where(source: string, text: string, becomes: string): string {
  expect(source.split(text)).toHaveLength(2);
  return source.replace(text, () => becomes);
}

const ROUTE = SOURCE.slice(SOURCE.indexOf('  # The route.'), SOURCE.indexOf('\n  - each'));
const PAUSE = SOURCE.slice(SOURCE.indexOf('        # A pause.'));

test('a step is added with the blank lines of its list, and pointers to the steps below it follow', () => {
  const edit = { do: 'insert', list: '/do', at: 1, name: 'route', task: { set: { x: 'a' } } } as const;
  expect(editWorkflow(SOURCE, edit)).toMatchObject({ step: '/do/1/route-2' });
  const moved = SOURCE.replace('/do/1/charge', '/do/2/charge').replace('/do/3/each', '/do/4/each');
  const below = '        # in read\n';
  expect(edited(SOURCE, edit)).toBe(where(moved, below, `${below}\n  - route-2:\n      set:\n        x: a\n`));
  expect(edited(SOURCE, { ...edit, at: 3, name: 'new' })).toContain(
    'then: exit\n\n  - new:\n      set:\n        x: a\n\n  - each',
  );
});

test('adding a step and deleting it gives the same text', () => {
  for (const [list, length] of [
    ['/do', 4],
    ['/do/3/each/do', 2],
  ] as const) {
    for (let at = 0; at <= length; at += 1) {
      const added = edited(SOURCE, { do: 'insert', list, at, name: 'new', task: { set: { x: 'a\nb\n' } } });
      expect(edited(added, { do: 'delete', step: `${list}/${at}/new` })).toBe(SOURCE);
    }
  }
});

test('a step moves with its comments, within its list and to another one', () => {
  const up = edited(SOURCE, { do: 'move', step: '/do/2/route', list: '/do', at: 0 });
  expect(up).toContain(`do:\n${ROUTE}\n  # Reads the order.\n  - read: # at first\n`);
  expect(up).toContain('/do/2/charge: 3');
  expect(edited(up, { do: 'move', step: '/do/0/route', list: '/do', at: 2 })).toBe(SOURCE);

  const out = editWorkflow(SOURCE, { do: 'move', step: '/do/3/each/do/1/pause', list: '/do', at: 4 });
  expect(out).toMatchObject({ step: '/do/4/pause' });
  const text = edited(SOURCE, { do: 'move', step: '/do/3/each/do/1/pause', list: '/do', at: 4 });
  expect(text.endsWith('            set: { b: 2 }\n\n  # A pause.\n  - pause:\n      wait: PT1S\n')).toBe(true);
  expect(text).toContain('/do/4/pause: 1');
  expect(edited(text, { do: 'move', step: '/do/4/pause', list: '/do/3/each/do', at: 1 })).toBe(SOURCE);
});

test('a step that moves down into a list behind it gets the path it has then', () => {
  const edit = { do: 'move', step: '/do/0/read', list: '/do/3/each/do', at: 2 } as const;
  expect(editWorkflow(SOURCE, edit)).toMatchObject({ step: '/do/2/each/do/2/read' });
  const text = edited(SOURCE, edit);
  expect(
    text.endsWith(
      `${PAUSE}        # Reads the order.\n        - read: # at first\n            set:\n              a: 1\n              # in read\n`,
    ),
  ).toBe(true);
  expect(text).toContain('/do/2/each/do/1/pause: 1');
});

test('the last step of a list leaves `[]`, which is filled again in lines', () => {
  const one = edited(SOURCE, { do: 'delete', step: '/do/3/each/do/0/inner' });
  const none = edited(one, { do: 'delete', step: '/do/3/each/do/0/pause' });
  expect(none.endsWith('        in: .items\n      do: []\n')).toBe(true);
  const filled = edited(none, { do: 'insert', list: '/do/3/each/do', at: 0, name: 'pause', task: { wait: 'PT1S' } });
  expect(filled.endsWith('        in: .items\n      do:\n        - pause:\n            wait: PT1S\n')).toBe(true);
  expect(edited(filled, { do: 'delete', step: '/do/3/each/do/0/pause' })).toBe(none);
});

/** What a step that is inserted or moved makes of a source whose list is empty or absent. */
test.each<[string, string, string, string]>([
  [
    'a catch in lines',
    'do:\n  - a:\n      try:\n        - b: {}\n      catch: # all\n        errors: {} # any\n        # end\n  - c: {}\n',
    '/do/0/a/catch/do',
    'do:\n  - a:\n      try:\n        - b: {}\n      catch: # all\n        errors: {} # any\n        do:\n          - n:\n              wait: PT1S\n        # end\n  - c: {}\n',
  ],
  [
    'an empty catch',
    'do:\n  - a:\n      try:\n        - b: {}\n      catch: {} # all\n',
    '/do/0/a/catch/do',
    'do:\n  - a:\n      try:\n        - b: {}\n      catch: # all\n        do:\n          - n:\n              wait: PT1S\n',
  ],
  [
    'a catch in brackets',
    'do:\n  - a: { try: [{ b: {} }], catch: { as: e } }\n',
    '/do/0/a/catch/do',
    'do:\n  - a: { try: [{ b: {} }], catch: { as: e, do: [ { n: { wait: PT1S } } ] } }\n',
  ],
  [
    'a catch in JSON with tabs',
    `${JSON.stringify({ do: [{ a: { try: [], catch: { as: 'e' } } }] }, null, '\t')}\n`,
    '/do/0/a/catch/do',
    `${JSON.stringify({ do: [{ a: { try: [], catch: { as: 'e', do: [{ n: { wait: 'PT1S' } }] } } }] }, null, '\t')}\n`,
  ],
  [
    'a list that is named but not written, with steps in comments',
    'do:\n  - each:\n      for: { in: .a }\n      do:\n        # - b: {}\n        #   c: 1\n',
    '/do/0/each/do',
    'do:\n  - each:\n      for: { in: .a }\n      do:\n        - n:\n            wait: PT1S\n        # - b: {}\n        #   c: 1\n',
  ],
  ['a workflow that only names its list', 'do:\n', '/do', 'do:\n  - n:\n      wait: PT1S\n'],
  [
    'a foreach, with Windows line breaks',
    'do:\r\n  - l:\r\n      listen: {}\r\n      foreach:\r\n        item: x\r\n',
    '/do/0/l/foreach/do',
    'do:\r\n  - l:\r\n      listen: {}\r\n      foreach:\r\n        item: x\r\n        do:\r\n          - n:\r\n              wait: PT1S\r\n',
  ],
])('a step is added to %s', (_, source, list, expected) => {
  const edit = { do: 'insert', list, at: 0, name: 'n', task: { wait: 'PT1S' } } as const;
  expect(editWorkflow(source, edit)).toMatchObject({ step: `${list}/0/n` });
  expect(edited(source, edit)).toBe(expected);
});

test('a step moves with its comments to a catch without steps, and pointers follow', () => {
  const source = where(
    SOURCE,
    '  - each:',
    '  - attempt:\n      try: [{ t: {} }]\n      catch: { as: e } # all\n\n  - each:',
  ).replace('/do/3/each', '/do/4/each');
  const inBrackets = { do: 'move', step: '/do/0/read', list: '/do/3/attempt/catch/do', at: 0 } as const;
  expect(refusal(source, inBrackets)).toMatch(/comments cannot move into a list in brackets/);
  const inLines = source.replace('catch: { as: e } # all', 'catch: # all\n        as: e');
  expect(editWorkflow(inLines, inBrackets)).toMatchObject({ step: '/do/2/attempt/catch/do/0/read' });
  const moved = edited(inLines, inBrackets);
  expect(moved).toContain(
    '        as: e\n        do:\n          # Reads the order.\n          - read: # at first\n              set:\n                a: 1\n                # in read\n',
  );
  expect(moved).toContain('/do/3/each/do/1/pause: 1');
  expect(parse(moved)).toMatchObject({ do: [{ charge: {} }, { route: {} }, { attempt: {} }, { each: {} }] });
});

test('what continued with a deleted step continues with the one that follows, and exits behind the last', () => {
  expect(refusal(SOURCE, { do: 'delete', step: '/do/1/charge' })).toMatch(/`route` goes back to `charge`/);
  const source = where(SOURCE, 'then: charge', "then: 'each' # last");
  expect(edited(source, { do: 'delete', step: '/do/3/each' })).toContain("then: 'exit' # last");
  const early = where(SOURCE, 'with: { a: 1 }', 'then: route');
  expect(edited(early, { do: 'delete', step: '/do/2/route' })).toContain('then: each');
});

test('a rename changes the targets of the list, and pointers, in the quotes that they have', () => {
  const source = where(SOURCE, 'then: charge', 'then: "charge"');
  expect(edited(source, { do: 'rename', step: '/do/1/charge', name: 'pay' })).toBe(
    source.replace('- charge:', '- pay:').replace('"charge"', '"pay"').replace('/do/1/charge', '/do/1/pay'),
  );
  expect(edited(SOURCE, { do: 'rename', step: '/do/3/each', name: 'a: b/c' })).toContain(
    '"/do/3/a: b~1c/do/1/pause": 1',
  );
});

test('a field changes alone, and takes its objects with it when it is removed', () => {
  const charge = { step: '/do/1/charge' } as const;
  expect(edited(SOURCE, { do: 'set', ...charge, field: '/with/a', value: 2 })).toBe(
    SOURCE.replace('{ a: 1 }', '{ a: 2 }'),
  );
  expect(edited(SOURCE, { do: 'set', ...charge, field: '/call', value: 'recall/x' })).toBe(
    SOURCE.replace('computation/charge', 'recall/x'),
  );
  const added = edited(SOURCE, { do: 'set', ...charge, field: '/output/as', value: '${ .x }' });
  expect(added).toBe(where(SOURCE, 'with: { a: 1 }\n', 'with: { a: 1 }\n      output:\n        as: ${ .x }\n'));
  expect(edited(added, { do: 'set', ...charge, field: '/output/as', value: undefined })).toBe(SOURCE);
  const set = edited(SOURCE, { do: 'set', step: '/do/0/read', field: '/set', value: { b: [1, { c: null }] } });
  expect(parse(set)).toMatchObject({ do: [{ read: { set: { b: [1, { c: null }] } } }, {}, {}, {}] });
  expect(set).toContain('        # in read\n');
  expect(edited(SOURCE, { do: 'set', ...charge, field: '/with', value: { a: 1 } })).toBe(SOURCE);
});

test('a copy stands behind its step, with another name and its comments', () => {
  const text = edited(SOURCE, { do: 'duplicate', step: '/do/2/route' });
  expect(text).toContain(`${ROUTE}\n${ROUTE.replace('- route:', '- route-2:')}\n  - each:`);
  expect(text).toContain('/do/4/each/do/1/pause: 1');
});

test.each<[StepEdit, RegExp]>([
  [{ do: 'delete', step: '/do/0/gone' }, /no step at `\/do\/0\/gone`/],
  [{ do: 'insert', list: '/do/0/read/do', at: 0, name: 'x', task: {} }, /no list of steps at/],
  [{ do: 'insert', list: '/do', at: 5, name: 'x', task: {} }, /no place 5 .* 0 to 4/],
  [{ do: 'move', step: '/do/3/each', list: '/do/3/each/do', at: 0 }, /into itself/],
  [{ do: 'move', step: '/do/2/route', list: '/do/3/each/do', at: 0 }, /continues with `charge`/],
  [{ do: 'rename', step: '/do/0/read', name: 'charge' }, /Another step of this list is named `charge`/],
  [{ do: 'rename', step: '/do/0/read', name: 'exit' }, /cannot go to a step named `exit`/],
  [{ do: 'rename', step: '/do/0/read', name: ' ' }, /needs a name/],
  [{ do: 'set', step: '/do/0/read', field: '', value: undefined }, /delete the step/],
  [{ do: 'set', step: '/do/3/each', field: '/for/in/x', value: 1 }, /`\/for\/in` of `each` is not an object/],
  [{ do: 'set', step: '/do/0/read', field: 'set', value: 1 }, /JSON Pointer/],
])('%j is refused with a sentence', (edit, sentence) => {
  expect(refusal(SOURCE, edit)).toMatch(sentence);
});

test.each([
  ['do:\n  - a: [\n', /not valid YAML in line/],
  ['do:\n\t- a: 1\n', /not valid YAML in line 2/],
  ['- a\n', /not a workflow/],
  ['do: *x\n', /not valid YAML|aliases/],
  ['do: []\n---\ndo: []\n', /not valid YAML/],
  ['', /not a workflow/],
])('nothing changes in a source that cannot be read: %j', (source, sentence) => {
  expect(refusal(source, { do: 'insert', list: '/do', at: 0, name: 'a', task: { set: {} } })).toMatch(sentence);
});
