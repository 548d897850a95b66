import { expect, test } from 'vitest';
import { toolImages, toolTexts } from './tool-images.ts';

const PNG = Buffer.from('an image').toString('base64');
const image = (members: object) => ({ type: 'image', mimeType: 'image/png', data: PNG, ...members });

test('given an image, then its data URL has its media type, and its size is known', () => {
  const [drawn] = toolImages({ content: [{ type: 'text', text: 'Look:' }, image({})] });
  expect(drawn).toEqual({ mediaType: 'image/png', url: `data:image/png;base64,${PNG}`, bytes: 8 });
});

test.each<[string, object]>([
  ['of a type that may contain a script', image({ mimeType: 'image/svg+xml' })],
  ['of an invalid type', image({ mimeType: 'image/png;base64,AAAA" onerror="x' })],
  ['without a type', image({ mimeType: undefined })],
  ['whose data is not Base64', image({ data: 'not base64!' })],
  ['whose data is incomplete', image({ data: PNG.slice(0, -1) })],
  ['without data', image({ data: undefined })],
  ['larger than 8 MiB', image({ data: 'A'.repeat(12 * 1024 * 1024) })],
  ['that is audio', image({ type: 'audio' })],
])('an image %s is not shown', (_what, block) => {
  expect(toolImages({ content: [block] })).toEqual([]);
});

test('at most eight images are shown', () => {
  expect(toolImages({ content: Array.from({ length: 9 }, () => image({})) })).toHaveLength(8);
});

test.each([undefined, 'text', {}, { content: 'text' }])(
  'a result without content has no images or texts: %j',
  (result) => {
    expect(toolImages(result)).toEqual([]);
    expect(toolTexts(result)).toEqual([]);
  },
);

test('texts are complete', () => {
  expect(toolTexts({ content: [{ type: 'text', text: 'one\ntwo' }, image({})] })).toEqual(['one\ntwo']);
});
