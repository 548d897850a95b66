import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { addExample } from './add-example.ts';

const EXAMPLE = { name: 'new: one', input: { n: 1 }, output: 'a # b' };

test('a program gets it behind its other examples, or a list of its own', () => {
  const head = "// [ about ]\nexport const examples = [\n  { name: 'it]', input: {} } // last [\n";
  const rest = '];\nexport default (input) => [input];\n';
  const added = addExample('computation', head + rest, EXAMPLE) ?? '';
  expect(added).toContain(head.trimEnd());
  expect(added.endsWith(rest)).toBe(true);
  expect(added).toContain('"name":"new: one"');
  const bare = 'export default (input) => input;\n';
  expect(addExample('computation', bare, EXAMPLE)).toBe(
    `${bare}\nexport const examples = [\n  ${JSON.stringify(EXAMPLE)},\n];\n`,
  );
  expect(addExample('recall', 'const list = [];\nexport const examples = list;\n', EXAMPLE)).toBeUndefined();
});

test.each([
  ['a comma', "export const examples = [{ name: 'a', input: 1 },];\n", 2],
  ['no comma', "export const examples = [{ name: 'a', input: 1 }];\n", 2],
  ['nothing', 'export const examples: object[] = [];\n', 1],
])('a program whose list ends with %s stays a program', async (_, source, count) => {
  const added = (addExample('computation', source, EXAMPLE) ?? '').replace(': object[]', '');
  const module = (await import(`data:text/javascript,${encodeURIComponent(added)}`)) as { examples: unknown[] };
  expect(module.examples).toHaveLength(count);
  expect(module.examples.at(-1)).toEqual(EXAMPLE);
});

test.each([
  ['a list in lines', '# about\nexamples: # some\n  - name: a # first\n    input: {}\n\n# the question\nask: {}\n'],
  ['a list in brackets', '# about\nexamples: [{ name: a, input: {} }] # some\nask: {}\n'],
  ['no examples', '# about\nask: {} # last'],
  ['a list at the end', 'ask: {}\nexamples:\n- name: a\n  input: |\n    text\n'],
])('a YAML document with %s keeps its comments and other members', (_, source) => {
  const added = addExample('interaction', source, EXAMPLE) ?? '';
  const before = parse(source) as { examples?: unknown[] };
  expect(parse(added)).toEqual({ ...before, examples: [...(before.examples ?? []), EXAMPLE] });
  const comments = source.split('\n').flatMap((line) => line.split('#').slice(1));
  expect(comments.filter((comment) => !added.includes(`#${comment}`))).toEqual([]);
});

test.each([
  "document:\n  dsl: '1.0.3'\n  name: w # name\n# steps\ndo: []\n",
  "document:\n  dsl: '1.0.3'\n  metadata:\n    expose: true\ndo: []\n",
  "document: { dsl: '1.0.3', name: w }\ndo: []\n",
  "document: { dsl: '1.0.3', metadata: { examples: [] } }\ndo: []\n",
])('a workflow gets it in its metadata', (source) => {
  const added = addExample('workflow', source, { ...EXAMPLE, calls: { '/do/0/a': [1] } }) ?? '';
  expect(parse(added)).toMatchObject({
    document: { dsl: '1.0.3', metadata: { examples: [{ ...EXAMPLE, calls: { '/do/0/a': [1] } }] } },
    do: [],
  });
});

test('a reasoning function gets it in its front matter, and its prompt stays', () => {
  const source = '---\nmodel: a/b # which\n---\nGreet.\n\n---\nMore\n';
  const added = addExample('reasoning', source, EXAMPLE) ?? '';
  expect(added).toMatch(/^---\nmodel: a\/b # which\nexamples:\n[\s\S]*\n---\nGreet\.\n\n---\nMore\n$/);
});
