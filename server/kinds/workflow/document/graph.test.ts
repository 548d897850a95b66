import { describe, expect, test } from 'vitest';
import type { WorkflowDocument } from './dsl.ts';
import { graphOf, type WorkflowGraph } from './graph.ts';
import { readTestSource } from '../../../lib/yaml/sources.testing.ts';
import { workflow } from './samples.testing.ts';
import { walk } from './walk.ts';

function draw(body: string): WorkflowGraph {
  const { value, positions } = readTestSource(workflow(body));
  return graphOf(walk(value as unknown as WorkflowDocument), positions);
}

/** Edges in short: steps by their names. */
function edgesOf(body: string): string[] {
  const { nodes, edges } = draw(body);
  const name = (id: string): string => nodes.find((node) => node.id === id)?.name ?? id;
  return edges.map(
    ({ from, to, kind, label }) => `${name(from)} ${kind}${label === undefined ? '' : ` (${label})`} ${name(to)}`,
  );
}

describe('given a workflow', () => {
  test('its steps are nodes with their place, their line and what they stand under', () => {
    const { nodes } = draw(
      'do:\n  - a:\n      do:\n        - b: { call: computation/score }\n  - c: { call: tool, with: { tool: chat/post } }\n',
    );
    expect(nodes).toEqual([
      { id: 'start', name: 'start', type: 'start', summary: 'the workflow starts', line: 1 },
      { id: '/do/0/a', name: 'a', type: 'do', summary: 'runs its steps in order', line: 4 },
      {
        id: '/do/0/a/do/0/b',
        name: 'b',
        type: 'call',
        summary: 'calls `computation/score`',
        parent: '/do/0/a',
        calls: 'computation/score',
        line: 6,
      },
      { id: '/do/1/c', name: 'c', type: 'call', summary: 'calls the tool `chat/post`', calls: 'chat/post', line: 7 },
      { id: 'end', name: 'end', type: 'end', summary: 'the workflow ends', line: 3 },
    ]);
  });

  test.each([
    ['no steps', 'do: []', ['start next end']],
    [
      'steps in a row',
      'do: [{ a: { wait: PT1S } }, { b: { wait: PT1S } }]',
      ['start next a', 'a next b', 'b next end'],
    ],
    [
      'directives',
      'do: [{ a: { wait: PT1S, then: c } }, { b: { wait: PT1S, then: end } }, { c: { wait: PT1S, then: b } }]',
      ['start next a', 'a then c', 'b then end', 'c then b'],
    ],
    ['`exit` out of the workflow', 'do: [{ a: { wait: PT1S, then: exit } }]', ['start next a', 'a exit end']],
    [
      '`exit` out of a list',
      'do: [{ a: { do: [{ b: { wait: PT1S, then: exit } }, { c: { wait: PT1S } }] } }]',
      ['start next a', 'a next end', 'a enter b', 'b exit a'],
    ],
    [
      '`end` within a list',
      'do: [{ a: { do: [{ b: { wait: PT1S, then: end } }] } }]',
      ['start next a', 'a next end', 'a enter b', 'b then end'],
    ],
    [
      'a condition',
      'do: [{ a: { if: .x, wait: PT1S, then: end } }, { b: { wait: PT1S } }]',
      ['start next a', 'a then end', 'a skip (not .x) b', 'b next end'],
    ],
    ['a raise', 'do: [{ a: { raise: { error: x } } }, { b: { wait: PT1S } }]', ['start next a', 'b next end']],
    [
      'a raise under a condition',
      'do: [{ a: { if: .x, raise: { error: x } } }, { b: { wait: PT1S } }]',
      ['start next a', 'a skip (not .x) b', 'b next end'],
    ],
    [
      'a switch',
      'do: [{ a: { switch: [{ x: { when: .x, then: c } }] } }, { b: { wait: PT1S } }, { c: { wait: PT1S } }]',
      ['start next a', 'a case (x) c', 'a next b', 'b next c', 'c next end'],
    ],
    [
      'a switch with a default',
      'do: [{ a: { switch: [{ x: { when: .x, then: end } }, { d: { then: exit } }] } }]',
      ['start next a', 'a case (x) end', 'a exit (d) end'],
    ],
    [
      'a fork',
      'do: [{ a: { fork: { branches: [{ b: { wait: PT1S } }, { c: { wait: PT1S } }] } } }]',
      ['start next a', 'a next end', 'a branch b', 'a branch c'],
    ],
    [
      'a try',
      'do: [{ a: { try: [{ b: { wait: PT1S } }], catch: { do: [{ c: { wait: PT1S } }], then: d } } }, { n: { wait: PT1S } }, { d: { wait: PT1S } }]',
      ['start next a', 'a next n', 'a catch d', 'a enter b', 'a catch c', 'n next d', 'd next end'],
    ],
    [
      'a loop',
      'do: [{ a: { for: { in: .x }, do: [{ b: { wait: PT1S } }] } }]',
      ['start next a', 'a next end', 'a enter b'],
    ],
    [
      'events one by one',
      'do: [{ a: { listen: { to: { any: [] } }, foreach: { do: [{ b: { wait: PT1S } }] } } }]',
      ['start next a', 'a next end', 'a enter b'],
    ],
    [
      'a function',
      'use: { functions: { f: { wait: PT1S } } }\ndo: [{ a: { call: f } }]',
      ['start next a', 'a next end', 'a call f'],
    ],
  ])('with %s, its edges lead to every possible next step', (_, body, edges) => {
    expect(edgesOf(body)).toEqual(edges);
  });
});
