// What an event leaves behind in a view.
import { describe, expect, test } from 'vitest';
import { createViewSandbox, view } from './views.testing.ts';

const { sandbox, fold, once } = createViewSandbox();

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
      'The state contains undefined at /a/0/b, which JSON cannot represent; use null.',
    ],
    ['NaN', 'return { a: NaN };', 'The state contains NaN at /a, which JSON cannot represent.'],
    ['a function', 'return { a() {} };', /contains a function at \/a/],
    ['a BigInt', 'return { a: 1n };', /contains a BigInt at \/a/],
    [
      'a part that it holds twice',
      'const a = {}; return { a, b: { a } };',
      /contains an object that occurs twice at \/b\/a/,
    ],
    [
      'a part of parts that it holds twice',
      'let a = [1]; for (let i = 0; i < 99; i += 1) a = [a, a]; return a;',
      /an object that occurs twice at \/0\/0.*\/1/,
    ],
    ['a cycle', 'state.self = state; return state;', /an object that occurs twice at \/self/],
    ['a date', 'return { at: new Date() };', /an object of a class at \/at/],
    ['a Map', 'return new Map();', /an object of a class/],
    ['an object without a prototype', 'return { a: Object.create(null) };', /without a prototype at \/a/],
    ['a frozen constant', 'return { a: ALL };', /contains a frozen part at \/a; give it a copy/],
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
    ['a toJSON', 'return { toJSON: () => 5 };', /contains a function at \/toJSON/],
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
