import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Value } from 'typebox/value';
import type { JsonObject } from '../../../shared/json.ts';
import { EVENT_SCHEMAS, RESERVED_EVENT_TYPES } from '../../../shared/schemas/events/index.ts';
import { EventSchema } from '../../../shared/schemas/index.ts';
import { showEvent } from './show.ts';
import { shownData } from './shown-data.ts';
import { RUN_ID, storedEvent } from './stored-event.testing.ts';

const SHA256 = 'a'.repeat(64);
const KIB = 1024;
const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value));
const dataOf = (...event: Parameters<typeof storedEvent>) => showEvent(storedEvent(...event)).data;
/** A text that takes so many bytes as JSON. */
const textOf = (bytes: number) => 'x'.repeat(bytes - 2);

test('given an event, then it is shown with the fields of the contract', () => {
  const shown = showEvent(storedEvent('run_started', { attempt: 1, input: { a: 1 }, input_sha256: SHA256 }));
  expect(shown).toEqual({
    id: '0198c5a0-0000-7000-8000-000000000002',
    type: 'run_started',
    summary: 'Run of computation/priority-score version 3 started (attempt 1).',
    data: { attempt: 1, input: { a: 1 } },
    metadata: {
      stream: `run-${RUN_ID}`,
      position: 1,
      global_position: 12,
      correlation_id: RUN_ID,
      causation_id: null,
      at: '2026-01-31T07:00:00.000Z',
      by: 'ada',
      run_id: RUN_ID,
      definition: { type: 'computation', name: 'priority-score', version: 3 },
      trace_id: '1'.repeat(32),
      span_id: '2'.repeat(16),
    },
  });
  expect([...Value.Errors(EventSchema, shown)]).toEqual([]);
});

describe('a large value', () => {
  test.each(['input', 'output', 'record', 'answer', 'arguments', 'result', 'data'])(
    'given %s of 2 KiB, then it is shown in full; given a byte more, then as its size',
    (name) => {
      expect(dataOf('any', { [name]: textOf(2 * KIB) })).toEqual({ [name]: textOf(2 * KIB) });
      expect(dataOf('any', { [name]: textOf(2 * KIB + 1) })).toEqual({ [`${name}_bytes`]: 2 * KIB + 1 });
    },
  );

  test('given values that are kept apart, then their sizes are shown', () => {
    const kept = { output: { sha256: SHA256, bytes: 5000 }, record: { sha256: SHA256, bytes: 6000 } };
    expect(dataOf('run_succeeded', { attempt: 2 }, { kept })).toEqual({
      attempt: 2,
      output_bytes: 5000,
      record_bytes: 6000,
    });
  });

  test('given a size that was recorded, then that is the one shown', () => {
    const kept = { arguments: { sha256: SHA256, bytes: 5002 } };
    const data = { server: 'shop', tool: 'find', arguments_bytes: 5000, arguments_sha256: SHA256 };
    expect(dataOf('tool_call_started', data, { kept })).toEqual(data);
  });

  test('given data beyond 4 KiB, then the largest field is reduced first, and only as many as needed', () => {
    const data = { attempt: 1, output: textOf(2000), record: { a: textOf(2000) }, output_shape: textOf(500) };
    expect(dataOf('run_succeeded', data)).toEqual({
      attempt: 1,
      output: textOf(2000),
      record_bytes: bytesOf(data.record),
      output_shape: textOf(500),
    });
  });

  test('given data of exactly 4 KiB, then nothing is reduced; given a byte more, then the largest field', () => {
    const data = (bytes: number) => ({
      output: textOf(2000),
      other: textOf(bytes - 2000 - bytesOf({ output: 0, other: 0 }) + 2),
    });
    expect(bytesOf(data(4 * KIB))).toBe(4 * KIB);
    expect(dataOf('any', data(4 * KIB))).toEqual(data(4 * KIB));
    expect(dataOf('any', data(4 * KIB + 1))).toHaveProperty('other_bytes');
  });
});

