// Workflows whose steps, expressions and schedules cost more than they look.
import { fill, type HostileText, repeated } from './fill.ts';

const HEAD = "document: { dsl: '1.0.3', namespace: desk, name: hostile, version: 1.0.0 }\n";
const workflow = (piece: (index: number) => string, { before = 'do:\n', after = '' } = {}): string =>
  fill(piece, { before: HEAD + before, after });

export const WORKFLOWS: readonly HostileText[] = [
  ['2,000 steps', workflow((index) => `- s${index}: { set: { a: 1 } }\n`)],
  ['2,000 steps that each lead to the last', workflow((index) => `- s${index}: { set: { a: 1 }, then: s0 }\n`)],
  ['steps that lead nowhere', workflow((index) => `- s${index}: { set: { a: 1 }, then: t${index} }\n`)],
  ['steps of one name', workflow(() => '- s: { set: { a: 1 } }\n')],
  ['steps of an unknown form', workflow((index) => `- s${index}: { sett: {} }\n`)],
  ['steps with a mistyped call', workflow((index) => `- s${index}: { call: computatio/n${index} }\n`)],
  ['calls of missing definitions', workflow((index) => `- s${index}: { call: computation/f-${index} }\n`)],
  ['calls of missing tools', workflow((index) => `- s${index}: { call: tool, with: { tool: a/b${index} } }\n`)],
  [
    'calls of hosts',
    workflow((index) => `- s${index}: { call: http, with: { method: get, endpoint: 'http://h${index}' } }\n`),
  ],
  ['lists in lists', `${HEAD}do: ${repeated('[{ a: { do: ', 190, '[]', ' } }]')}`],
  [
    'wide lists in lists',
    workflow((index) => `- s${index}: { do: [{ a: { do: [{ b: { set: { a: 1 } } }, { c: { wait: PT1S } }] } }] }\n`),
  ],
  [
    'a fork of 2,000 branches',
    workflow((index) => `      - b${index}: { set: { a: 1 } }\n`, {
      before: 'do:\n- f:\n    fork:\n      branches:\n',
    }),
  ],
  [
    'a switch of 2,000 cases',
    workflow((index) => `    - c${index}: { when: '.a', then: end }\n`, { before: 'do:\n- f:\n    switch:\n' }),
  ],
  [
    'functions that call each other',
    workflow((index) => `    f${index}: { call: f${Math.min(index + 1, 2000)} }\n`, {
      before: 'use:\n  functions:\n',
      after: 'do: []\n',
    }),
  ],
  [
    'functions that call what is almost there',
    workflow((index) => `    f${index}: { call: g${index} }\n`, { before: 'use:\n  functions:\n', after: 'do: []\n' }),
  ],
  [
    'retries that are almost there',
    workflow((index) => `- s${index}: { try: [], catch: { retry: r${index} } }\n`, {
      before: `use: { retries: { ${Array.from({ length: 500 }, (_, index) => `q${index}: {}`).join(', ')} } }\ndo:\n`,
    }),
  ],
  [
    'functions that all call the last',
    workflow((index) => `    f${index}: { call: f0 }\n`, { before: 'use:\n  functions:\n', after: 'do: []\n' }),
  ],
  ['expressions', workflow((index) => `- s${index}: { set: { a: '\${ .a${index} }' } }\n`)],
  ['expressions that cannot be read', workflow((index) => `- s${index}: { set: { a: '\${ .a${index} | }' } }\n`)],
  ['one long expression', `${HEAD}do: [{ a: { set: { b: '\${ ${'. | '.repeat(15_000)} . }' } } }]`],
  ['one deep expression', `${HEAD}do: [{ a: { set: { b: '\${ ${repeated('(', 25_000, '.', ')')} }' } } }]`],
  ['members of one set', workflow((index) => `    a${index}: '\${ . }'\n`, { before: 'do:\n- s:\n   set:\n' })],
  [
    'members that nobody reads',
    workflow((index) => `        a${index}: 1\n`, {
      before: "do:\n- s:\n    emit:\n      event:\n       with:\n        type: a\n        source: 'a'\n",
    }),
  ],
  ['unknown fields', workflow((index) => `x${index}: 1\n`, { before: '', after: 'do: []\n' })],
  ['secrets', workflow((index) => `, s${index}`, { before: 'use: { secrets: [a', after: '] }\ndo: []\n' })],
  [
    'named errors',
    workflow((index) => `    e${index}: { type: 'a', status: 400 }\n`, {
      before: 'use:\n  errors:\n',
      after: 'do: []\n',
    }),
  ],
  [
    'named retries',
    workflow((index) => `    r${index}: { delay: PT1S, when: '.a' }\n`, {
      before: 'use:\n  retries:\n',
      after: 'do: []\n',
    }),
  ],
  [
    'events that start it',
    workflow((index) => `    - with: { type: t${index} }\n`, {
      before: 'schedule:\n  on:\n    any:\n',
      after: 'do: []\n',
    }),
  ],
  [
    'correlations',
    workflow((index) => `          c${index}: { from: .a }\n`, {
      before: 'schedule:\n  on:\n    one:\n        with: { type: a }\n        correlate:\n',
      after: 'do: []\n',
    }),
  ],
  [
    'an input schema of 1,000 schemas',
    workflow((index) => `        p${index}: { type: string }\n`, {
      before: 'input:\n  schema:\n    document:\n      type: object\n      properties:\n',
      after: 'do: []\n',
    }),
  ],
  [
    'a thousand small schemas',
    workflow((index) => `- s${index}: { set: { a: 1 }, input: { schema: { document: { type: object } } } }\n`),
  ],
  [
    'examples',
    workflow((index) => `    - { name: e${index}, input: {} }\n`, { before: 'x-examples:\n', after: 'do: []\n' }),
  ],
  ['aliases of steps', workflow(() => '- *s\n', { before: 'do:\n- &s { a: { set: { a: 1 } } }\n' })],
  ['durations', workflow((index) => `- s${index}: { wait: { seconds: ${index} } }\n`)],
  ['a cron of nonsense', `${HEAD}schedule: { cron: '${'1,'.repeat(30_000)}1 * * * *' }\ndo: []\n`],
  ['an interval of nonsense', `${HEAD}schedule: { every: P${'1D'.repeat(30_000)} }\ndo: []\n`],
];
