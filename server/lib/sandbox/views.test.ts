// Programs that keep views, in the real sandbox: what their top level may hold, and what an event leaves behind.
import { afterAll, describe, expect, test } from 'vitest';
import { createSandbox, type Folded, type NotFolded } from './index.ts';

const sandbox = createSandbox();
afterAll(() => sandbox.close());

const FORM = {
  exports: ['initial', 'evolve', 'answer'],
  parameters: { evolve: ['State', 'PlaybookEvent'], answer: ['State', 'Input'] },
  keepsView: true,
};
const MIB = 1_048_576;

async function issues(top: string, rest = REST): Promise<string[]> {
  const looked = await sandbox.check(`${top}\n${rest}`, FORM);
  if (typeof looked !== 'object') throw new Error('The program was not looked at.');
  return looked.issues.map(({ line, detail }) => `${line} ${detail}`);
}
const REST =
  'export const initial = {}; export const evolve = (state, event) => state; export const answer = (state) => state;';

/** What a view becomes over events, in batches of so many. */
async function fold(program: string, events: readonly object[], batch = events.length): Promise<unknown> {
  const texts = events.map((event, index) =>
    JSON.stringify({ id: `0192b3a4-5c6d-7e8f-9a0b-0000000000${index + 10}`, at: '2026-03-01T12:00:00.000Z', ...event }),
  );
  let state = '';
  for (let from = 0; from < texts.length; from += batch) {
    const folded = await sandbox.fold({
      source: program,
      state,
      events: texts.slice(from, from + batch),
      stateBytes: MIB,
    });
    if (typeof folded !== 'object' || folded.kind === 'ended') throw new Error('Nothing was folded.');
    if (folded.kind === 'not_folded') return folded.detail;
    expect(folded.count).toBe(Math.min(batch, texts.length - from));
    state = folded.state;
  }
  return JSON.parse(state) as unknown;
}
const view = (body: string, { initial = '{}', top = '' } = {}): string =>
  `${top}\nexport const initial = ${initial};\nexport function evolve(state, event) { ${body} }\nexport const answer = (state, input) => ({ state, input });`;
const once = (body: string, options = {}): Promise<unknown> => fold(view(body, options), [{}]);

