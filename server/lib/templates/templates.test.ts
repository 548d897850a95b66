import { afterAll, describe, expect, test } from 'vitest';
import type { Json } from '../../../shared/json.ts';
import { createTextWork } from '../text-work/index.ts';
import { createTemplates } from './index.ts';

const textWork = createTextWork();
const templates = createTemplates(textWork);
afterAll(() => textWork.close());

const NOW = Date.UTC(2026, 2, 1, 12);
const render = (text: string, input: Json = {}) => templates.render(text, { input }, NOW);

describe('a text is rendered', () => {
  test.each([
    ['{{ input.a }} and {{ input.b }}', { a: 1, b: 'x' }, '1 and x'],
    ['{{ input.missing | default: "none" }}', {}, 'none'],
    ['{% if input.missing %}yes{% else %}no{% endif %}', {}, 'no'],
    ['{{ input.list | json }}', { list: [1, { a: 2 }] }, '[1,{"a":2}]'],
    ['{{ "now" | date: "%Y-%m-%d %H:%M" }}', {}, '2026-03-01 12:00'],
    ['{{ "today" | date_to_xmlschema }}', {}, '2026-03-01T12:00:00+00:00'],
    ['{{ input.none }}|{{ input.flag }}', { none: null, flag: true }, '|true'],
    ['{% for i in input.list %}{{ forloop.index }}{{ i }} {% endfor %}', { list: ['a', 'b'] }, '1a 2b '],
    ['{% assign gone = input.missing %}[{{ gone }}]', {}, '[]'],
    ['{{ (1..10000) | size }} {{ (input.from..input.to) | join }}', { from: 2, to: '4' }, '10000 2 3 4'],
    ['{% for i in (1..input.n) %}{{ i }}{% endfor %}', { n: 3 }, '123'],
    ['{% assign name = "in" | append: "put" %}{{ [name].a }}', { a: 1 }, '1'],
    [
      '{{ input.l | where: "tag", "x" | json }}',
      { l: [{ sku: 'A' }, { sku: 'B', tag: 'x' }] },
      '[{"sku":"B","tag":"x"}]',
    ],
    ['{{ input.l | where: "a.b" | map: "a.b" | join }}', { l: [{}, { a: {} }, { a: { b: 2 } }, null, 5] }, '2'],
    ['{{ input.l | reject: "done" | map: "n" | join }}', { l: [{ n: 1 }, { n: 2, done: true }] }, '1'],
    ['{{ input.l | has: "tag", "x" }} {{ input.l | has: "gone" }}', { l: [{}, { tag: 'x' }] }, 'true false'],
    ['{% assign one = input.l | find: "tag", "x" %}{{ one.n }}', { l: [{ n: 1 }, { n: 2, tag: 'x' }] }, '2'],
    ['{{ input.l | find_index: "tag", "x" }}', { l: [{}, { tag: 'x' }] }, '1'],
    ['{% assign g = input.l | group_by: "tag" %}{{ g | size }}', { l: [{}, { tag: 'x' }] }, '2'],
    [
      '{{ input.l | sum: "n" }} {{ input.l | sort: "n" | map: "n" | json }}',
      { l: [{}, { n: 2 }, { n: 1 }] },
      '3 [1,2,null]',
    ],
    [
      '{% assign gs = input.l | group_by: "tag" %}{% for g in gs %}{{ g.name }}={{ g.items | size }} {% endfor %}',
      { l: [{}, { tag: 'x' }, { tag: null }, 5, null] },
      '=4 x=1 ',
    ],
    ['{% assign i = input.l | find_index: "tag", "y" %}[{{ i }}]', { l: [{}] }, '[]'],
    ['{{ input.l | find: "tag", "y" | json }}', { l: [{}, 1, null] }, 'null'],
    [
      '{{ input.l | uniq: "tag" | json }}',
      { l: [{ tag: 'x', n: 1 }, { tag: 'x' }, {}, null] },
      '[{"tag":"x","n":1},{}]',
    ],
    ['{{ input.l | compact: "a.b" | json }}', { l: [{ a: { b: 0 } }, { a: null }, {}, 'a'] }, '[{"a":{"b":0}}]'],
    ['{{ input.l | uniq | compact | json }}', { l: [1, 1, null] }, '[1]'],
    [
      '{{ input.l | where: "due date", 1 | size }} {{ input.l | has: "@type", 2 }} {{ input.l | find_index: "$id" }}',
      { l: [{}, { 'due date': 1 }, { '@type': 2 }, { $id: 3 }] },
      '1 true 3',
    ],
    [
      `{{ input.l | where: "a b.c/d", 1 | size }} {{ input.l | has: 'say "hi"' }} {{ input.l | reject: "x[y]" | size }}`,
      { l: [{ 'a b': { 'c/d': 1 } }, { 'say "hi"': true }, { 'x[y]': 1 }] },
      '1 true 2',
    ],
    ['no tag, no output, only }} and %}', {}, 'no tag, no output, only }} and %}'],
  ])('%s', async (text, input, expected) => {
    expect(await render(text, input)).toEqual({ ok: true, text: expected });
  });
});

