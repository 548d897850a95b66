import { describe, expect, test } from 'vitest';
import { addedToEnv } from './env-file.ts';
import { parseEnv } from './parse-env.ts';

function variablesOf(text: string): Record<string, string> {
  const parsed = parseEnv(text);
  if (!parsed.ok) throw new Error(`line ${parsed.line} ${parsed.says}`);
  return Object.fromEntries(parsed.variables);
}

test.each([
  ['', {}],
  ['A=1', { A: '1' }],
  ['\n# a comment\n  # another\n A = 1 \r\nB=2\r\n', { A: '1', B: '2' }],
  ['export A=1', { A: '1' }],
  ['A=', { A: '' }],
  ['A= # nothing', { A: '' }],
  ['A=one two # three', { A: 'one two' }],
  ['A=one#two', { A: 'one#two' }],
  ['A=#one', { A: '#one' }],
  ['A=a=b==', { A: 'a=b==' }],
  ['A="one # two" # three', { A: 'one # two' }],
  ["A='one \\n $B ${B}'", { A: 'one \\n $B ${B}' }],
  [String.raw`A="1\n2\t\"\\\$\d"`, { A: '1\n2\t"\\$\\d' }],
  ['A="-----\nline\n-----"\nB=2', { A: '-----\nline\n-----', B: '2' }],
  ["A=it's", { A: "it's" }],
  ['A=""', { A: '' }],
  ['__proto__=1', Object.fromEntries([['__proto__', '1']])],
])('%j is read as a person means it', (text, variables) => {
  expect(variablesOf(text)).toEqual(variables);
});

describe('a line that cannot be meant', () => {
  test.each([
    ['tok-s3cret', 1, 'NAME=value'],
    ['# one\n\nexport A', 3, 'NAME=value'],
    ['A="1\n2"\n1B=s3cret', 3, 'NAME=value'],
    ['A-B=s3cret', 1, 'NAME=value'],
    ['A=s3cret\nA=s3cret', 2, 'sets A a second time'],
    ['A="s3cret', 1, 'quote'],
    ["A='s3cret' B", 1, 'quote'],
  ])('%j is refused with its line, and never shown', (text, line, says) => {
    const parsed = parseEnv(text);
    expect(parsed).toMatchObject({ ok: false, line, says: expect.stringContaining(says) });
    expect(JSON.stringify(parsed)).not.toContain('s3cret');
  });
});

test('what is added to the text is read back, and the rest stays', () => {
  const added = { A: 'a "b" \\ $C # d', B: " '\n\t\r\n", C: '\\n' };
  const parsed = parseEnv(addedToEnv('# ours\nX=1', added));
  expect(parsed.ok && Object.fromEntries(parsed.variables)).toEqual({ X: '1', ...added });
  expect(addedToEnv('X=1\n', {})).toBe('X=1\n');
});
