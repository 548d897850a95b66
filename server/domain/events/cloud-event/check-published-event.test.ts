import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../../../shared/json.ts';
import { RESERVED_EVENT_TYPES } from '../../../../shared/schemas/events/index.ts';
import { checkPublishedEvent } from './index.ts';
import fc from 'fast-check';
import { jsonBytes } from '../../../lib/canonical-json.ts';
import { mostBytes } from './size.ts';

const EVENT = { source: '/shop/orders', type: 'order.paid' };
/** Arrays in one another: `[]` is one level. */
function nested(levels: number): Json {
  let value: Json = [];
  for (let level = 1; level < levels; level += 1) value = [value];
  return value;
}
const issuesOf = (attributes: JsonObject) => checkPublishedEvent({ ...EVENT, ...attributes });
const pointersOf = (attributes: JsonObject) => issuesOf(attributes).map(({ pointer }) => pointer);

/** Name and value of an attribute. */
type Case = readonly [name: string, value: Json];

const chars = (count: number, one = 'a') => one.repeat(count);

const TAKEN: readonly Case[] = [
  ['source', `/${chars(1023)}`],
  ['source', '/runs'],
  ['source', '/runsheet/1'],
  ['source', '/runs%2F1'],
  ['source', '/x/./runs/1'],
  ['source', '//shop/../runs/1'],
  ['source', 'https://shop.example/%72uns/../runs/1'],
  ['source', 'runs/1'],
  ['type', chars(256)],
  ['type', chars(256, '🎉')],
  ['type', 'Run_started'],
  ['type', '\u00A0x'],
  ['id', chars(256)],
  ['id', chars(256, '日')],
  ['subject', chars(1024)],
  ['subject', chars(1024, '🎉')],
  ['time', '2026-01-31T07:00:00.123456789+01:00'],
  ['specversion', '1.0'],
  ['datacontenttype', 'application/json; charset=utf-8'],
  ['dataschema', 'https://example.com/schemas/order'],
  ['data', null],
  ['data', 'a\u0000b\u007F\uFFFE'],
  ['data', nested(510)],
  ['a', 'text'],
  ['abcdefghij0123456789', ''],
  ['a', true],
  ['a', 0],
  ['a', 2_147_483_647],
  ['a', -2_147_483_648],
  ['a', '\uFFFD\uE000 '],
];

const REFUSED: readonly Case[] = [
  ['source', ''],
  ['source', `/${chars(1024)}`],
  ['source', chars(100_000)],
  ['source', 'a b'],
  ['source', 'é'],
  ['source', '/runs/'],
  ['source', '/runs/1'],
  ['source', '/definitions/computation'],
  ['source', '/callers/ada'],
  ['source', '/%72uns/1'],
  ['source', '/run%73/1'],
  ['source', './runs/1'],
  ['source', '/x/../runs/1'],
  ['source', '/%2E/callers/ada'],
  ['source', 7],
  ['type', chars(257)],
  ['type', chars(257, '🎉')],
  ['type', ''],
  ['type', ' '],
  ['type', '\u00A0\u3000\u2028'],
  ['type', null],
  ['id', chars(257)],
  ['id', ''],
  ['id', '  '],
  ['id', 7],
  ['subject', chars(1025)],
  ['subject', ''],
  ['subject', ' '],
  ['time', '2026-01-31'],
  ['time', '2026-01-31T24:00:00Z'],
  ['time', '2026-01-31T07:00:60Z'],
  ['time', 0],
  ['specversion', '1'],
  ['specversion', '0.3'],
  ['specversion', 1],
  ['datacontenttype', 'json'],
  ['datacontenttype', ''],
  ['dataschema', '/schemas/order'],
  ['dataschema', ''],
  ['data', nested(511)],
  ['', 'x'],
  ['abcdefghij0123456789a', 'x'],
  ['orderId', 'x'],
  ['order_id', 'x'],
  ['ordér', 'x'],
  ['data_base64', 'eA=='],
  ['__proto__', 'x'],
  ['a', 0.5],
  ['a', 2_147_483_648],
  ['a', -2_147_483_649],
  ['a', null],
  ['a', []],
  ['a', {}],
  ...['causationid', 'correlationid', 'caller', 'definitionversion', 'depth'].map((name): Case => [name, 'x']),
  ...['calldepth', 'calledby', 'triggerkind', 'triggerreference'].map((name): Case => [name, 1]),
  ...RESERVED_EVENT_TYPES.map((type): Case => ['type', type]),
];

