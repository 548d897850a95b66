// Sources that people write in unusual ways: each edit is exact, or refused with a sentence.
import { expect, test } from 'vitest';
import { changed } from './changes.ts';
import { editWorkflow, type StepEdit } from './index.ts';

const STEP = { do: 'insert', list: '/do', name: 'n', task: { wait: 'PT1S' } } as const;

function edited(source: string, edit: StepEdit): string {
  const result = editWorkflow(source, edit);
  return 'refused' in result ? `refused: ${result.refused}` : changed(source, result.changes);
}

const ALIASED = 'do:\n  - a: &x\n      set: &y { k: 1 }\n      output: { as: *y }\n  - b: *x # b\n';
const KEPT = 'do:\n  - a:\n      set: |+\n        x\n\n  - b:\n      set: {}\n\n  - c:\n      set: {}\n';
const BRACKETS = 'do: [\n  # a\n  { a: { set: {} } }, # tail a\n  # b\n  { b: { set: {} } } # tail b\n]\n';

test.each<[string, string, StepEdit, string]>([
  ['an alias goes with its step', ALIASED, { do: 'delete', step: '/do/1/b' }, ALIASED.replace('  - b: *x # b\n', '')],
  [
    'a copy has no anchors',
    ALIASED,
    { do: 'duplicate', step: '/do/0/a' },
    ALIASED.replace('  - b', '  - a-2:\n      set: { k: 1 }\n      output: { as: *y }\n  - b'),
  ],
  [
    'an alias is replaced by a value',
    'do:\n  - a: { set: &y { k: 1 } }\n  - b:\n      set: *y # c\n',
    { do: 'set', step: '/do/1/b', field: '/set', value: { k: 2 } },
    'do:\n  - a: { set: &y { k: 1 } }\n  - b:\n      set: # c\n        k: 2\n',
  ],
  [
    'an anchored empty list is filled',
    'do: &l [] # none\n',
    { ...STEP, at: 0 },
    'do: &l # none\n  - n:\n      wait: PT1S\n',
  ],
  [
    'a text of several lines moves into brackets',
    'do:\n  - a:\n      fork:\n        branches: [{ b: { set: {} } }]\n  - c:\n      set:\n        text: |-\n          two\n          lines\n',
    { do: 'move', step: '/do/1/c', list: '/do/0/a/fork/branches', at: 1 },
    'do:\n  - a:\n      fork:\n        branches: [{ b: { set: {} } }, { c: { set: { text: "two\\nlines" } } }]\n',
  ],
  [
    'a key with a question mark',
    'do:\n  - ? a\n    : set: { k: 1 }\n  - b:\n      set: {}\n',
    { do: 'move', step: '/do/0/a', list: '/do', at: 1 },
    'do:\n  - b:\n      set: {}\n  - ? a\n    : set: { k: 1 }\n',
  ],
  [
    'a dash on a line of its own',
    'do:\n  -\n    a:\n      set: {}\n  -\n    b:\n      set: {}\n',
    { do: 'move', step: '/do/1/b', list: '/do', at: 0 },
    'do:\n  -\n    b:\n      set: {}\n  -\n    a:\n      set: {}\n',
  ],
  [
    'blank lines that belong to a text above a deleted step',
    KEPT,
    { do: 'delete', step: '/do/1/b' },
    KEPT.replace('  - b:\n      set: {}\n\n', ''),
  ],
  [
    'blank lines that belong to a moved step',
    KEPT,
    { do: 'move', step: '/do/0/a', list: '/do', at: 1 },
    'do:\n  - b:\n      set: {}\n\n  - a:\n      set: |+\n        x\n\n  - c:\n      set: {}\n',
  ],
  [
    'tabs between words',
    'do:\n  - a:\t{ set: {} }\t# c\n  - b:\n      set:\t{}\n',
    { do: 'move', step: '/do/1/b', list: '/do', at: 0 },
    'do:\n  - b:\n      set:\t{}\n  - a:\t{ set: {} }\t# c\n',
  ],
  [
    'the end of a document',
    '---\ndo:\n  - a:\n      set: {}\n...\n',
    { ...STEP, at: 1 },
    '---\ndo:\n  - a:\n      set: {}\n  - n:\n      wait: PT1S\n...\n',
  ],
  [
    'Windows line breaks and no last one',
    'do:\r\n  # a\r\n  - a:\r\n      set: {}\r\n  - b:\r\n      set: |\r\n        x\r\n        y',
    { do: 'move', step: '/do/1/b', list: '/do', at: 0 },
    'do:\r\n  - b:\r\n      set: |\r\n        x\r\n        y\r\n  # a\r\n  - a:\r\n      set: {}',
  ],
  [
    'a text with its own indentation, moved to the left',
    'do:\n  - l:\n      do:\n          - a:\n              set: |2\n                  x\n                 \n                y\n          - b: {}\n',
    { do: 'move', step: '/do/0/l/do/0/a', list: '/do', at: 0 },
    'do:\n  - a:\n      set: |2\n          x\n         \n        y\n  - l:\n      do:\n          - b: {}\n',
  ],
  [
    'brackets with comments, the last step',
    BRACKETS,
    { do: 'delete', step: '/do/1/b' },
    'do: [\n  # a\n  { a: { set: {} } } # tail a\n]\n',
  ],
  [
    'brackets with comments, the first step',
    BRACKETS,
    { do: 'delete', step: '/do/0/a' },
    'do: [\n  # b\n  { b: { set: {} } } # tail b\n]\n',
  ],
  [
    'brackets with comments, the only step',
    'do: [ # first\n  { a: { set: {} } } # tail a\n  # last\n]\n',
    { do: 'delete', step: '/do/0/a' },
    'do: [ # first\n  # last\n]\n',
  ],
  [
    'brackets with comments, behind the last step',
    BRACKETS,
    { ...STEP, at: 2 },
    BRACKETS.replace(' # tail b\n', ', # tail b\n  { n: { wait: PT1S } }\n'),
  ],
  [
    'a last comma in brackets',
    'do: [\n  { a: { set: {} } },\n]\n',
    { ...STEP, at: 1 },
    'do: [\n  { a: { set: {} } },\n  { n: { wait: PT1S } },\n]\n',
  ],
  [
    'members as items of brackets',
    'do: [a: { set: {} }, b: { set: {} }]\n',
    { do: 'move', step: '/do/1/b', list: '/do', at: 0 },
    'do: [b: { set: {} }, a: { set: {} }]\n',
  ],
  [
    'out of brackets into lines',
    'do:\n  - a:\n      set: {}\n  - l: { do: [{ i: { set: {} } }, { j: { set: {} } }] }\n',
    { do: 'move', step: '/do/1/l/do/0/i', list: '/do', at: 0 },
    'do:\n  - { i: { set: {} } }\n  - a:\n      set: {}\n  - l: { do: [{ j: { set: {} } }] }\n',
  ],
  [
    'JSON with tabs',
    JSON.stringify({ do: [{ a: { set: {} } }] }, null, '\t'),
    { do: 'set', step: '/do/0/a', field: '/output/as', value: ['.x'] },
    JSON.stringify({ do: [{ a: { set: {}, output: { as: ['.x'] } } }] }, null, '\t'),
  ],
  [
    'JSON with tabs, another step',
    JSON.stringify({ do: [{ a: { set: {} } }] }, null, '\t'),
    { ...STEP, at: 1 },
    JSON.stringify({ do: [{ a: { set: {} } }, { n: { wait: 'PT1S' } }] }, null, '\t'),
  ],
  [
    'JSON in one line',
    JSON.stringify({ do: [{ a: { set: {} } }] }),
    { do: 'set', step: '/do/0/a', field: '/output/as', value: '.x' },
    JSON.stringify({ do: [{ a: { set: {}, output: { as: '.x' } } }] }),
  ],
  [
    'a byte order mark',
    '\uFEFFdo:\n  - a:\n      set: {}\n',
    { ...STEP, at: 1 },
    '\uFEFFdo:\n  - a:\n      set: {}\n  - n:\n      wait: PT1S\n',
  ],
  [
    'an object that is still empty',
    'do:\n  - a:\n      output: # c\n      set: {}\n',
    { do: 'set', step: '/do/0/a', field: '/output/as', value: '.x' },
    'do:\n  - a:\n      output: # c\n        as: .x\n      set: {}\n',
  ],
  [
    'a text in lines that becomes one line',
    'do:\n  - a:\n      if: | # c\n        .a\n        and .b\n      set: {}\n',
    { do: 'set', step: '/do/0/a', field: '/if', value: '.a' },
    'do:\n  - a:\n      if: .a # c\n      set: {}\n',
  ],
  [
    'a line that becomes a text in lines',
    'do:\n  - a:\n      if: .a # c\n      set: {}\n',
    { do: 'set', step: '/do/0/a', field: '/if', value: '.a\nand .b\n' },
    'do:\n  - a:\n      if: | # c\n        .a\n        and .b\n      set: {}\n',
  ],
  [
    'names that JavaScript knows',
    'do:\n  - __proto__: { set: {} }\n  - c: { set: {}, then: __proto__ }\n',
    { do: 'rename', step: '/do/0/__proto__', name: 'constructor' },
    'do:\n  - constructor: { set: {} }\n  - c: { set: {}, then: constructor }\n',
  ],
  [
    'characters of two code units that begin alike',
    'do:\n  - 😀: { set: {} }\n  - b: { set: {}, then: 😀 }\n',
    { do: 'rename', step: '/do/0/😀', name: '😁' },
    'do:\n  - 😁: { set: {} }\n  - b: { set: {}, then: 😁 }\n',
  ],
  [
    'a function that steps call',
    'use:\n  functions:\n    f: # c\n      set: {}\ndo:\n  - a:\n      call: f\n',
    { do: 'rename', step: '/use/functions/f', name: 'g' },
    'use:\n  functions:\n    g: # c\n      set: {}\ndo:\n  - a:\n      call: g\n',
  ],
  [
    'the last function',
    'use:\n  functions:\n    # about g\n    g:\n      set: {}\n\ndo: []\n',
    { do: 'delete', step: '/use/functions/g' },
    'use:\n  functions: {}\n\ndo: []\n',
  ],
  [
    'the error of a renamed step',
    'do:\n  - t:\n      try:\n        - a: { set: {} }\n      catch: { errors: { with: { instance: /do/0/t/try/0/a } } }\n',
    { do: 'rename', step: '/do/0/t', name: 'u' },
    'do:\n  - u:\n      try:\n        - a: { set: {} }\n      catch: { errors: { with: { instance: /do/0/u/try/0/a } } }\n',
  ],
])('%s', (_, source, edit, result) => {
  expect(edited(source, edit)).toBe(result);
});

