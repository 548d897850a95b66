import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createSandbox, type RunDone, type RunStopped, type Sandbox } from './index.ts';
import { ownerIn } from '../worker-pool/index.ts';

let sandbox: Sandbox;
beforeAll(() => {
  sandbox = createSandbox();
});
afterAll(() => sandbox.close());

const START = Date.UTC(2026, 2, 1, 12);

async function run(body: string, input: unknown = {}, outputBytes = 1_048_320): Promise<RunDone | RunStopped> {
  const source = body.includes('export default') ? body : `export default (input) => { ${body} }`;
  const ran = await sandbox.run({ source, input: JSON.stringify(input), now: START, seed: 7, outputBytes });
  if (typeof ran === 'string') throw new Error(`The program was not run: ${ran}.`);
  return ran;
}

async function output(body: string, input?: unknown): Promise<unknown> {
  const ran = await run(body, input);
  if (ran.kind === 'stopped') throw new Error(ran.detail);
  return JSON.parse(ran.output) as unknown;
}

async function stop(body: string): Promise<string> {
  const ran = await run(body);
  return ran.kind === 'stopped' ? ran.detail : `It gave ${ran.output.slice(0, 100)}.`;
}

describe('a program that goes over a bound is stopped', () => {
  test.each([
    ['an endless loop', 'for (;;) {}', /more work/],
    ['an endless chain of microtasks', 'return (async () => { for (;;) await null; })()', /more work/],
    ['an endless generator', 'for (const x of (function* () { for (;;) yield 1; })()) {}', /more work/],
    ['a regular expression that goes back and forth', 'return /(a+)+$/.test("a".repeat(40) + "b")', /more work/],
    ['lists without end', 'const all = []; for (;;) all.push(new Array(1000).fill(1));', /64 MiB/],
    ['texts without end', 'const all = []; for (;;) all.push("x".repeat(1000000) + all.length);', /64 MiB/],
    ['a huge typed array', 'return [new Uint8Array(1e9).length]', /64 MiB/],
    ['a recursion without end', 'const f = () => f() + 1; return f();', /1 MiB/],
    ['a text that nests too deep to parse', 'return JSON.parse("[".repeat(1e5) + "]".repeat(1e5))', /too deeply/],
    ['a huge output', 'return "x".repeat(2000000)', /larger than the 1048320 bytes that it may have/],
    ['an output that nests too deep', 'let a = []; for (let i = 0; i < 1e5; i += 1) a = [a]; return a;', /512 levels/],
  ])('%s', async (_name, body, words) => {
    expect(await stop(body)).toMatch(words);
  });

  test('and other programs go on meanwhile', async () => {
    const endless = run('for (;;) {}');
    const small = await Promise.all(Array.from({ length: 20 }, (_, n) => output('return input.n', { n })));
    expect(small).toEqual(Array.from({ length: 20 }, (_, n) => n));
    expect((await endless).kind).toBe('stopped');
  });

  test('at the same work each time', async () => {
    const counting = 'let n = 0; for (;;) { n += 1; if (n % 1000000 === 0) console.log(n); }';
    const [first, second] = [await run(counting), await run(counting)];
    expect(first.kind).toBe('stopped');
    expect(second).toEqual(first);
  });

  test('and forty that fill the memory leave the process as large as a few of them did', async () => {
    const bomb = 'const all = []; for (;;) all.push(new Array(1000).fill(1));';
    const bombs = (count: number) => Promise.all(Array.from({ length: count }, () => run(bomb)));
    await bombs(10);
    const before = process.memoryUsage().rss;
    for (let round = 0; round < 3; round += 1) await bombs(10);
    expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1024 * 1024);
  }, 60_000);
});

test('while fifty long programs of a playbook wait and run, those of another one and small ones run', async () => {
  const crowded = createSandbox();
  onTestFinished(() => crowded.close());
  const stopping = new AbortController();
  const job = (source: string) => ({ source, input: '{}', now: START, seed: 7, outputBytes: 1000 });
  const owned = (playbook: string, name: string) => ({
    owner: ownerIn({ org: 'local', playbook }, `computation/${name}`),
    signal: stopping.signal,
  });
  const small = job('export default () => 1;');
  // Takes some hundred milliseconds, and its work is never counted.
  const long = job('export default () => "a".repeat(2e5).indexOf("a".repeat(1000) + "b");');
  await crowded.run(small, owned('hostile', 'small'));
  let ended = 0;
  const flood = Array.from({ length: 50 }, async (_, n) => {
    await crowded.run(long, owned('hostile', `burn ${n}`));
    ended += 1;
  });
  const ran: unknown[] = [];
  for (const playbook of ['hostile', 'honest', 'honest']) ran.push(await crowded.run(small, owned(playbook, 'small')));
  const endedBefore = ended;
  stopping.abort();
  await Promise.all(flood);
  expect(ran).toMatchObject([{ kind: 'ran' }, { kind: 'ran' }, { kind: 'ran' }]);
  expect(endedBefore).toBeLessThan(25);
}, 60_000);

