import { afterAll, describe, expect, test } from 'vitest';
import { createSchemaChecker } from '../../lib/schemas/index.ts';
import { createTemplates } from '../../lib/templates/index.ts';
import { createTestSources } from '../../lib/yaml/sources.testing.ts';
import { createTextWork } from '../../lib/text-work/index.ts';
import type { Checked } from '../checked.ts';
import { NO_MODELS } from '../models.ts';
import { ANY_TOOLS } from '../tools.ts';
import { checkReasoning } from './check.ts';

const schemas = createSchemaChecker();
const sources = createTestSources();
const textWork = createTextWork();
const templates = createTemplates(textWork);
afterAll(() => textWork.close());
const PLACE = { org: 'local', playbook: 'desk', definitionExists: () => false };

function check(source: string): Promise<Checked> {
  return checkReasoning(source, PLACE, { sources, models: NO_MODELS, tools: ANY_TOOLS, schemas, templates });
}

const withFront = (front: string, body = 'Say it.'): string => `---\nmodel: openai/x\n${front}\n---\n${body}\n`;

describe('given a document that does not fit, then each issue says where, and what to write instead', () => {
  test.each<[string, string, string, string]>([
    ['no front matter', 'Say it.', '1:1', 'begins with front matter'],
    ['front matter without an end', '---\nmodel: a/b\nSay it.', '1:1', 'begins with front matter'],
    ['no model', '---\ndescription: x\n---\nSay it.', '2:1', 'needs `model`: write provider/model'],
    ['a model without a provider', '---\nmodel: gpt\n---\nSay it.', '2:8', 'must be the reference of a model'],
    ['a model for all', '---\nmodel: openai/*\n---\nSay it.', '2:8', 'must be the reference of a model'],
    ['no YAML', withFront('input: [1'), '4:1', 'indentation'],
    ['a field twice', withFront('model: a/b'), '3:1', 'appears twice'],
    ['an unknown field', withFront('instruction: x'), '3:1', 'did you mean `instructions`?'],
    ['a description of numbers', withFront('description: 7'), '3:14', '`description` must be a string'],
    ['an unknown setting', withFront('config: { max_tokens: 7 }'), '3:11', 'Unknown field `max_tokens`'],
    ['too many tokens', withFront('config: { max_output_tokens: 0 }'), '3:30', 'a whole number from 1'],
    ['too hot', withFront('config:\n  temperature: 3'), '4:16', 'a number from 0 to 2'],
    ['too many stops', withFront('config: { stop: [a, b, c, d, e] }'), '3:11', 'a list of at most 4 strings'],
    ['an effort of its own', withFront('config: { reasoning_effort: huge }'), '3:29', 'one of minimal, low'],
    ['too many steps', withFront('config: { max_steps: 33 }'), '3:22', 'a whole number from 1 to 32'],
    ['a tool without a server', withFront('tools: [search]'), '3:9', 'Write a tool as server/tool'],
    ['a tool twice', withFront('tools: [a/b, a/b]'), '3:14', 'is in the list twice'],
    ['options without a provider', withFront('provider_options: { user: x }'), '3:27', 'must be an object'],
    ['a schema that is none', withFront('output: { type: objekt }'), '3:17', 'type'],
    ['an unknown shape', withFront('output: { shape: tabel }'), '3:1', 'perhaps `table`'],
    [
      'an example that does not fit',
      withFront('input: { type: object, required: [a] }\nexamples: [{ name: x, input: {} }]'),
      '4:23',
      'is missing the required field `a`',
    ],
    ['an unknown variable', withFront('', 'One.\n\nSay {{ inputs.a }}.'), '7:8', 'did you mean `input`?'],
    [
      'an unknown field of the input',
      withFront('input: { type: object, additionalProperties: false, properties: { title: {} } }', '{{ input.titel }}'),
      '5:1',
      'title',
    ],
    ['a tag that is not closed', withFront('', 'a\n{% if input %}'), '6:1', 'rendered'],
    [
      'instructions that cannot be rendered',
      withFront('instructions: "{{ nothing }}"'),
      '3:15',
      'Line 1 of the text: Unknown variable `nothing`',
    ],
    ['no prompt', withFront('', '  '), '5:1', 'The prompt is missing'],
  ])('%s', async (_what, source, at, words) => {
    const checked = await check(source);
    const [first] = checked.ok ? [] : checked.issues;
    expect(first?.detail).toContain(words);
    expect(`${first?.line}:${first?.column}`).toBe(at);
    expect(first?.pointer).toMatch(/^\/source/);
  });
});

describe('given a document that fits', () => {
  test('a function without `output` gives a text in an object, one of a shape that shape', async () => {
    const text = await check(withFront('description: Says it.'));
    const markdown = await check(withFront('output: { shape: markdown }'));
    expect(text.ok && text.document.outputSchema).toMatchObject({ required: ['text'] });
    expect(markdown.ok && markdown.document.shape).toBe('markdown');
  });

  test('windows line ends and a mark at the beginning do no harm', async () => {
    const checked = await check(`\uFEFF${withFront('description: Says it.').replaceAll('\n', '\r\n')}`);
    expect(checked.ok && checked.document.description).toBe('Says it.');
  });

  test('the overview names model, tools and prompt, and is fenced whatever the prompt holds', async () => {
    const checked = await check(withFront('tools: [docs/*]', 'Say ```this``` to {{ input.who }}.'));
    const overview = checked.ok ? checked.document.overview : '';
    expect(overview).toContain('Asks the model `openai/x`');
    expect(overview).toContain('**Tools** `docs/*`');
    expect(overview).toContain('````liquid\nSay ```this``` to {{ input.who }}.\n````');
  });

  test('printing an optional field is a warning at its line in the source', async () => {
    const checked = await check(
      withFront('input: { type: object, properties: { a: { type: string } } }', 'Hm.\n{{ input.a }}'),
    );
    expect(checked.ok && checked.document.warnings).toMatchObject([{ line: 6, column: 1, pointer: '/source' }]);
  });
});