test.each<[string, string, StepEdit, RegExp]>([
  ['a step whose anchor is used', ALIASED, { do: 'delete', step: '/do/0/a' }, /anchors do not allow it/],
  ['a step that would stand behind its alias', ALIASED, { do: 'move', step: '/do/0/a', list: '/do', at: 1 }, /anchors/],
  [
    'a value that is an alias',
    ALIASED,
    { do: 'set', step: '/do/1/b', field: '/set/k', value: 2 },
    /written once, as `&x`/,
  ],
  [
    'a field of a step that an alias repeats',
    ALIASED,
    { do: 'set', step: '/do/0/a', field: '/if', value: '.x' },
    /anchors/,
  ],
  ['a value that aliases repeat', ALIASED, { do: 'set', step: '/do/0/a', field: '/set/k', value: 2 }, /anchors/],
  [
    'a function that is called',
    'use: { functions: { f: { set: {} } } }\ndo:\n  - a: { call: f }\n',
    { do: 'delete', step: '/use/functions/f' },
    /`a` calls the function `f`/,
  ],
  [
    'a function among steps',
    'use: { functions: { f: { set: {} } } }\ndo: []\n',
    { do: 'move', step: '/use/functions/f', list: '/do', at: 0 },
    /no place in the order/,
  ],
  [
    'comments in brackets',
    'do:\n  # c\n  - a: { set: {} }\n  - b: { do: [{ i: { set: {} } }] }\n',
    { do: 'move', step: '/do/0/a', list: '/do/1/b/do', at: 0 },
    /with comments cannot move/,
  ],
  ['a name in two lines', 'do:\n  - a: { set: {} }\n', { do: 'rename', step: '/do/0/a', name: 'b\nc' }, /one line/],
  ['brackets without an end', `do: ${'['.repeat(9999)}`, { ...STEP, at: 0 }, /not valid YAML/],
  [
    'brackets by the thousand',
    `do: [{ a: { set: ${'['.repeat(5000)}${']'.repeat(5000)} } }]`,
    { ...STEP, at: 0 },
    /not valid YAML|fewer levels/,
  ],
])('%s: refused', (_, source, edit, sentence) => {
  expect(edited(source, edit)).toMatch(sentence);
});
