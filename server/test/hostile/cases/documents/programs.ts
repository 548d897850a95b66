// Programs of computations and recalls, for the parser, the type checker and the sandbox.
import { fill, type HostileText, repeated } from './fill.ts';

export const PROGRAMS: readonly HostileText[] = [
  ['65,000 opening parentheses', '('.repeat(65_000)],
  ['32,000 pairs of parentheses', `export default () => ${repeated('(', 30_000, '1', ')')}`],
  ['arrays that nest', `export default () => ${repeated('[', 30_000, '', ']')}`],
  ['16,000 variables', fill((index) => `let v${index}=1;\n`, { after: 'export default () => 1' })],
  ['the same export', fill(() => 'export const a=1;\n')],
  ['templates that nest', `export default () => ${repeated('`${', 15_000, '1', '}`')}`],
  ['types that nest', `type A = ${repeated('Array<', 10_000, '1', '>')}; export default () => 1`],
  [
    'a type that doubles',
    `type A0 = 'a'|'b'; ${Array.from({ length: 900 }, (_, index) => `type A${index + 1} = \`\${A${index}}\${A${index}}\`;`).join('\n')} export default (input: A900) => 1`,
  ],
  [
    'generics that recurse',
    'type A<T> = { a: A<A<T>> }; type B = A<1>["a"]["a"]["a"]["a"]["a"]; export default (input: B) => 1',
  ],
  ['an endless top level', 'for (;;) {} export default () => 1'],
  ['a regular expression', `export default () => /${repeated('(', 5000, 'a', ')*')}/.test("a")`],
  ['comments', '/*'.repeat(30_000)],
  ['slashes', '/'.repeat(65_000)],
  ['strings', `export default () => "${'\\u{1F600}'.repeat(7000)}"`],
  ['unary signs', `export default () => ${'!'.repeat(60_000)}1`],
  ['arrows', `export default ${'a=>'.repeat(20_000)}1`],
  [
    'classes',
    fill((index) => `class C${index} extends C${Math.max(0, index - 1)} {}\n`, { after: 'export default () => 1' }),
  ],
  ['casts', `export default () => ${'<any>'.repeat(12_000)}1`],
  [
    'an input schema as large as may be',
    fill((index) => `p${index}:{type:'string'},`, {
      before: "export const input={type:'object',properties:{",
      after: '}}; export default () => 1',
    }),
  ],
  [
    'an input built at the top',
    "const p={}; for (let i=0;i<900;i++) p['p'+i]={type:'string',pattern:'(a|b)*c'}; export const input={type:'object',properties:p}; export default () => 1",
  ],
  ['exports of a megabyte', "export const description='a'.repeat(1<<20); export default () => 1"],
  [
    'examples of a megabyte',
    "export const examples=Array.from({length:20000},(_,i)=>({name:'e'+i,input:i})); export default () => 1",
  ],
  ['exports that nest', 'let a={}; for (let i=0;i<100000;i++) a={not:a}; export const input=a; export default () => 1'],
];

export const RECALLS: readonly HostileText[] = [
  [
    'reads of 8,000 filters',
    `export const reads=Array.from({length:8000},(_,i)=>({events:{type:'t'+i}})); export const initial={}; export function evolve(s){return s} export function answer(s){return s}`,
  ],
  [
    'an initial state of a megabyte',
    `export const reads=[{events:{}}]; export const initial={a:Array.from({length:100000},(_,i)=>({i}))}; export function evolve(s){return s} export function answer(s){return s}`,
  ],
  [
    'examples of 8,000 events',
    `export const reads=[{events:{}}]; export const initial={}; export const examples=[{name:'a',events:Array.from({length:8000},(_,i)=>({type:'a',source:'b',id:''+i})),input:{}}]; export function evolve(s){return s} export function answer(s){return s}`,
  ],
  ['65,000 opening braces', '{'.repeat(65_000)],
  [
    'constants that nest',
    `const a=${repeated('[', 20_000, '', ']')}; export const reads=[]; export const initial=a; export function evolve(s){return s} export function answer(s){return s}`,
  ],
];
