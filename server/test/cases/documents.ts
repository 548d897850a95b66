// Documents of at most 65,536 bytes that ask for more work than they look like: checked, and put into folders.
import type { DefinitionType } from '../../../shared/definition-types.ts';
import { sha256 } from '../../kernel/contents/index.ts';
import type { HostileCase } from '../hostile-case.ts';

export interface HostileDocument {
  name: string;
  type: DefinitionType;
  source: string;
}

/** UTF-8 bytes that a source may have. */
const MOST = 65_536;

/** The piece as often as it fits. */
function fill(piece: (index: number) => string, { before = '', after = '', most = MOST } = {}): string {
  const pieces = [before];
  let length = before.length + after.length;
  for (let index = 0; ; index += 1) {
    const next = piece(index);
    length += next.length;
    if (length > most) break;
    pieces.push(next);
  }
  return pieces.join('') + after;
}

const HEAD = "document: { dsl: '1.0.3', namespace: desk, name: hostile, version: 1.0.0 }\n";
const workflow = (piece: (index: number) => string, { before = 'do:\n', after = '' } = {}): string =>
  fill(piece, { before: HEAD + before, after });
const repeated = (open: string, count: number, middle = '', close = ''): string =>
  open.repeat(count) + middle + close.repeat(count);

const YAML: [string, string][] = [
  ['65,000 opening brackets', '['.repeat(65_000)],
  ['32,000 pairs of brackets', repeated('[', 32_000, '', ']')],
  ['13,000 opening braces with a key', '{a: '.repeat(13_000)],
  ['dashes that nest', '- '.repeat(32_000)],
  ['blocks that nest', fill((index) => `${' '.repeat(index)}a:\n`)],
  ['8,000 keys', fill((index) => `k${index}: 1\n`)],
  ['8,000 keys of a flow', fill((index) => `k${index}: 1, `, { before: '{', after: '}' })],
  ['the same key 16,000 times', fill(() => 'a: 1\n')],
  ['a list of 32,000 items', fill(() => '- a\n')],
  ['a list of 32,000 items in a flow', fill(() => 'a,', { before: 'a: [', after: ']' })],
  ['32,000 empty objects', fill(() => '{},', { before: 'a: [', after: ']' })],
  ['100 aliases of a large anchor', fill(() => '*a, ', { before: `a: &a [${'x,'.repeat(20_000)}]\nb: [`, after: ']' })],
  [
    'anchors that double',
    fill((index) => `k${index}: &k${index} [*k${index - 1}, *k${index - 1}]\n`, { before: 'k: &k-1 [x]\n' }),
  ],
  ['8,000 anchors', fill((index) => `k${index}: &a${index} 1\n`)],
  ['aliases without anchors', fill((index) => `- *a${index}\n`)],
  ['tags', fill(() => '- !a b\n')],
  ['an error on every line', fill(() => 'a: @b\n')],
  ['tabs', fill(() => '\t- a\n')],
  ['8,000 documents', fill(() => '---\na\n')],
  ['directives', fill(() => '%A b\n')],
  ['comments', fill(() => '# a\n')],
  ['empty lines', '\n'.repeat(65_000)],
  ['question marks', fill(() => '? a\n')],
  ['question marks that nest', '? '.repeat(32_000)],
  ['colons', ':'.repeat(65_000)],
  ['colons and spaces', ': '.repeat(32_000)],
  ['one text of 65,000 quotes', `a: "${'\\"'.repeat(32_000)}"`],
  ['a quote that never ends', `a: "${'x\n'.repeat(32_000)}`],
  ['single quotes', `a: '${"''".repeat(32_000)}'`],
  ['a folded text of 32,000 lines', fill(() => '  a\n', { before: 'a: >\n' })],
  ['a plain text of many lines', fill(() => '  a\n', { before: 'a:\n' })],
  ['numbers', fill((index) => `- 0x${index.toString(16)}e1\n`)],
  ['commas', `[${','.repeat(65_000)}]`],
  ['merge keys', fill(() => '<<: *a\n', { before: 'a: &a {}\n' })],
  ['ampersands', '&'.repeat(65_000)],
  ['stars', '*'.repeat(65_000)],
  ['exclamation marks', '!'.repeat(65_000)],
  ['bars', '|\n'.repeat(32_000)],
  ['carriage returns', '\r'.repeat(65_000)],
  ['emoji keys', fill((index) => `😀${index}: 1\n`, { most: 32_000 })],
  ['one key of 60,000 letters', `${'a'.repeat(60_000)}: 1`],
  ['deep flows in deep blocks', fill((index) => `${' '.repeat(index)}a: ${'['.repeat(20)}${']'.repeat(20)}\n`)],
];