describe('at the top level is refused', () => {
  test.each([
    ['a `let`', 'const a = 1;\nlet n = 0;', /^2 A top-level `let`/],
    ['an exported `let`', 'export let initial = {};', /^1 A top-level `let`/],
    ['a `var`', 'var n = 0;', /^1 A top-level `var`/],
    ['a `var` in a loop', 'for (var i = 0; i < 3; i += 1) {}', /^1 A top-level `var`/],
    ['a Map', 'const seen = new Map();', /^1 `seen` holds a Map: it could change between events/],
    ['a Set inside plain data', 'const all = { a: [new Set()] };', /^1 `all` holds a Set/],
    ['a date', 'const start = new Date();', /^1 `start` holds a Date/],
    ['a promise', 'const later = Promise.resolve(1);', /holds a Promise/],
    ['a WeakMap', 'const known = new WeakMap();', /holds a WeakMap/],
    ['a typed array', 'const bytes = new Uint8Array(4);', /an object that is not plain data/],
    [
      'an object of a class',
      'class Counter { n = 0; }\nconst counter = new Counter();',
      /^2 `counter` holds an object/,
    ],
    ['a generator that runs', 'const ids = (function* () { yield 1; })();', /an object that is not plain data/],
    [
      'a regular expression with g',
      'const word = /\\w+/g;',
      /^1 `word` holds a regular expression with the flag g or y/,
    ],
    ['a regular expression with y', 'const word = /\\w+/y;', /flag g or y/],
    ['a destructured Map', 'const { seen } = { seen: new Map() };', /^1 `seen` holds a Map/],
    ['a Map on a function', 'function f() {}\nf.cache = new Map();', /^1 `f` holds a Map/],
    ['a Map on a class', 'class A { static cache = new Map(); }', /^1 `A` holds a Map/],
    ['a static private field', 'class A { static #n = 0; static next() { return (A.#n += 1); } }', /private field/],
    [
      'a function that a call made',
      'const next = (() => { let n = 0; return () => (n += 1); })();',
      /^1 `next` contains a function that is defined inside another function or a block, so it could keep/,
    ],
    [
      'a function that a call put into plain data',
      'const make = () => { let n = 0; return () => (n += 1); };\nconst all = {};\nall.next = make();',
      /^2 `all` contains a function that is defined inside/,
    ],
    [
      'a function that a call put on a class',
      'const make = () => { let n = 0; return () => (n += 1); };\nclass A { static next = make(); }',
      /^2 `A` contains a function that is defined inside/,
    ],
    [
      'a bound generator',
      'const ids = function* () { yield 1; };\nconst next = ids().next.bind(ids());',
      /^2 `next` holds a function that is not written in the program/,
    ],
    [
      'a function beside a variable of a block',
      'const box = {};\n{ let n = 0; box.next = () => (n += 1); }',
      /^1 `box` contains a function that is defined inside/,
    ],
    [
      'a function beside a variable of a loop',
      'const box = {};\nfor (let n = 0; n < 1; n += 1) box.next = () => (n += 1);',
      /^1 `box` contains a function/,
    ],
    [
      'a function of a static block',
      'class A { static { let n = 0; A.next = () => (n += 1); } }',
      /^1 `A` contains a function/,
    ],
    [
      'a function that a getter gave',
      'const o = { get make() { let n = 0; return () => (n += 1); } };\nconst next = o.make;',
      /^2 `next` contains a function/,
    ],
    [
      'a getter that a call put there',
      "const o = {};\n(() => { let n = 0; Object.defineProperty(o, 'next', { get: () => (n += 1) }); })();",
      /^1 `o` contains a function/,
    ],
    [
      'a function of an object of a class',
      'class A { n = 0; next = () => (this.n += 1); }\nconst { next } = new A();',
      /^2 `next` contains a function/,
    ],
    [
      'a class that a function made, as the base of another',
      'const make = () => { let n = 0; return class { static next() { return (n += 1); } }; };\nclass A extends make() {}',
      /^2 `A` contains a function/,
    ],
    ['a Map as a prototype', 'function F() {}\nF.prototype = new Map();\nclass A extends F {}', /^1 `F` holds a Map/],
    [
      'a function made of a text',
      "const next = Function('let n = 0; return () => (n += 1);')();",
      /^1 `next` holds a function that is not written in the program/,
    ],
    [
      'a private field that a base lets another class put on a constant',
      'class Base { constructor(it) { return it; } }\nclass A extends Base { #n = 0; }',
      /^2 A private field of a class that extends another/,
    ],
    [
      'a Map that passes for plain data',
      'const all = Object.setPrototypeOf(new Map(), Object.prototype);',
      /threw TypeError/,
    ],
    ['a proxy', 'const all = new Proxy({}, {});', /`Proxy` is not available/],
    ['a change of a built-in', 'Array.prototype.last = () => 1;', /threw TypeError/],
    ['a change of the global object', 'globalThis.n = 0;', /threw TypeError/],
  ])('%s', async (_name, top, words) => {
    const [first] = await issues(top, top.includes('initial') ? REST.replace('export const initial = {};', '') : REST);
    expect(first).toMatch(words);
  });

  test('and nothing else', async () => {
    const top = `
const LEVELS = Object.freeze(['low', 'high']);
const BY_NAME = Object.fromEntries(LEVELS.map((level, index) => [level, { index }]));
const NOTHING = Object.create(null);
const WORD = /\\w+/i;
const BIG = 10n;
const { floor, PI } = Math;
const [first, ...others] = LEVELS;
const handlers = { opened(state) { state.n = 1; }, get closed() { return 1; } };
const helper = (state) => state;
function* numbers() { yield 1; }
class Ticket { static LEVELS = ['low']; #id = 1; get id() { return this.#id; } static of() { return new Ticket(); } }
class Late extends Ticket { constructor() { super(); this.late = true; } static from = (it) => it; static async *all() {} get late() { return true; } }
const é = ' 😀', forms = { async a() {}, *b() {}, async *c() {}, ['d' + 1]: async (x) => x, e: x => x, f: class {}, set g(v) {}, h: function () {} };
const also = LEVELS.map((level) => level + 1).length > 1 ? helper : numbers, alias = Map, round = Math.round;
if (also) handlers.later = (state) => state;
const chosen = Object.fromEntries([['a', helper]]);
for (let i = 0; i < 3; i += 1) BY_NAME['level' + i] = { index: i };
helper.words = 'plain';`;
    expect(await issues(top)).toEqual([]);
  });
});

