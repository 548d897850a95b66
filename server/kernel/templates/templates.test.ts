import { describe, expect, test } from 'vitest';
import type { Json } from '../../../shared/json.ts';
import { createTemplates } from './index.ts';

const templates = createTemplates();
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
  ])('%s', (text, input, expected) => {
    expect(render(text, input)).toEqual({ ok: true, text: expected });
  });
});

describe('a text is unrenderable', () => {
  test.each([
    ['{{ input.missing }}', {}, '`input.missing` is missing'],
    ['a\nb {{ input.missing }}', {}, 'Line 2, column'],
    ['{{ input }}', {}, 'prints an object'],
    ['{{ input.list }}', { list: [] }, 'prints a list'],
    ['{{ input.constructor }}', {}, 'is missing'],
    ['{{ input.a | raw }}', { a: {} }, 'no filter `raw`'],
    ['{{ input.a | shuffle }}', { a: [1] }, 'no filter `shuffle`'],
    ['{% include "x" %}', {}, 'no tag `include`'],
    ['{% render "x" %}', {}, 'no tag `render`'],
    ['{% for i in (1..300000) %}aa{% endfor %}', {}, ''],
    ['{% for i in (1..100000) %}{% for j in (1..100000) %}{{ i }}{% endfor %}{% endfor %}', {}, ''],
  ])('%s', (text, input, words) => {
    const rendered = render(text, input);
    expect(rendered).toMatchObject({ ok: false, detail: expect.stringContaining(words) });
  });

  test('and the refusal holds no value', () => {
    const rendered = render('{{ input.list }}', { list: ['a secret'] });
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
    ['{{ owner }}', ['1:', 'no variable `owner`'], []],
    ['a\n{{ input.owner', ['2:', 'not closed'], []],
    ['{{ input.owner | upcse }}', ['1:', 'no filter `upcse`'], []],
    ['{% iff input.owner %}{% endiff %}', ['1:', 'no tag `iff`'], []],
  ])('%s', (text, issues, warnings) => {
    const told = ({ line, detail }: { line: number; detail: string }): string => `${line}: ${detail}`;
    const found = check(text);
    expect(found.issues.length > 0).toBe(issues.length > 0);
    expect(found.warnings.length > 0).toBe(warnings.length > 0);
    for (const words of issues) expect(found.issues.map(told).join()).toContain(words);
    for (const words of warnings) expect(found.warnings.map(told).join()).toContain(words);
  });
});