describe('a value that JSON cannot hold is refused', () => {
  test.each([
    ['undefined', 'return undefined', /is undefined; return a value/],
    ['nothing returned', '', /is undefined/],
    [
      'NaN',
      'return { b: { c: [] }, a: [1, { "x/y": NaN }] }',
      /contains NaN at \/a\/1\/x~1y, which JSON cannot represent\./,
    ],
    ['NaN in what toJSON gave', 'return [{ toJSON: () => ({ b: NaN }) }]', /contains NaN at \/0\/b, /],
    ['NaN itself', 'return NaN', /contains NaN, which/],
    ['an infinity', 'return -Infinity', /infinity/],
    ['a BigInt', 'return 5n', /BigInt/],
    ['a function', 'return { a() {} }', /function/],
    ['a symbol', 'return [Symbol("a")]', /symbol/],
    ['a cycle', 'const a = {}; a.a = a; return a;', /contains itself/],
    ['undefined in a list', 'return [undefined]', /contains undefined at \/0, which JSON cannot represent; use null/],
    ['a Map', 'return new Map([["a", 1]])', /contains a Map, which JSON cannot represent; use Object\.fromEntries/],
    [
      'an object that has getters alone',
      'class Price { #net = 5; get gross() { return this.#net * 1.2; } } return { items: [new Price()] };',
      /contains an object of a class without members of its own at \/items\/0, .*as members of another object/,
    ],
    [
      'an object with a private member',
      'class Count { #n = 5; next() { return this.#n; } } return [new Count()];',
      /contains an object of a class without members of its own at \/0, /,
    ],
    ['inherited members', 'return { a: Object.create({ b: 1 }) }', /without members of its own at \/a, /],
    ['hidden members', 'return Object.defineProperty({}, "a", { value: 1 })', /members are not enumerable, /],
    [
      'a name that is a symbol',
      'return { a: { b: 1, [Symbol("c")]: 2 } }',
      /whose name is a symbol at \/a, .*use a string/,
    ],
    ['a Map of a class', 'class Ages extends Map {} return { a: new Ages() }', /contains a Map at \/a, /],
    [
      'a Set',
      'return { a: [new Set([1])] }',
      /contains a Set at \/a\/0, which JSON cannot represent; use \[\.\.\.set\]/,
    ],
    ['an Error', 'return { error: new TypeError("no") }', /contains an Error at \/error, .*; use its message/],
    ['a nested promise', 'return { a: (async () => 1)() }', /contains a promise at \/a, .*; await it first/],
    ['a list of promises', 'return [1, 2].map(async (n) => n)', /contains a promise at \/0, .* Promise\.all/],
    ['an iterator', 'return new Map().values()', /contains an iterator, /],
    ['a generator', 'return { a: (function* () { yield 1; })() }', /contains an iterator at \/a, /],
    ['an asynchronous generator', 'return (async function* () {})()', /contains an asynchronous iterator, /],
    ['a regular expression', 'return /a/g', /contains a regular expression, /],
    ['a typed array', 'return new Uint8Array(2)', /contains a typed array, .*; use \[\.\.\.array\]/],
    ['a buffer', 'return new ArrayBuffer(2)', /contains an ArrayBuffer, /],
    ['a weak map', 'return [new WeakMap()]', /contains a WeakMap at \/0, /],
    ['an invalid date', 'return { at: new Date("no date") }', /contains an invalid Date at \/at, .*; use null/],
    ['a BigInt object', 'return Object(5n)', /BigInt/],
    ['a promise that nothing settles', 'return new Promise(() => {})', /never settles/],
    ['an object thrown', 'throw { a: 1 }', /threw a value: {"a":1}\./],
    ['an error of its own', 'throw { name: "Mine", message: "no" }', /threw Mine: no\./],
    ['a proxy that throws', 'return new Proxy({}, { ownKeys() { throw new Error("no"); } })', /threw Error: no/],
    ['a getter that throws', 'return { get a() { throw new Error("no"); } }', /threw Error: no/],
  ])('%s', async (_name, body, words) => {
    expect(await stop(body)).toMatch(words);
  });

  test('while undefined members are dropped and toJSON is honoured', async () => {
    expect(await output('return { a: undefined, b: new Date(0), c: { toJSON: () => 5 }, d: -0 }')).toEqual({
      b: '1970-01-01T00:00:00.000Z',
      c: 5,
      d: 0,
    });
  });

  test('while instances of classes, and Number, String and Boolean objects, are their content', async () => {
    expect(
      await output(
        'class Point { x = 1 } return [new Point(), Object(5), Object("a"), Object(false), Object.create(null), new Proxy({ a: 1 }, {})]',
      ),
    ).toEqual([{ x: 1 }, 5, 'a', false, {}, { a: 1 }]);
    expect(await output('Map.prototype.toJSON = function () { return [...this]; }; return new Map([[1, 2]])')).toEqual([
      [1, 2],
    ]);
  });
});

