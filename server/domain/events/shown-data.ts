// What lists show of an event's data: at most 4 KiB as JSON.
//
// 1. Data that only the service reads is never shown.
// 2. Values that are stored separately, documents and schemas are shown as their size.
// 3. A rejection and a detail are shortened to fit; then the largest fields are reduced to their sizes.
import { isJsonObject, type JsonObject } from '../../../shared/json.ts';
import { LIMITS } from '../../../shared/limits.ts';
import { jsonBytes } from '../../lib/canonical-json.ts';
import type { StoredEvent } from '../../kernel/log/index.ts';
import { firstCharacters, shortText } from './short-text.ts';
import { LEAST_ROOM, shownRejection } from './shown-rejection.ts';

const INTERNAL = new Set(['time_given', 'input_sha256', 'trigger_events']);

/** Shown in full when at most 2 KiB as JSON. */
const VALUES = new Set(['input', 'output', 'record', 'answer', 'arguments', 'result', 'data']);

/** Documents and schemas, however small. */
const SIZES_ONLY = new Set([
  'source',
  'overview',
  'input_schema',
  'output_schema',
  'other_output_schema',
  'message',
  'answer_schema',
]);

const DESCRIPTION_CHARACTERS = 300;

/** The data without what only the service reads. */
export function wholeData({ data }: StoredEvent): JsonObject {
  return Object.fromEntries(Object.entries(data).filter(([name]) => !INTERNAL.has(name)));
}

/** The data as lists show it. */
export function shownData(event: StoredEvent): JsonObject {
  const whole = wholeData(event);
  const shown: JsonObject = {};
  for (const [name, value] of Object.entries(whole)) {
    const isLarge = VALUES.has(name) && jsonBytes(value) > LIMITS.shownValueBytes;
    if (isLarge || SIZES_ONLY.has(name)) shown[`${name}_bytes`] = whole[`${name}_bytes`] ?? jsonBytes(value);
    else shown[name] = value;
  }
  for (const [name, { bytes }] of Object.entries(event.kept)) shown[`${name}_bytes`] ??= bytes;
  const { description, warnings } = shown;
  if (typeof description === 'string') shown.description = firstCharacters(description, DESCRIPTION_CHARACTERS);
  if (Array.isArray(warnings)) shown.warnings = warnings.length;
  return fitted(shown);
}

function fitted(data: JsonObject): JsonObject {
  const { rejection, ...rest } = data;
  if (!isJsonObject(rejection)) return reduced(withShortDetail(data), LIMITS.shownDataBytes);
  const room = LIMITS.shownDataBytes - jsonBytes({ ...rest, rejection: null });
  const shown = shownRejection(rejection, Math.max(room, LEAST_ROOM));
  const roomOfRest = LIMITS.shownDataBytes - jsonBytes({ rejection: shown });
  return { ...reduced(rest, roomOfRest), rejection: shown };
}

/** A shortened detail says more than its size. */
function withShortDetail(data: JsonObject): JsonObject {
  if (typeof data.detail !== 'string' || jsonBytes(data) <= LIMITS.shownDataBytes) return data;
  return { ...data, detail: shortText(data.detail, LIMITS.shownDataBytes / 4) };
}

/**
 * The data with its largest fields reduced to their sizes until it fits. Of a published event, whose attributes
 * together may be large, each attribute is a field.
 */
function reduced(data: JsonObject, room: number): JsonObject {
  const { event, ...rest } = data;
  const holders = isJsonObject(event) ? { rest, event: { ...event } } : { rest: { ...data } };
  const fields = Object.values(holders)
    .flatMap((holder) => Object.entries(holder).map(([name, value]) => ({ holder, name, bytes: jsonBytes(value) })))
    .toSorted((a, b) => b.bytes - a.bytes);
  const whole = (): JsonObject =>
    holders.event === undefined ? holders.rest : { event: holders.event, ...holders.rest };
  for (const { holder, name, bytes } of fields) {
    if (jsonBytes(whole()) <= room) break;
    delete holder[name];
    holder[`${name}_bytes`] = bytes;
  }
  return whole();
}
