// Reasoning functions: front matter and prompts.
import { fill, type HostileText, repeated } from './fill.ts';

const reasoning = (front: string, prompt = 'Hello\n'): string => `---\nmodel: a/b\n${front}---\n${prompt}`;

export const REASONINGS: readonly HostileText[] = [
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
