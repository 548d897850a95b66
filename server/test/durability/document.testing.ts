// Shapes as documents of the workflow language. Names are numbered, so that every step of a document has its own.
import { assertNever } from '../../../shared/assert-never.ts';
import type { JsonObject } from '../../../shared/json.ts';
import type { Failure, Loser, Shape, Shapes } from './shapes.testing.ts';

export interface Definition {
  type: 'computation' | 'interaction' | 'workflow';
  name: string;
  source: string;
}

const PLAYBOOK = 'desk';
/** Long enough for everything a test lets pass, and short of the 366 days that a run may last. */
const LONG = { days: 300 };
const NEVER = { listen: { to: { one: { with: { type: 'never.sent' } } } } };
const RAISE = { raise: { error: { type: 'https://example.org/own', status: 418, title: 'Own' } } };
const BACK_TO_INPUT = { output: { as: '$input' } };
const TAKE_NUMBER = { output: { as: '$input + { n: .n }' } };
const ADD_UP = { output: { as: '$input + { n: (($input.n + (map(.n) | add)) % 997) }' } };

type Task = JsonObject;
type Numbers = () => number;

function workflow(name: string, steps: JsonObject): Definition {
  const document = { dsl: '1.0.3', namespace: PLAYBOOK, name, version: '1.0.0' };
  return { type: 'workflow', name, source: JSON.stringify({ document, ...steps }) };
}

export function question(expires: string): string {
  return JSON.stringify({ ask: { to: 'ada', message: 'Which number?', answer: { type: 'object' }, expires } });
}

/** What every playbook of these tests has. Questions by the name `ask` are answered. */
export const SURROUNDINGS: readonly Definition[] = [
  {
    type: 'computation',
    name: 'mix',
    source: `export const input = { type: 'object', required: ['n'], properties: { n: { type: 'integer' } } };
export default ({ n, k }) => ({ n: (n * 7 + k) % 997 });`,
  },
  { type: 'computation', name: 'refuse', source: `export default () => { throw new Error('No.'); };` },
  { type: 'interaction', name: 'ask', source: question('P90D') },
  { type: 'interaction', name: 'ask-in-vain', source: question('PT1M') },
  workflow('stuck', { do: [{ hang: NEVER }] }),
  workflow('fail', { do: [{ pause: { wait: { seconds: 1 } } }, { fall: RAISE }] }),
  workflow('react', {
    schedule: { on: { one: { with: { type: 'ping.made' } } } },
    do: [{ pause: { wait: { seconds: 1 } } }, { take: { set: '${ .[0] }' } }],
  }),
];

/** The workflows of a case; `main` is the one at the top. */
export function definitionsOf({ main, children }: Shapes): { main: Definition; children: Definition[] } {
  return {
    main: workflow('main', { timeout: { after: LONG }, do: listOf('main', main, numbers()) }),
    children: children.map((steps, child) =>
      workflow(`child${child}`, { do: listOf(`child${child}`, steps, numbers()) }),
    ),
  };
}

function numbers(): Numbers {
  let last = 0;
  return () => {
    last += 1;
    return last;
  };
}

/** Below steps of these names things may go one way or another. */
function prefixOf({ is }: Shape): string {
  if (is === 'race' || is === 'effect') return is;
  return 's';
}

function listOf(workflowName: string, shapes: readonly Shape[], next: Numbers): JsonObject[] {
  const named = shapes.map((shape) => ({ shape, name: `${prefixOf(shape)}${next()}` }));
  return named.map(({ shape, name }, place) => {
    const steps = (inner: readonly Shape[]): JsonObject[] => listOf(workflowName, inner, next);
    return {
      [name]: taskOf(shape, { name, event: `${workflowName}.${name}`, later: named[place + 2]?.name, steps, next }),
    };
  });
}

interface Writing {
  name: string;
  /** What its events are named after. */
  event: string;
  /** The step after the next one. */
  later: string | undefined;
  steps: (shapes: readonly Shape[]) => JsonObject[];
  next: Numbers;
}