describe('a text is unrenderable', () => {
  test.each([
    ['{{ input.missing }}', {}, '`input.missing` is missing'],
    ['a\nb {{ input.missing }}', {}, 'Line 2, column'],
    ['{{ input.l | where: "tag", "x" | json }}{{ input.gone }}', { l: [{}] }, '`input.gone` is missing'],
    ['{{ input.gone | where: "tag", "x" | json }}', {}, '`input.gone` is missing'],
    ['{{ input.l | where: "tag", input.gone | json }}', { l: [{}] }, '`input.gone` is missing'],
    ['{{ input }}', {}, 'prints an object'],
    ['{{ input.list }}', { list: [] }, 'prints a list'],
    ['{{ input.constructor }}', {}, 'is missing'],
    ['{{ input.a | raw }}', { a: {} }, 'Unknown filter `raw`'],
    ['{{ input.a | shuffle }}', { a: [1] }, 'Unknown filter `shuffle`'],
    ['{% include "x" %}', {}, 'Unknown tag `include`'],
    ['{% render "x" %}', {}, 'Unknown tag `render`'],
    ['{{ input.list | where_exp: "x", "x > 1" }}', { list: [1] }, 'write `where: "field", value`'],
    ['{{ input.list | sum_exp: "x" }}', { list: [1] }, 'Unknown filter `sum_exp`'],
    ['{% liquid assign a = 1 %}', {}, 'write each of its lines as a tag'],
    ['{% for i in (1..10001) %}a{% endfor %}', {}, 'at most 10,000 members'],
    ['{{ (1..input.n) | size }}', { n: 10_001 }, 'at most 10,000 members'],
    ['{% assign a = (input.n..0) | uniq %}', { n: -1e9 }, 'at most 10,000 members'],
    ['{% if (1..input.n) contains 5 %}yes{% endif %}', { n: '1e99' }, 'at most 10,000 members'],
  ])('%s', async (text, input, words) => {
    const rendered = await render(text, input);
    expect(rendered).toMatchObject({ ok: false, detail: expect.stringContaining(words) });
  });

  test('and the refusal holds no value', async () => {
    const rendered = await render('{{ input.list }}', { list: ['a secret'] });
    expect(JSON.stringify(rendered)).not.toContain('secret');
  });
});

describe('a text is checked', () => {
  const INPUT = {
    type: 'object',
    required: ['owner', 'place'],
    properties: {
      owner: { type: 'string' },
      note: { type: 'string' },
      place: { type: 'object', properties: { city: { type: 'string' } }, additionalProperties: false },
    },
  };
  const check = (text: string) => templates.checkTemplate(text, { input: INPUT, request: undefined });

  test.each([
    ['{{ input.owner }} {{ request.anything }}', [], []],
    ['{{ input.note | default: "-" }}', [], []],
    ['{% if input.note %}{{ input.note }}{% endif %}', [], []],
    ['{% for i in input.list %}{{ i.name }}{{ forloop.index }}{% endfor %}', [], []],
    ['{{ input.note | default: "-" | upcase }}', [], []],
    ['a\n{{ input.note }}', [], ['2:', '`input.note` is optional']],
    ['{{ input.note | strip | default: "-" }}', [], ['1:', 'with `default` before any other filter']],
    ['{{ input.ownr }}', [], ['1:', 'did you mean `owner`']],
    ['{{ input.place.town }}', ['1:', 'no field `input.place.town`'], []],
    ['{{ inputs.owner }}', ['1:', 'did you mean `input`'], []],
    ['{{ owner }}', ['1:', 'Unknown variable `owner`'], []],
    ['a\n{{ input.owner', ['2:', 'not closed'], []],
    ['{{ input.owner | upcse }}', ['1:', 'Unknown filter `upcse`'], []],
    ['{% iff input.owner %}{% endiff %}', ['1:', 'Unknown tag `iff`'], []],
    ['a\n{{ input.list | has_exp: "x", "x" }}', ['2:', 'write `has: "field", value`'], []],
    ['{% for i in (1..100000) %}{% endfor %}', ['1:', 'at most 10,000 members'], []],
    ['{% liquid\nassign a = 1\n%}', ['1:', 'Unknown tag `liquid`'], []],
  ])('%s', async (text, issues, warnings) => {
    const located = ({ line, detail }: { line: number; detail: string }): string => `${line}: ${detail}`;
    const found = await check(text);
    expect(found.issues.length > 0).toBe(issues.length > 0);
    expect(found.warnings.length > 0).toBe(warnings.length > 0);
    for (const words of issues) expect(found.issues.map(located).join()).toContain(words);
    for (const words of warnings) expect(found.warnings.map(located).join()).toContain(words);
  });
});

