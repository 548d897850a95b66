// What the top level of a program that keeps a view may hold.
import { describe, expect, test } from 'vitest';
import { createViewSandbox, REST } from './views.testing.ts';

const { issues } = createViewSandbox();

describe('at the top level is refused', () => {
  test.each([
    ['a `let`', 'const a = 1;\nlet n = 0;', /^2 A top-level `let`/],
    ['an exported `let`', 'export let initial = {};', /^1 A top-level `let`/],
    ['a `var`', 'var n = 0;', /^1 A top-level `var`/],
    ['a `var` in a loop', 'for (var i = 0; i < 3; i += 1) {}', /^1 A top-level `var`/],
    ['a Map', 'const seen = new Map();', /^1 `seen` contains a Map: it could change between events/],
    ['a Set inside plain data', 'const all = { a: [new Set()] };', /^1 `all` contains a Set/],
    ['a date', 'const start = new Date();', /^1 `start` contains a Date/],
    ['a promise', 'const later = Promise.resolve(1);', /contains a Promise/],
    ['a WeakMap', 'const known = new WeakMap();', /contains a WeakMap/],
    ['a typed array', 'const bytes = new Uint8Array(4);', /an object that is not plain data/],
    [
      'an object of a class',
      'class Counter { n = 0; }\nconst counter = new Counter();',
      /^2 `counter` contains an object/,
    ],
    ['a generator that runs', 'const ids = (function* () { yield 1; })();', /an object that is not plain data/],
    [
      'a regular expression with g',
      'const word = /\\w+/g;',
      /^1 `word` contains a regular expression with the flag g or y/,
    ],
    ['a regular expression with y', 'const word = /\\w+/y;', /flag g or y/],
    ['a destructured Map', 'const { seen } = { seen: new Map() };', /^1 `seen` contains a Map/],
    ['a Map on a function', 'function f() {}\nf.cache = new Map();', /^1 `f` contains a Map/],
    ['a Map on a class', 'class A { static cache = new Map(); }', /^1 `A` contains a Map/],
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
      /^2 `next` contains a function that is not written in the program/,
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
    [
      'a Map as a prototype',
      'function F() {}\nF.prototype = new Map();\nclass A extends F {}',
      /^1 `F` contains a Map/,
    ],
    [
      'a function made of a text',
      "const next = Function('let n = 0; return () => (n += 1);')();",
      /^1 `next` contains a function that is not written in the program/,
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