const CHARACTERS = [
  '\u0000',
  '\t',
  '\n',
  '\u001F',
  '\u007F',
  '\u0080',
  '\u009F',
  '\uD800',
  '\uDFFF',
  '\uFDD0',
  '\uFDEF',
  '\uFFFE',
  '\uFFFF',
  '\u{10FFFF}',
];
const TEXTS = [
  'source',
  'type',
  'id',
  'subject',
  'time',
  'specversion',
  'datacontenttype',
  'dataschema',
  'anextension',
];

describe('an attribute', () => {
  test.each(TAKEN)('given %s is %j, then it is taken', (name, value) => {
    expect(issuesOf({ [name]: value })).toEqual([]);
  });

  test.each(REFUSED)('given %s is %j, then it is refused there, once', (name, value) => {
    expect(pointersOf({ [name]: value })).toEqual([`/event/${name}`]);
  });

  test.each(TEXTS)(
    'given %s with a refused character, then it is refused there, once, and the character named',
    (name) => {
      for (const character of CHARACTERS) {
        const code = character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0');
        const issues = issuesOf({ [name]: `a${character}` });
        expect(issues).toEqual([{ pointer: `/event/${name}`, detail: expect.stringContaining(`remove U+${code}.`) }]);
      }
    },
  );

  test.each(['source', 'type'])('given no %s, then its absence is refused', (name) => {
    const { [name]: _, ...rest } = EVENT as JsonObject;
    expect(checkPublishedEvent(rest)).toEqual([
      { pointer: `/event/${name}`, detail: expect.stringContaining('is missing') },
    ]);
  });

  test('given a name with ~ and /, then its pointer escapes them', () => {
    expect(pointersOf({ 'a/b~c': 'x' })).toEqual(['/event/a~1b~0c']);
  });

  test('given data of a million levels, then it is refused and nothing recurses', () => {
    expect(pointersOf({ data: nested(1_000_000) })).toEqual(['/event/data']);
  });

  test('given several mistakes, then all are listed, one sentence each', () => {
    const issues = checkPublishedEvent({ type: '', id: ' ', time: 'now', Extra: null, depth: 1, data: nested(511) });
    expect(issues.map(({ pointer }) => pointer)).toEqual([
      '/event/source',
      '/event/type',
      '/event/id',
      '/event/time',
      '/event/Extra',
      '/event/Extra',
      '/event/depth',
      '/event/data',
    ]);
    for (const { detail } of issues) expect(detail).toMatch(/^`\w+` .*[;,] .*\.$/);
  });
});

const extensions = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`x${i}`, i]));

/** An event that takes so many bytes as JSON. */
function eventOfBytes(bytes: number, own: JsonObject): JsonObject {
  const event = { ...EVENT, ...own, data: '' };
  return { ...event, data: 'x'.repeat(bytes - Buffer.byteLength(JSON.stringify(event))) };
}

describe('the event as a whole', () => {
  test('given 32 extensions, then it is taken; given 33, then it is refused at /event', () => {
    expect(issuesOf(extensions(32))).toEqual([]);
    expect(pointersOf(extensions(33))).toEqual(['/event']);
  });

  test('given a hundred thousand wrong extensions, then only their number is reported', () => {
    const wrong = Object.fromEntries(Array.from({ length: 100_000 }, (_, i) => [`A${i}`, null]));
    expect(pointersOf({ ...wrong, subject: '' })).toEqual(['/event', '/event/subject', '/event']);
  });

  const most = 240 * 1024;
  const [id, time] = ['x'.repeat(36), '2026-01-31T07:00:00.000Z'];
  const idBytes = `,"id":"${id}"`.length;
  const timeBytes = `,"time":"${time}"`.length;

  test.each([
    ['its id and time given', { id, time }, most],
    ['its id filled in', { time }, most - idBytes],
    ['its time filled in', { id }, most - timeBytes],
    ['both filled in', {}, most - idBytes - timeBytes],
    ['a short id given', { id: 'é', time }, most],
  ])(
    'given 240 KiB with %s, then it is taken; given a byte more, then it is refused at /event',
    (_case, own, bytes) => {
      expect(checkPublishedEvent(eventOfBytes(bytes, own))).toEqual([]);
      expect(checkPublishedEvent(eventOfBytes(bytes + 1, own)).map(({ pointer }) => pointer)).toEqual(['/event']);
    },
  );
});

test('no value takes more bytes as JSON', () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: 'binary' }), (value) => {
      expect(mostBytes(value as Json)).toBeGreaterThanOrEqual(jsonBytes(value));
    }),
  );
  for (const value of ['\u0001\u0002', '\ud800', '😀', -1.234567890123457e-300, { '\u0001': '\u0001' }]) {
    expect(mostBytes(value)).toBeGreaterThanOrEqual(jsonBytes(value));
  }
});
