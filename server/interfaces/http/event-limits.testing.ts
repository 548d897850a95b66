// Events at each limit of the contract and one past it, for limits.test.ts.
import type { Json, JsonObject } from '../../../shared/json.ts';
import { RESERVED_EVENT_TYPES } from '../../../shared/schemas/events/index.ts';

export const DESK = '/v1/orgs/local/playbooks/desk';
export const EVENTS = `${DESK}/events`;
export const KIB = 1024;

export interface Command {
  what: string;
  path: string;
  method?: 'PUT';
  body: unknown;
}

export interface RefusedCommand extends Command {
  pointer: string;
}

/** Arrays in one another: `[]` is one level. */
export function nested(levels: number): string {
  return '['.repeat(levels) + ']'.repeat(levels);
}

/** A text of so many UTF-8 bytes, mostly of characters that take three. */
export function bytesOf(count: number): string {
  return '€'.repeat(Math.floor(count / 3)) + 'x'.repeat(count % 3);
}

const EVENT = { source: '/shop', type: 'order.paid' };
const publish = (what: string, attributes: JsonObject): Command => ({
  what,
  path: EVENTS,
  body: { event: { ...EVENT, ...attributes } },
});
const publishText = (what: string, members: string): Command => ({
  what,
  path: EVENTS,
  body: `{"event":{"source":"/shop","type":"order.paid",${members}}}`,
});
/** A command that publishes the event with one attribute set. */
const taken = (name: string, value: Json): Command => publish(`${name} ${shown(value)}`, { [name]: value });
const refused = (name: string, value: Json): RefusedCommand => ({ ...taken(name, value), pointer: `/event/${name}` });
const shown = (value: Json): string => {
  const text = JSON.stringify(value);
  return text.length > 40 ? `${text.slice(0, 40)} (${text.length})` : text;
};
const extensions = (count: number): JsonObject =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`x${index}`, index]));

const texts = ['source', 'type', 'id', 'subject', 'time', 'specversion', 'datacontenttype', 'dataschema', 'own'];
const characters = ['\u0000', '\n', '\u001F', '\u007F', '\u009F', '\uFDD0', '\uFFFE', '\uFFFF', '\u{1FFFE}'];

/** An event that takes so many bytes as JSON, its id and time included. */
function eventOf(bytes: number, own: JsonObject): JsonObject {
  const filled = { id: 'x'.repeat(36), time: '2026-01-31T07:00:00.000Z', ...EVENT, ...own, data: '' };
  return { ...own, data: bytesOf(bytes - Buffer.byteLength(JSON.stringify(filled))) };
}
const most = 240 * KIB;
const given = { id: 'given-id', time: '2026-01-31T07:00:00Z' };

export const EVENTS_TAKEN: readonly Command[] = [
  taken('source', `/${'a'.repeat(1023)}`),
  taken('source', '/runsheet/1'),
  taken('source', 'urn:shop'),
  taken('type', 'a'.repeat(256)),
  taken('type', '🎉'.repeat(256)),
  taken('id', '🎉'.repeat(256)),
  taken('subject', '🎉'.repeat(1024)),
  taken('specversion', '1.0'),
  taken('datacontenttype', 'application/json; charset=utf-8'),
  taken('dataschema', 'https://example.com/schemas/order'),
  ...['2026-01-31T07:00:00Z', '2026-01-31T07:00:00.123456789+01:00', '2024-02-29T23:59:59Z'].map((time) =>
    taken('time', time),
  ),
  taken('time', '2016-12-31T23:59:60Z'),
  taken('time', '2017-01-01T00:59:60+01:00'),
  ...[null, '', 'a\u0000\uFFFE', 0, { a: [] }].map((data) => taken('data', data)),
  publishText('data of 510 levels', `"data":${nested(510)}`),
  publish('32 extensions', extensions(32)),
  publish('extensions of every kind', { a: 'text', b: true, c: -5, abcdefghij0123456789: '' }),
  publish('240 KiB with id and time filled in', eventOf(most, {})),
  publish('240 KiB with id and time given', eventOf(most, given)),
];