/** Each would take from seconds to years on the main thread, or more memory than the process has. */
const HOSTILE: readonly string[] = [
  `{% assign a = (1..10000) %}{{ a | has_exp: 'x', 'a | has_exp: "y", "y == 0"' }}`,
  '{{ (1..1600000) | uniq | size }}',
  '{% for i in (1..10000) %}{% for j in (1..10000) %}{% for k in (1..10000) %}{% endfor %}{% endfor %}{% endfor %}',
  '{% for i in (1..10000) %}{% for j in (1..10000) %}{{ i }}{% endfor %}{% endfor %}',
  '{% for i in (1..10000) %}{% assign all = all | default: "" | append: input.long %}{% endfor %}{{ all | size }}',
  `{% assign a = input.long ${'| replace: "x", "xxxxxxxxxxxxxxxxxxxxxxxx" '.repeat(30)} %}{{ a | size }}`,
  `{% assign a = input.long | split: "" ${'| join: "xxxxxxxxxxxx" | split: "" '.repeat(30)} %}{{ a | size }}`,
  `{% assign a = (1..10000) ${'| concat: a | sort | reverse '.repeat(200)} %}{% for i in (1..10000) %}{{ a | sort | uniq | size }}{% endfor %}`,
  `{% for i in (1..10000) %}{% assign b = input.long | split: "" | sort_natural | uniq | join: i %}{% endfor %}`,
  `{% for i in (1..10000) %}{{ input.long }}{% endfor %}`,
  `{{ "now" | date: "%9999999999d" }}`,
  '{% tablerow i in (1..10000) cols:1 %}{% for j in (1..10000) %}{% cycle "a", "b" %}{% endfor %}{% endtablerow %}',
];

const LONG = { long: 'x'.repeat(100_000), pairs: 'ab'.repeat(100_000) };

// Deadlines are of processor time: many of them one after the other take long on a busy machine.
describe('a hostile text is unrenderable, and holds nothing else up', { timeout: 90_000 }, () => {
  test.each(HOSTILE)('%#', async (text) => {
    const rendered = render(text, LONG);
    expect(await render('{{ input.a }}', { a: 1 })).toEqual({ ok: true, text: '1' });
    expect(await rendered).toMatchObject({ ok: false });
  });

  test('even inside one output, where only the deadline of its worker ends it', async () => {
    // Ten seconds and more, from less than the engine's bound on what filters make.
    const filters = '| where: "size" '.repeat(20);
    expect(await render(`{{ input.pairs | split: "" ${filters} | size }}`, LONG)).toEqual({
      ok: false,
      detail: 'Rendering the text takes longer than a second, or too much memory; make it simpler.',
    });
  });

  test('however many there are', async () => {
    const all = HOSTILE.map((text) => render(text, LONG));
    expect((await Promise.all(all)).every(({ ok }) => !ok)).toBe(true);
  });

  test('and is refused when it is checked, or checked in time', async () => {
    const deep = `${'{% if input.a %}'.repeat(20_000)}${'{% endif %}'.repeat(20_000)}`;
    const long = '{{ input.a | append: input.a }}'.repeat(8000);
    for (const text of [...HOSTILE, deep, long]) {
      const found = await templates.checkTemplate(text, { input: undefined });
      expect(Array.isArray(found.issues)).toBe(true);
    }
  });
});