describe('between two events nothing is kept but the state', () => {
  const attempts: [name: string, top: string, change: string][] = [
    ['plain data', 'const all = { list: [1] };', 'all.list.push(2);'],
    ['plain data in plain data', 'const all = [{ n: 0 }];', 'all[0].n += 1;'],
    ['the exported `initial`', '', 'initial.n = 1;'],
    ['a function', 'function f() {}', 'f.n = 1;'],
    ['the prototype of a class', 'class A { m() {} }', 'A.prototype.n = 1;'],
    ['a static field', 'class A { static n = 0; }', 'A.n += 1;'],
    ['a regular expression', 'const word = /a/;', 'word.lastIndex = 1;'],
    ['the global object', '', 'globalThis.n = 1;'],
    ['a name without a declaration', '', 'n = 1;'],
    ['a prototype', '', 'Array.prototype.n = 1;'],
    ['the prototype of everything', '', 'Object.prototype.toString = 1;'],
    ['a built-in', '', 'Math.floor = 1;'],
    ['what only iterators have', '', '[].values().__proto__.n = 1;'],
    ['what only generators have', '', 'Object.getPrototypeOf(function* () {}).n = 1;'],
    ['what only async functions have', '', 'Object.getPrototypeOf(async () => {}).n = 1;'],
    ['the console', '', 'console.n = 1;'],
    ['a regular expression by another one', 'const word = /a/;', 'word.compile("b");'],
    [
      'a generator that passes for plain data',
      'function* ids() { for (let n = 0; ; n += 1) yield n; }\nids.prototype = Object.prototype;\nconst all = ids();',
      'Object.getPrototypeOf(function* () {}.prototype).next.call(all);',
    ],
    ['the function of a name', 'function f() {}', 'f = 1;'],
    ['the class of a name', 'class A {}', 'A = 1;'],
    ['the base of a class', 'class A extends class { static n = 0; } {}', 'A.__proto__.n = 1;'],
    ['an expando by definition', '', 'Object.defineProperty(Map, "n", { value: 1 });'],
  ];
  test.each(attempts)('a change of %s is refused', async (_name, top, change) => {
    expect(await once(`${change} return state;`, { top })).toMatch(/threw (TypeError|ReferenceError)/);
  });

  test('not what a helper replaced at the top level, since it cannot', async () => {
    expect(await once('return state;', { top: 'JSON.stringify = () => "x";' })).toMatch(/threw TypeError/);
  });

  test('while generators go on as ever', async () => {
    const top = 'function* numbers() { const got = (yield 1) ?? null; yield* [got, 3]; }';
    expect(await once('const it = numbers(); return [it.next(), it.next(2), ...it, ...numbers()];', { top })).toEqual([
      { value: 1, done: false },
      { value: 2, done: false },
      3,
      1,
      null,
      3,
    ]);
  });

  test('while words that built-ins have as names are members like any other', async () => {
    const program = view(
      "for (const word of ['constructor', 'toString', 'valueOf', 'a']) state[word] = (Object.hasOwn(state, word) ? state[word] : 0) + 1; return state;",
    );
    expect(await fold(program, [{}, {}])).toEqual({ constructor: 2, toString: 2, valueOf: 2, a: 2 });
    const error = "class Mine extends Error { constructor(m) { super(m); this.name = 'Mine'; } }";
    expect(await once("throw new Mine('no');", { top: error })).toMatch(/threw Mine: no\./);
  });

  test('so that a view is the same however its events are divided', async () => {
    const program = view(
      `state.dice.push(Math.random(), Math.random()); state.times.push(Date.now(), new Date().getTime(), START);
       state.list = state.list.concat(event.n); state.minus = -0; return event.n % 3 ? state : { ...state };`,
      { initial: '{ dice: [], times: [], list: [] }', top: 'const START = Date.now() + Math.random();' },
    );
    const events = Array.from({ length: 12 }, (_, n) => ({ n, at: new Date(Date.UTC(2026, 0, 1 + n)).toISOString() }));
    const whole = await fold(program, events);
    for (const batch of [1, 2, 5, 11]) expect(await fold(program, events, batch)).toEqual(whole);
  });
});