export const EVENTS_REFUSED: readonly RefusedCommand[] = [
  ...['', `/${'a'.repeat(1024)}`, 'a b', 'é', '/runs/', '/runs/1', '/definitions/x', '/callers/ada', 7, null].map(
    (value) => refused('source', value),
  ),
  ...['', ' ', '\u00A0\u3000', 'a'.repeat(257), '🎉'.repeat(257), 7, null].map((value) => refused('type', value)),
  ...RESERVED_EVENT_TYPES.map((type) => refused('type', type)),
  ...['', '  ', 'a'.repeat(257), '🎉'.repeat(257), 7, null].map((value) => refused('id', value)),
  ...['', ' ', 'a'.repeat(1025), '🎉'.repeat(1025), 7, null].map((value) => refused('subject', value)),
  ...['1', '0.3', '1.0.2', '', 1, null].map((value) => refused('specversion', value)),
  ...['', 'json', 'text/', 'a b/c', 7, null].map((value) => refused('datacontenttype', value)),
  ...['', '/schemas/order', 'not a uri', 7, null].map((value) => refused('dataschema', value)),
  ...[
    '',
    'now',
    '2026-01-31',
    '2026-01-31T07:00:00',
    '2026-01-31T24:00:00Z',
    '2026-02-30T07:00:00Z',
    '2025-02-29T07:00:00Z',
    '2026-01-31T07:00:60Z',
    '2026-01-31T23:59:60+01:00',
    '2026-01-31T07:00:00+24:00',
    0,
    null,
  ].map((value) => refused('time', value)),
  ...texts.flatMap((name) =>
    characters.map((character) => ({
      ...publish(`U+${character.codePointAt(0)?.toString(16)} in ${name}`, { [name]: `a${character}` }),
      pointer: `/event/${name}`,
    })),
  ),
  ...texts.map((name) => ({
    ...publish(`half a surrogate pair in ${name}`, { [name]: '\uD83Ca' }),
    pointer: `/event/${name}`,
  })),
  { ...publish('half a surrogate pair in data', { data: { a: ['\uD83C'] } }), pointer: '/event/data/a/0' },
  ...['causationid', 'correlationid', 'caller', 'definitionversion', 'depth', 'calldepth', 'calledby'].map((name) =>
    refused(name, 'x'),
  ),
  ...['triggerkind', 'triggerreference'].map((name) => refused(name, 1)),
  ...['', 'abcdefghij0123456789a', 'orderId', 'order_id', 'ordér', 'data_base64'].map((name) => refused(name, 'x')),
  ...[0.5, 2_147_483_648, -2_147_483_649, null, [], {}].map((value) => refused('own', value)),
  { ...publishText('an attribute named __proto__', '"__proto__":"x"'), pointer: '/event/__proto__' },
  { ...publish('33 extensions', extensions(33)), pointer: '/event' },
  { ...publishText('data of 511 levels', `"data":${nested(511)}`), pointer: '/event/data' },
  { ...publishText('data of 200,000 levels', `"data":${nested(200_000)}`), pointer: '/event/data' },
  { ...publishText('a number past a double in data', '"data":[1e400]'), pointer: '/event/data/0' },
  { ...publish('a byte more than 240 KiB with id and time filled in', eventOf(most + 1, {})), pointer: '/event' },
  { ...publish('a byte more than 240 KiB with id and time given', eventOf(most + 1, given)), pointer: '/event' },
  { what: 'no event', path: EVENTS, body: {}, pointer: '/event' },
  { what: 'an event that is no object', path: EVENTS, body: { event: 'x' }, pointer: '/event' },
  { what: 'no source', path: EVENTS, body: { event: { type: 'x' } }, pointer: '/event/source' },
  { what: 'no type', path: EVENTS, body: { event: { source: '/x' } }, pointer: '/event/type' },
  { what: 'a field beside event', path: EVENTS, body: { event: EVENT, id: 'x' }, pointer: '/id' },
];