function taskOf(shape: Shape, writing: Writing): Task {
  const { name, steps, next } = writing;
  switch (shape.is) {
    case 'set':
      return {
        ...(shape.if ? { if: '.n % 2 == 0' } : {}),
        set: `\${ . + { n: ((.n * 3 + ${shape.n}) % 997) } }`,
      };
    case 'wait':
      return { wait: { seconds: shape.seconds } };
    case 'compute':
      return {
        call: 'computation/mix',
        with: { n: '${ .n }', k: shape.k },
        ...TAKE_NUMBER,
        ...(shape.bounded ? { timeout: { after: LONG } } : {}),
      };
    case 'call':
      return callOf(`child${shape.child}`, shape.by);
    case 'listen':
      return listenOf(shape, writing);
    case 'emit':
      return shape.isTwin ? twinOf(name) : { emit: { event: { with: PING } }, ...BACK_TO_INPUT };
    case 'effect': {
      const given = { method: shape.mayRepeat ? 'get' : 'post', endpoint: 'https://example.org/' };
      return { try: [{ call: { call: 'http', with: given } }], catch: {}, ...BACK_TO_INPUT };
    }
    case 'ask':
      if (shape.isAnswered) return { call: 'interaction/ask', ...TAKE_NUMBER };
      return { try: [{ ask: { call: 'interaction/ask-in-vain' } }], catch: {}, ...BACK_TO_INPUT };
    case 'do': {
      const inner = steps(shape.steps);
      const [first, ...more] = inner;
      return {
        do: shape.exits && first !== undefined ? [leaving(first), ...more] : inner,
        ...(shape.bounded ? { timeout: { after: LONG } } : {}),
      };
    }
    case 'for':
      return { for: { in: range(shape.times) }, do: steps(shape.steps) };
    case 'long for':
      return {
        for: { in: range(shape.times) },
        do: [{ one: { set: { n: 1 } } }, { two: { set: { n: 2 } } }],
        ...BACK_TO_INPUT,
      };
    case 'again':
      return {
        do: [
          { count: { set: `\${ . + { ${name}: ((.${name} // 0) + 1) } }` } },
          ...steps(shape.steps),
          { back: { switch: [{ more: { when: `.${name} < ${shape.times}`, then: 'count' } }, { enough: GO_ON }] } },
        ],
      };
    case 'fork':
      return {
        fork: { branches: shape.branches.map((branch) => ({ [`b${next()}`]: { do: steps(branch) } })) },
        ...ADD_UP,
      };
    case 'won fork': {
      const losers = shape.losers.map((loser) => ({ [`race${next()}`]: loserOf(loser) }));
      return { fork: { compete: true, branches: [...losers, { [`b${next()}`]: { do: steps(shape.winner) } }] } };
    }
    case 'race': {
      const branches = shape.rivals.map((rival) => ({ [`b${next()}`]: { do: steps(rival) } }));
      return { fork: { compete: true, branches }, ...BACK_TO_INPUT };
    }
    case 'try': {
      const retry = {
        delay: { seconds: shape.seconds },
        backoff: { exponential: {} },
        limit: { attempt: { count: shape.retries } },
      };
      return {
        try: [...steps(shape.steps), ...failureOf(shape.fails)],
        catch: { ...(shape.retries > 0 ? { retry } : {}), do: steps(shape.handler) },
      };
    }
    case 'flaky try':
      return flakyOf(shape, writing);
    case 'switch': {
      const inner = steps(shape.steps);
      const later = Object.keys(inner[1] ?? {})[0] ?? 'exit';
      const then = shape.to === 'next but one' ? later : shape.to;
      return { do: [{ pick: { switch: [{ even: { when: '.n % 2 == 0', then } }, { other: GO_ON }] } }, ...inner] };
    }
    case 'raise':
      return RAISE;
    case 'end':
      return { set: '${ . }', then: 'end' };
    default:
      return assertNever(shape);
  }
}

const GO_ON = { then: 'continue' };
const PING = { type: 'ping.made', source: '/desk', data: { n: '${ .n }' } };

/** An event under an id of its own: a second one with other data is refused. */
function twinOf(name: string): Task {
  const own = { source: '${ "/desk/" + $workflow.id }', id: name, time: '2026-01-01T00:00:00Z' };
  return { try: [{ twin: { emit: { event: { with: { ...PING, ...own } } } } }], catch: {}, ...BACK_TO_INPUT };
}

function callOf(name: string, by: 'call' | 'run' | 'run and go on'): Task {
  const input = { n: '${ .n }' };
  if (by === 'call') return { call: `workflow/${name}`, with: input, ...TAKE_NUMBER };
  const run = { workflow: { namespace: PLAYBOOK, name, version: 'latest', input } };
  return by === 'run' ? { run, ...TAKE_NUMBER } : { run: { ...run, await: false } };
}

function listenOf(shape: Shape & { is: 'listen' }, { event, steps }: Writing): Task {
  const type = `${shape.mode}.${event}`;
  const of = (suffix: string): JsonObject => ({ with: { type: `${type}${suffix}` } });
  const strategies: Record<typeof shape.wants, JsonObject> = {
    one: { one: of('') },
    all: { all: [of('.a'), of('.b')] },
    two: { any: [of('')], until: 'length >= 2' },
  };
  return {
    listen: { to: strategies[shape.wants] },
    ...(shape.each.length === 0 ? {} : { foreach: { item: 'event', do: steps(shape.each) } }),
    ...ADD_UP,
  };
}

function loserOf(loser: Loser): Task {
  switch (loser) {
    case 'long wait':
      return { wait: LONG };
    case 'listen':
      return NEVER;
    case 'child':
      return { call: 'workflow/stuck' };
    case 'try':
      return { try: [{ hang: NEVER }], catch: {} };
    default:
      return assertNever(loser);
  }
}

function failureOf(failure: Failure): JsonObject[] {
  switch (failure) {
    case 'no':
      return [];
    case 'raise':
      return [{ fall: RAISE }];
    case 'refused computation':
      return [{ refuse: { call: 'computation/refuse' } }];
    case 'misfit computation':
      return [{ misfit: { call: 'computation/mix', with: { n: 'text' } } }];
    case 'timeout':
      return [{ hang: { ...NEVER, timeout: { after: { seconds: 30 } } } }];
    case 'failing child':
      return [{ fall: { call: 'workflow/fail' } }];
    default:
      return assertNever(failure);
  }
}

function flakyOf({ failures, seconds, steps: shapes }: Shape & { is: 'flaky try' }, { name, steps }: Writing): Task {
  const counted = `$context + { ${name}: (($context.${name} // 0) + 1) }`;
  return {
    try: [
      { count: { set: '${ . }', export: { as: counted } } },
      ...steps(shapes),
      { maybe: { if: `$context.${name} <= ${failures}`, ...RAISE } },
    ],
    catch: { retry: { delay: { seconds }, limit: { attempt: { count: failures } } } },
  };
}

/** The step with `then: exit`, so that its list ends with it. */
function leaving(item: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(item).map(([name, task]) => [name, { ...(task as Task), then: 'exit' }]));
}

function range(count: number): string {
  return `[range(${count})]`;
}

/** Types of events that a workflow takes when they are sent to it. */
export function sentTypesOf({ source }: Definition): string[] {
  return [...new Set(source.match(/sent\.main\.\w+(\.[ab])?/g))];
}