describe('the time and chance', () => {
  const asking = view('state.push([Date.now(), new Date().toISOString(), Math.random()]); return state;', {
    initial: '[]',
  });

  test('of `evolve` are those of the event: its `at`, and its id', async () => {
    const at = '2026-05-06T07:08:09.010Z';
    const [first, second, third] = (await fold(asking, [
      { at, id: 'a' },
      { at, id: 'b' },
      { at, id: 'a' },
    ])) as [number, string, number][];
    expect(first?.slice(0, 2)).toEqual([Date.parse(at), at]);
    expect(second?.[2]).not.toBe(first?.[2]);
    expect(third).toEqual(first);
  });

  test('are those of the event also where it is changed before they are asked for', async () => {
    const program = view("event.at = '1999-01-01T00:00:00Z'; event.id = 'x'; return [Date.now(), Math.random()];");
    const [now] = (await fold(program, [{ at: '2026-01-01T00:00:00.000Z' }])) as number[];
    expect(now).toBe(Date.UTC(2026, 0));
  });

  test('of `answer` are those of the run, whatever its events had', async () => {
    const source = `export const initial = 1; export const evolve = (state) => state;
      export const answer = async (state, input) => [state, input, Date.now(), Math.random()];`;
    const ask = async (seed: number) => {
      const ran = await sandbox.run({ source, state: '5', input: '"q"', now: 77, seed, outputBytes: 1000 });
      return typeof ran === 'object' && ran.kind === 'ran' ? (JSON.parse(ran.output) as unknown[]) : ran;
    };
    expect(await ask(1)).toEqual([5, 'q', 77, expect.any(Number)]);
    expect(await ask(1)).toEqual(await ask(1));
    expect(await ask(2)).not.toEqual(await ask(1));
  });
});

describe('a state that would not come back as it is stops the view', () => {
  test.each([
    ['nothing returned', 'state.n = 1;', 'The state is undefined; return the state.'],
    ['a promise', 'return Promise.resolve(state);', /is a promise; a view is kept without waiting/],
    [
      'undefined',
      'return { a: [{ b: undefined }] };',
      'The state holds undefined at /a/0/b, which JSON cannot; use null.',
    ],
    ['NaN', 'return { a: NaN };', 'The state holds NaN at /a, which JSON cannot.'],
    ['a function', 'return { a() {} };', /holds a function at \/a/],
    ['a BigInt', 'return { a: 1n };', /holds a BigInt at \/a/],
    [
      'a part that it holds twice',
      'const a = {}; return { a, b: { a } };',
      /holds a part that it holds elsewhere too at \/b\/a/,
    ],
    ['a cycle', 'state.self = state; return state;', /a part that it holds elsewhere too at \/self/],
    ['a date', 'return { at: new Date() };', /an object of a class at \/at/],
    ['a Map', 'return new Map();', /an object of a class/],
    ['an object without a prototype', 'return { a: Object.create(null) };', /without a prototype at \/a/],
    ['a frozen constant', 'return { a: ALL };', /holds a frozen part at \/a; give it a copy/],
    ['a getter', 'return { get a() { return 1; } };', /a member with rules of its own at \/a/],
    [
      'a read-only member',
      'return Object.defineProperty({}, "a", { value: 1, enumerable: true });',
      /rules of its own/,
    ],
    ['a hidden member', 'return Object.defineProperty({}, "a", { value: 1 });', /a hidden member/],
    ['a symbol as a name', 'return { [Symbol("a")]: 1 };', /a hidden member/],
    ['a list with holes', 'return [1, , 2];', /a list with holes or names/],
    ['a list with names', 'const a = [1]; a.n = 2; return { a };', /a list with holes or names at \/a/],
    ['a toJSON', 'return { toJSON: () => 5 };', /holds a function at \/toJSON/],
    ['513 levels', 'let a = []; for (let i = 0; i < 600; i += 1) a = [a]; return a;', /nests more than 512 levels/],
    ['more than 1 MiB', 'return "x".repeat(1048575);', /larger than the 1048576 bytes/],
    [
      'more than 1 MiB of UTF-8',
      'return "é".repeat(600000);',
      'The state has 1200002 bytes as JSON, and the maximum is 1048576.',
    ],
  ])('%s', async (_name, body, words) => {
    expect(await once(body, { top: 'const ALL = [1];' })).toMatch(words);
  });

  test('while every plain tree comes back', async () => {
    const odd = { '__proto__ ': 1, 'a/b': [null, true, 1e21, -0.5, '\u2028"\\'], '': {}, 5: [] };
    expect(await once(`return JSON.parse(${JSON.stringify(JSON.stringify(odd))});`)).toEqual(odd);
    expect(await fold(view('return "x".repeat(1048574);'), [{}])).toHaveLength(1048574);
    const own = view('const next = JSON.parse(\'{"__proto__":{"a":1}}\'); return { own: Object.keys(state), next };');
    expect(JSON.stringify(await fold(own, [{}]))).toBe('{"own":[],"next":{"__proto__":{"a":1}}}');
  });
});