describe('a program meets nothing but itself', () => {
  test('no host, no clock but the start of the run, no Intl', async () => {
    const names = [
      'process',
      'require',
      'setTimeout',
      'fetch',
      'std',
      'os',
      'Intl',
      'WebAssembly',
      'SharedArrayBuffer',
      'Atomics',
    ];
    expect(await output(`return [${names.map((name) => `typeof ${name}`).join(', ')}]`)).toEqual(
      names.map(() => 'undefined'),
    );
    expect(await stop('return (() => {}).constructor("return process")()')).toMatch(/not defined/);
    expect(
      await output(
        'return [Date.now(), new Date().toISOString(), new Date() instanceof Date, Date.UTC(2026, 0), new Date(5).getTime()]',
      ),
    ).toEqual([START, new Date(START).toISOString(), true, Date.UTC(2026, 0), 5]);
  });

  test('chance is the same for the same seed', async () => {
    const dice = 'return [Math.random(), Math.random(), Math.random()]';
    const first = (await output(dice)) as number[];
    expect(await output(dice)).toEqual(first);
    expect(first.every((value) => value >= 0 && value < 1)).toBe(true);
  });

  test('nothing of a program is there for the next one', async () => {
    for (let round = 0; round < 6; round += 1) {
      expect(
        await output(
          'const seen = [typeof leak, [].leak ?? null, JSON.stringify({ a: 1 })]; globalThis.leak = 1; Array.prototype.leak = 2; JSON.stringify = () => "no"; return seen;',
        ),
      ).toEqual(['undefined', null, '{"a":1}']);
    }
  });

  test.each([
    ['a toJSON on every object', 'Object.prototype.toJSON = () => 5; console.log("a"); return { a: 1 };', 5],
    [
      'built-ins overwritten',
      'JSON.stringify = () => "x"; Array.prototype.push = null; Reflect.apply = null; Object.keys = () => []; return { a: [1] };',
      { a: [1] },
    ],
    [
      'setters on prototypes',
      'for (const p of [Array.prototype, Object.prototype]) Object.defineProperty(p, "0", { set() { throw 1; }, configurable: true }); console.log("x"); return { a: "b" };',
      { a: 'b' },
    ],
    [
      'promises overwritten',
      'Promise.prototype.then = () => 7; Promise.resolve = () => 8; return (async () => ({ a: 1 }))();',
      { a: 1 },
    ],
    ['an own __proto__', 'return JSON.parse(\'{"__proto__":{"a":1}}\');', JSON.parse('{"__proto__":{"a":1}}')],
  ])('%s changes nothing for the host', async (_name, body, expected) => {
    expect(JSON.stringify(await output(body))).toBe(JSON.stringify(expected));
  });

  test('a forged error is cut and stays words', async () => {
    const detail = await stop('throw { name: "x".repeat(1e6), message: "y".repeat(1e6), stack: "at program.js:7:3" }');
    expect(detail).toMatch(/^Line 7, column 3: /);
    expect(detail.length).toBeLessThan(800);
  });
});

test('an error names its place in the source as its author wrote it, types and all', async () => {
  const source =
    'interface Ticket {\n  title: string;\n}\nexport default (input: Ticket) => {\n  throw new TypeError(input.title as string);\n};\n';
  expect(await run(source, { title: 'no title' })).toMatchObject({
    kind: 'stopped',
    detail: expect.stringMatching(/^Line 5, column \d+: The program threw TypeError: no title\.$/),
  });
});

describe('what a program prints', () => {
  test('stands beside its output, a line a call', async () => {
    expect(await run('console.log("a", 1, { b: [2] }); console.error(undefined); return 0;')).toEqual({
      kind: 'ran',
      output: '0',
      console: ['a 1 {"b":[2]}', 'undefined'],
      consoleTruncated: false,
    });
  });

  test('shows the words of errors, and the members of maps and sets', async () => {
    const ran = await run(
      'console.log(new TypeError("no"), { error: new Error("inner") }, new Map([["a", new Set([1])]])); return 0;',
    );
    expect(ran.console).toEqual(['TypeError: no {"error":"Error: inner"} [["a",[1]]]']);
  });

  test('is cut at 64 KiB', async () => {
    const ran = await run('for (let i = 0; i < 100; i += 1) console.log("x".repeat(1000)); return 0;');
    expect(ran.consoleTruncated).toBe(true);
    expect(Buffer.byteLength(JSON.stringify(ran.console))).toBeLessThanOrEqual(64 * 1024 + 2);
  });

  test('is there for a program that was stopped, and what cannot be printed is said to be so', async () => {
    const ran = await run('console.log({ toString() { throw 1; }, toJSON() { throw 2; } }); for (;;) {}');
    expect(ran).toMatchObject({ kind: 'stopped', console: ['[not printable]'] });
  });
});

test('the output may have exactly as many bytes as it is given', async () => {
  expect(await run('return "é".repeat(4)', {}, 10)).toMatchObject({ kind: 'ran', output: '"éééé"' });
  expect(await run('return "é".repeat(4)', {}, 9)).toMatchObject({
    kind: 'stopped',
    detail: expect.stringContaining('10 bytes'),
  });
});
