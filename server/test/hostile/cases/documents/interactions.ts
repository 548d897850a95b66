// Interactions: their templates, schemas and unknown fields.
import { fill, type HostileText, repeated } from './fill.ts';

const message = (template: string): string =>
  `ask:\n  to: a\n  message: |\n${template
    .split('\n')
    .map((line) => `    ${line}`)
    .join('\n')}\n  answer: { type: object }\n`;

/** Templates as a document's text; what they make of themselves when they are rendered is another thing. */
const TEMPLATES: readonly HostileText[] = [
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

export const INTERACTIONS: readonly HostileText[] = [
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