describe('a hostile program stops at a bound', () => {
  test.each([
    ['work without end', 'for (;;) {}', /more work/],
    ['memory without end', 'const all = []; for (;;) all.push(new Array(1000).fill(1));', /64 MiB/],
    ['a recursion without end', 'const f = () => f() + 1; return f();', /1 MiB/],
    [
      'a text that nests too deep',
      'return JSON.parse("[".repeat(1e5) + "]".repeat(1e5));',
      /broke the sandbox|too deeply/,
    ],
    [
      'work that catches what stops it',
      'for (;;) { try { for (;;) {} } catch {} finally { state.n = 1; } }',
      /more work/,
    ],
    [
      'a forged error',
      'throw { name: "x".repeat(1e6), message: "y".repeat(1e6), stack: "" };',
      /threw x{100}: y{500}\.$/,
    ],
  ])('%s', async (_name, body, words) => {
    expect(await once(body)).toMatch(words);
  });

  test('and each event has the whole of the work, also in a long batch', async () => {
    const program = view('let n = 0; while (n < 3000000) n += 1; state.n = (state.n ?? 0) + 1; return state;');
    const state = async (events: object[]): Promise<Folded | NotFolded> => {
      const texts = events.map((event) => JSON.stringify({ id: 'a', at: '2026-01-01T00:00:00Z', ...event }));
      const folded = await sandbox.fold({ source: program, state: '', events: texts, stateBytes: MIB });
      if (typeof folded !== 'object' || folded.kind === 'ended') throw new Error('Nothing was folded.');
      return folded;
    };
    const folded = await state(Array.from({ length: 5 }, () => ({})));
    expect(folded).toMatchObject({ kind: 'folded' });
    expect((folded as Folded).state).toBe(`{"n":${(folded as Folded).count}}`);
  });

  test('and nothing of it is there for a program that comes after it, nor is anything frozen for that one', async () => {
    await once('state.n = 1; return state;', { top: 'const leak = 1;' });
    const source = 'export default () => { globalThis.n = 1; Array.prototype.n = 2; return [[].n, typeof Proxy]; };';
    for (let round = 0; round < 4; round += 1) {
      const ran = await sandbox.run({ source, input: '{}', now: 0, seed: 1, outputBytes: 100 });
      expect(ran).toMatchObject({ kind: 'ran', output: '[2,"function"]' });
    }
  });
});

test('the event at which a batch failed is told, and the place in the program', async () => {
  const source = view('if (event.n === 2)\n    throw new Error("no");\n  return state;');
  const events = [0, 1, 2, 3].map((n) => JSON.stringify({ id: 'a', at: '2026-01-01T00:00:00Z', n }));
  expect(await sandbox.fold({ source, state: '', events, stateBytes: MIB })).toEqual({
    kind: 'not_folded',
    index: 2,
    detail: expect.stringMatching(/^Line 4, column \d+: The program threw Error: no\.$/),
  });
});

test('an event that is stuck inside a built-in ends the batch, and is reported', async () => {
  const source = view("if (event.n === 2) 'a'.repeat(9e6).indexOf('a'.repeat(4e6) + 'b');\n  return state;");
  const events = [0, 1, 2, 3].map((n) => JSON.stringify({ id: 'a', at: '2026-01-01T00:00:00Z', n }));
  expect(await sandbox.fold({ source, state: '', events, stateBytes: MIB })).toEqual({
    kind: 'ended',
    index: 2,
    how: 'late',
  });
});

test('a batch ends when its time is up, with what was folded', async () => {
  const source = view('let n = 0; while (n < 2000000) n += 1; return state;');
  const events = Array.from({ length: 500 }, () => JSON.stringify({ id: 'a', at: '2026-01-01T00:00:00Z' }));
  const folded = await sandbox.fold({ source, state: '', events, stateBytes: MIB });
  expect(folded).toMatchObject({ kind: 'folded' });
  expect((folded as Folded).count).toBeLessThan(500);
});