const WORKFLOWS: [string, string][] = [
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

const message = (template: string): string =>
  `ask:\n  to: a\n  message: |\n${template
    .split('\n')
    .map((line) => `    ${line}`)
    .join('\n')}\n  answer: { type: object }\n`;

/** Templates as a document's text; what they make of themselves when they are rendered is another thing. */
const TEMPLATES: [string, string][] = [
  ['4,000 lines of liquid', message(`{% liquid\n${'assign a = 1\n'.repeat(3500)}%}`)],
  ['1,000 nested ifs', message(repeated('{% if input %}', 1500, '', '{% endif %}'))],
  ['8,000 outputs', message('{{ a }}\n'.repeat(5000))],
  ['one output of 8,000 filters', message(`{{ "a"${' | upcase'.repeat(6000)} }}`)],
  ['braces that never close', message('{{'.repeat(30_000))],
  ['tags that never close', message('{% if '.repeat(10_000))],
  ['raw that never ends', message(`{% raw %}${'{% endraw '.repeat(6000)}`)],
  ['comments that nest', message('{% comment %}'.repeat(4500))],
  ['a range of ranges', message('{{ (1..(1..(1..9))) }}\n'.repeat(2400))],
  ['quotes', message(`{{ ${"'".repeat(60_000)} }}`)],
];

const INTERACTIONS: [string, string][] = [
  ...TEMPLATES,
  [
    'arguments of a thousand expressions',
    fill((index) => `    a${index}: '\${ .a${index} }'\n`, { before: 'call:\n  tool: a/b\n  arguments:\n' }),
  ],
  [
    'arguments of a thousand templates',
    fill((index) => `    a${index}: '{{ input.a${index} }}'\n`, { before: 'call:\n  tool: a/b\n  arguments:\n' }),
  ],
  ['unknown fields', fill((index) => `x${index}: 1\n`, { before: 'tell: { to: a, message: b }\n' })],
  [
    'examples',
    fill((index) => `- { name: e${index}, input: ${index} }\n`, { before: 'tell: { to: a, message: b }\nexamples:\n' }),
  ],
  [
    'examples against a large schema',
    fill((index) => `- { name: e${index}, input: { a: 1 } }\n`, {
      before: `tell: { to: a, message: b }\ninput: { type: object, properties: { ${Array.from({ length: 900 }, (_, index) => `p${index}: { type: string }`).join(', ')} } }\nexamples:\n`,
    }),
  ],
  [
    'an answer of 1,000 schemas',
    fill((index) => `      p${index}: { type: string }\n`, {
      before: 'ask:\n  to: a\n  message: b\n  answer:\n    type: object\n    properties:\n',
    }),
  ],
  [
    'patterns',
    fill((index) => `  p${index}: { pattern: '(a{1,30}){1,30}b${index}' }\n`, {
      before: 'tell: { to: a, message: b }\ninput:\n type: object\n properties:\n',
    }),
  ],
  ['one pattern of 60,000 letters', `tell: { to: a, message: b }\ninput: { pattern: '${'(a|b)*'.repeat(10_000)}' }`],
  [
    'references in a circle',
    `tell: { to: a, message: b }\ninput:\n  $ref: '#/$defs/d0'\n  $defs:\n${fill((index) => `    d${index}: { allOf: [{ $ref: '#/$defs/d${index + 1}' }] }\n`, { most: 60_000 })}`,
  ],
  ['a deep schema', `tell: { to: a, message: b }\ninput: ${repeated('{ not: ', 190, '{}', ' }')}`],
  ['unknown keywords', fill((index) => `  x${index}: 1\n`, { before: 'tell: { to: a, message: b }\ninput:\n' })],
  [
    'keywords that are almost right',
    fill((index) => `  propertie${index}: 1\n`, { before: 'tell: { to: a, message: b }\ninput:\n' }),
  ],
  [
    'an enum of 8,000',
    `tell: { to: a, message: b }\ninput: { enum: [${Array.from({ length: 9000 }, (_, index) => `a${index}`).join(',')}] }`,
  ],
  [
    'a required list of 8,000',
    `tell: { to: a, message: b }\ninput: { required: [${Array.from({ length: 9000 }, (_, index) => `a${index}`).join(',')}] }`,
  ],
  ['schemas under anyOf', `tell: { to: a, message: b }\ninput: { anyOf: [${'{ type: string },'.repeat(990)}] }`],
  ['endings', `call: { tool: a/b, endings: [${'tool_error,'.repeat(5800)}] }`],
];

const reasoning = (front: string, prompt = 'Hello\n'): string => `---\nmodel: a/b\n${front}---\n${prompt}`;
const REASONINGS: [string, string][] = [
  [
    '8,000 lines of front matter',
    fill((index) => `k${index}: 1\n`, { before: '---\nmodel: a/b\n', after: '---\nHello\n' }),
  ],
  ['fences', '---\n'.repeat(16_000)],
  ['a prompt of 8,000 outputs', reasoning('', '{{ input.a }}\n'.repeat(4600))],
  ['a prompt of 65,000 brackets', reasoning('', '['.repeat(65_000))],
  ['a prompt of open tags', reasoning('', '{%'.repeat(30_000))],
  ['a prompt of nested loops', reasoning('', repeated('{% for a in input %}', 1500, 'a', '{% endfor %}'))],
  ['instructions of open tags', reasoning(`instructions: "${'{%'.repeat(30_000)}"\n`)],
  [
    'provider options',
    fill((index) => `  p${index}: {}\n`, { before: '---\nmodel: a/b\nprovider_options:\n', after: '---\nHello\n' }),
  ],
  ['tools', reasoning(`tools: [${Array.from({ length: 8000 }, (_, index) => `a/t${index}`).join(',')}]\n`)],
  ['stop words', reasoning(`config: { stop: [${'a,'.repeat(30_000)}] }\n`)],
  [
    'an input of 1,000 schemas',
    fill((index) => `  p${index}: { type: string }\n`, {
      before: '---\nmodel: a/b\ninput:\n type: object\n properties:\n',
      after: '---\nHello\n',
    }),
  ],
  [
    'a prompt that prints 1,000 fields',
    reasoning(
      `input: { type: object, properties: { ${Array.from({ length: 900 }, (_, index) => `p${index}: { type: string }`).join(', ')} } }\n`,
      Array.from({ length: 1500 }, (_, index) => `{{ input.q${index} }}\n`).join(''),
    ),
  ],
];

const PROGRAMS: [string, string][] = [
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

const RECALLS: [string, string][] = [
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

const of =
  (type: DefinitionType) =>
  ([name, source]: [string, string]): HostileDocument => ({
    name,
    type,
    source: Buffer.from(source).subarray(0, MOST).toString(),
  });

const HOSTILE_DOCUMENTS: readonly HostileDocument[] = [
  ...YAML.map(of('workflow')),
  ...WORKFLOWS.map(of('workflow')),
  ...INTERACTIONS.map(of('interaction')),
  ...REASONINGS.map(of('reasoning')),
  ...PROGRAMS.map(of('computation')),
  ...RECALLS.map(of('recall')),
];

const SHORT = new Set([
  '65,000 opening brackets',
  '8,000 keys',
  'an error on every line',
  'commas',
  'steps of an unknown form',
  '2,000 steps',
  '4,000 lines of liquid',
  'a prompt of 8,000 outputs',
  'an answer of 1,000 schemas',
  'one pattern of 60,000 letters',
  '16,000 variables',
  'an input built at the top',
]);

const checks = HOSTILE_DOCUMENTS.map(
  ({ name, type, source }): HostileCase => ({
    name: `a ${type}: ${name}`,
    isShort: SHORT.has(name),
    run: ({ send, at }) => send('POST', `${at}/definitions/${type}/check`, { source }),
  }),
);

/** A folder of the documents of one kind, as many as a request takes. */
const folder = (name: string, documents: readonly HostileDocument[]): HostileCase => ({
  name: `a folder: ${name}`,
  isShort: name.startsWith('14'),
  run: ({ send, at }) =>
    send('POST', `${at}/apply`, {
      name: 'Desk',
      dry_run: true,
      definitions: documents.map(({ type, source }, index) => ({
        type,
        name: `folder-${index}`,
        sha256: sha256(source),
        source,
      })),
    }),
});

export const DOCUMENT_CASES: readonly HostileCase[] = [
  ...checks,
  folder(
    '14 documents of 8,000 keys',
    Array.from({ length: 14 }, () => of('workflow')(['', YAML[5]?.[1] ?? ''])),
  ),
  folder(
    'workflows of 2,000 steps',
    Array.from({ length: 30 }, () => of('workflow')(['', WORKFLOWS[0]?.[1] ?? ''])),
  ),
  folder('a bit of everything', HOSTILE_DOCUMENTS.slice(0, 60)),
  {
    name: 'sixteen clients that check',
    isShort: true,
    run: ({ send, at }) =>
      Promise.all(
        Array.from({ length: 16 }, (_, index) =>
          send('POST', `${at}/definitions/workflow/check`, { source: HOSTILE_DOCUMENTS[index]?.source ?? '' }),
        ),
      ),
  },
];
