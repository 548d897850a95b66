import { expect, test } from 'vitest';
import { createScrubber } from '../../lib/scrub/index.ts';
import { seenResult, seenTexts } from './result.ts';
import { seeAnswer } from './see-answer.job.ts';
import type { ToolResult, ResultPart } from './server.ts';

const scrubber = createScrubber(['s3cret-value']);
const words = (text: string): ResultPart => ({ text, isText: true });
const resource = (text: string): ResultPart => ({ text, isText: true, isEmbedded: true });
const image: ResultPart = { text: '[image/png, 12 bytes]', isText: false };
const seen = (parts: readonly ResultPart[], structured?: unknown) =>
  seenResult(
    seenTexts(
      {
        kind: 'answered',
        isError: false,
        parts,
        whole: null,
        ...(structured === undefined ? {} : { structured }),
      } as ToolResult,
      scrubber,
    ),
  );

test.each([
  ['text is text', [words('a'), words('b')], undefined, 'a\nb', 'a'],
  ['a first text that is JSON is the answer', [words('{"n":1}'), words('b')], undefined, '{"n":1}\nb', { n: 1 }],
  ['structured content is the answer, and text only without text', [words('a')], { n: 1 }, 'a', { n: 1 }],
  ['structured content beside a placeholder', [image], [1], '[1]\n[image/png, 12 bytes]', [1]],
  ['other content is a placeholder, and no answer', [image], undefined, '[image/png, 12 bytes]', undefined],
  ['secrets are taken out', [words('{"key":"s3cret-value"}')], undefined, '{"key":"***"}', { key: '***' }],
  ['nothing', [], undefined, '', undefined],
])('%s', (_name, parts, structured, text, answer) => {
  expect(seen(parts, structured)).toMatchObject({ text, ...(answer === undefined ? {} : { answer }) });
  expect('answer' in seen(parts, structured)).toBe(answer !== undefined);
});

test.each<[string, readonly ResultPart[], unknown, unknown]>([
  ['a JSON text alone', [words('{"n":1}')], undefined, { n: 1 }],
  ['a JSON text before another', [words('{"n":1}'), words('b')], undefined, { n: 1 }],
  ['a resource before a text', [resource('{"n":1}'), words('b')], undefined, { n: 1 }],
  ['a JSON text before a resource', [words('{"n":1}'), resource('b')], undefined, { text: '{"n":1}\nb' }],
  [
    'several resources',
    [resource('{"n":1}'), image, resource('2')],
    undefined,
    { text: '{"n":1}\n[image/png, 12 bytes]\n2' },
  ],
  ['structured content beside a resource', [words('a'), resource('b')], { n: 1 }, { n: 1 }],
])('the output of %s', (_name, parts, structured, output) => {
  expect(seen(parts, structured).output()).toEqual(output);
});

test('a long text is cut with a note, never within a character, and is no answer', () => {
  const { text, answer } = seen([words(`a${'ü'.repeat(40_000)}`)]);
  expect(text).toMatch(/ü\n\[Truncated: the first 65535 of 80001 bytes are shown.\]$/);
  expect(answer).toBeUndefined();
});

test('a document of more than 1 MiB is given as its text, which nothing takes', () => {
  const { answer, document, output } = seen([], { n: 'x'.repeat(1_100_000) });
  expect([answer, typeof document?.(), typeof output()]).toEqual([undefined, 'string', 'string']);
});

test('of what an API says in a large error page only the beginning leaves the worker, scrubbed', () => {
  const page = Buffer.from(`The key s3cret-value is \n unknown. ${'a b'.repeat(100_000)}`);
  const answer = { kind: 'response', status: 503, headers: { 'content-type': 'text/plain' }, body: page } as const;
  const large = { kind: 'large', form: 'http', answer, requestIdName: undefined } as const;
  const end = seeAnswer({ answer: large, scrubber: scrubber.parts });
  expect(end).toMatchObject({
    kind: 'failed',
    serverMessage: expect.stringMatching(/^The key \*\*\* is unknown\. a ba/),
  });
  expect(end.kind === 'failed' && end.serverMessage).toHaveLength(1000);
});
