import { describe, expect, test } from 'vitest';
import { createFindings } from '../../../../lib/yaml/index.ts';
import type { WorkflowDocument } from '../dsl.ts';
import { workflow } from '../samples.testing.ts';
import { readTestSource } from '../../../../lib/yaml/sources.testing.ts';
import { walk } from '../walk.ts';
import { checkFlow } from './flow.ts';

function warningsOf(body: string): string[] {
  const { value, positions } = readTestSource(workflow(body));
  const findings = createFindings(positions);
  checkFlow(walk(value as unknown as WorkflowDocument), findings);
  return findings.warnings.map(({ pointer, detail }) => `${pointer.slice('/source'.length)}: ${detail}`);
}

describe('given steps that nothing leads to', () => {
  test.each([
    ['after an unconditional `then`', 'do: [{ a: { set: { x: 1 }, then: end } }, { b: { set: { x: 1 } } }]', '/do/1/b'],
    ['after a raise', 'do: [{ a: { raise: { error: x } } }, { b: { set: { x: 1 } } }]', '/do/1/b'],
    [
      'after a switch with a default',
      'do: [{ a: { switch: [{ d: { then: c } }] } }, { b: { set: { x: 1 } } }, { c: { wait: PT1S } }]',
      '/do/1/b',
    ],
    [
      'after a `do` that always raises',
      'do: [{ a: { do: [{ r: { raise: { error: x } } }] } }, { b: { wait: PT1S } }]',
      '/do/1/b',
    ],
    [
      'after a try whose catch always ends',
      'do: [{ a: { try: [{ r: { raise: { error: x } } }], catch: { then: end } } }, { b: { wait: PT1S } }]',
      '/do/1/b',
    ],
    [
      'after a call of a function that always raises',
      'use: { functions: { f: { raise: { error: x } } } }\ndo: [{ a: { call: f } }, { b: { wait: PT1S } }]',
      '/do/1/b',
    ],
    [
      'after a fork of which one branch raises',
      'do: [{ a: { fork: { branches: [{ x: { raise: { error: x } } }, { y: { wait: PT1S } }] } } }, { b: { wait: PT1S } }]',
      '/do/1/b',
    ],
  ])('%s: there is a warning', (_, body, pointer) => {
    const [warning, ...others] = warningsOf(body);
    expect(warning).toContain(`${pointer}: The step `);
    expect(others).toEqual([]);
  });

  test.each([
    ['a raise under `if`', 'do: [{ a: { if: .x, raise: { error: x } } }, { b: { wait: PT1S } }]'],
    [
      'steps that `then` joins in another order',
      'do: [{ a: { set: { x: 1 }, then: c } }, { b: { set: { x: 1 }, then: end } }, { c: { set: { x: 1 }, then: b } }]',
    ],
    [
      'a try that catches what is always raised',
      'do: [{ a: { try: [{ r: { raise: { error: x } } }], catch: {} } }, { b: { wait: PT1S } }]',
    ],
    [
      'a fork whose branches compete',
      'do: [{ a: { fork: { compete: true, branches: [{ x: { raise: { error: x } } }, { y: { wait: PT1S } }] } } }, { b: { wait: PT1S } }]',
    ],
    [
      'a loop around a raise',
      'do: [{ a: { for: { in: .x }, do: [{ r: { raise: { error: x } } }] } }, { b: { wait: PT1S } }]',
    ],
    [
      'a switch without a default',
      'do: [{ a: { switch: [{ d: { when: .x, then: c } }] } }, { b: { set: { x: 1 } } }, { c: { wait: PT1S } }]',
    ],
    [
      'a step that only a catch goes to',
      'do: [{ a: { try: [{ r: { wait: PT1S } }], catch: { then: c }, then: end } }, { c: { wait: PT1S } }]',
    ],
  ])('%s: there is none', (_, body) => {
    expect(warningsOf(body)).toEqual([]);
  });
});

describe('given steps that go round', () => {
  test('with no way out there is one warning, where they begin', () => {
    const body = 'do: [{ in: { wait: PT1S } }, { a: { wait: PT1S } }, { b: { wait: PT1S, then: a } }]';
    expect(warningsOf(body)).toEqual([
      '/do/0/in: The steps from `in` on loop endlessly; add an `if` to one of them, or a `switch` that leaves the loop.',
    ]);
  });

  test('within a `do` the warning stands there alone', () => {
    const body = 'do: [{ o: { do: [{ a: { wait: PT1S, then: a } }] } }]';
    expect(warningsOf(body)).toHaveLength(1);
    expect(warningsOf(body)[0]).toContain('/do/0/o/do/0/a:');
  });

  test.each([
    ['a switch', 'do: [{ a: { wait: PT1S } }, { b: { switch: [{ again: { when: .x, then: a } }] } }]'],
    ['an `if`', 'do: [{ a: { wait: PT1S } }, { b: { if: .x, set: { y: 1 }, then: a } }]'],
    [
      'a raise',
      'do: [{ a: { switch: [{ r: { when: .x, then: c } }, { d: { then: a } }] } }, { c: { raise: { error: x } } }]',
    ],
    ['an `end` further in', 'do: [{ a: { do: [{ s: { switch: [{ r: { when: .x, then: end } }] } }], then: a } }]'],
  ])('and %s leads out of it, there is none', (_, body) => {
    expect(warningsOf(body)).toEqual([]);
  });

  test('functions that call each other unconditionally are reported, those with a condition are not', () => {
    const called = (condition: string): string =>
      `use: { functions: { f: { call: g }, g: { do: [{ x: { ${condition}call: f } }] } } }\ndo: [{ a: { call: f } }]`;
    expect(warningsOf(called('')).map((warning) => warning.split(':')[0])).toEqual(
      expect.arrayContaining(['/use/functions/f', '/use/functions/g']),
    );
    expect(warningsOf(called('if: .x, '))).toEqual([]);
  });
});

test('the time to look at a document does not grow with how its steps nest', () => {
  const nested = (levels: number): string =>
    levels === 0 ? '{ wait: PT1S }' : `{ try: [{ s: ${nested(levels - 1)} }], catch: { do: [{ c: { wait: PT1S } }] } }`;
  const started = performance.now();
  expect(warningsOf(`do: [{ a: ${nested(50)} }]`)).toEqual([]);
  expect(performance.now() - started).toBeLessThan(2000);
});