describe('a definition', () => {
  const data: JsonObject = {
    type: 'computation',
    name: 'priority-score',
    version: 3,
    media_type: 'text/typescript',
    description: '🎉'.repeat(301),
    input_schema: { type: 'object' },
    output_schema: {},
    details: { expose: true },
    overview: 'Needs nothing.',
    references: [],
    warnings: [{ pointer: '/source', line: 1, column: 1, detail: 'Unused.' }],
    source: 'export default () => 1;',
  };

  test('given one that was saved, then document and schemas are sizes, and warnings a count', () => {
    const shown = dataOf('definition_updated', data);
    expect(shown).toEqual({
      type: 'computation',
      name: 'priority-score',
      version: 3,
      media_type: 'text/typescript',
      description: '🎉'.repeat(300),
      input_schema_bytes: 17,
      output_schema_bytes: 2,
      details: { expose: true },
      overview_bytes: 16,
      references: [],
      warnings: 1,
      source_bytes: 25,
    });
  });

  test('given it whole, then every field is shown as it is', () => {
    expect(showEvent(storedEvent('definition_updated', data), { full: true }).data).toEqual(data);
  });
});

describe('a published event', () => {
  const event = { source: '/shop', type: 'order.paid', id: '1', time: '2026-01-31T07:00:00Z' };
  const internal = { input_sha256: SHA256, time_given: true };

  test('given one, then what only the service reads is not shown', () => {
    expect(dataOf('event_published', { event, data: { amount: 3 }, ...internal })).toEqual({
      event,
      data: { amount: 3 },
    });
    const whole = showEvent(storedEvent('event_published', { event, data: 7, ...internal }), { full: true });
    expect(whole.data).toEqual({ event, data: 7 });
  });

  test('given a large attribute, then it alone is reduced to its size', () => {
    const large = { ...event, region: 'n', note: textOf(100_000) };
    expect(dataOf('event_published', { event: large, data: { amount: 3 }, ...internal })).toEqual({
      event: { ...event, region: 'n', note_bytes: 100_000 },
      data: { amount: 3 },
    });
  });

  test('given as many and as large attributes as may be, then it still fits', () => {
    const extensions = Array.from({ length: 32 }, (_, i) => [`abcdefghijklmnopqr${10 + i}`, textOf(7000)] as const);
    const large = { source: textOf(1026), type: 'é'.repeat(256), id: '日'.repeat(256), subject: '🎉'.repeat(1024) };
    const data = { event: { ...event, ...large, ...Object.fromEntries(extensions) }, ...internal };
    expect(bytesOf(dataOf('event_published', data))).toBeLessThanOrEqual(4 * KIB);
  });
});

/** Texts of every length around the limits, and every kind of character. */
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc
    .tuple(fc.constantFrom('x', 'é', '🎉', '\u0001', '"'), fc.integer({ min: 0, max: 6000 }))
    .map(([c, n]) => c.repeat(n)),
);
const issue = fc.record({ pointer: text, detail: text });
const rejection = fc.record(
  {
    reason: fc.constantFrom('invalid_input', 'conflict'),
    kind: text,
    because: text,
    detail: text,
    issues: fc.array(issue),
  },
  { requiredKeys: ['reason', 'detail'] },
);
const anything = fc.oneof(text, fc.integer(), fc.jsonValue({ maxDepth: 3 }), fc.array(text, { maxLength: 4 }));

test.each(RESERVED_EVENT_TYPES)('whatever %s holds, its shown data is at most 4 KiB as JSON', (type) => {
  const names = Object.keys(EVENT_SCHEMAS[type].properties);
  const fields = Object.fromEntries(names.map((name) => [name, name === 'rejection' ? rejection : anything]));
  const kept = fc.subarray(['input', 'output', 'record', 'answer', 'arguments', 'result', 'data', 'source']);
  fc.assert(
    fc.property(fc.record(fields, { requiredKeys: [] }), kept, (data, keptNames) => {
      const sizes = Object.fromEntries(keptNames.map((name) => [name, { sha256: SHA256, bytes: 1_048_576 }]));
      const shown = shownData(storedEvent(type, JSON.parse(JSON.stringify(data)), { kept: sizes }));
      expect(bytesOf(shown)).toBeLessThanOrEqual(4 * KIB);
    }),
    { numRuns: 30 },
  );
});
