import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Json } from '../../../../shared/json.ts';
import { canonicalJson } from '../../../lib/canonical-json.ts';
import { fingerprintText, type PublishedEvent } from './index.ts';

const event: PublishedEvent = { source: '/shop', type: 'order.paid', id: '1', data: { amount: 3 }, region: 'north' };

test('given an event, then its fingerprint holds everything but the time', () => {
  expect(fingerprintText({ ...event, time: '2026-01-31T07:00:00Z' })).toEqual({ ...event, specversion: '1.0' });
});

test('given the version or not, then the fingerprint is the same', () => {
  expect(fingerprintText({ ...event, specversion: '1.0' })).toEqual(fingerprintText(event));
});

test('given no data, then that differs from data null', () => {
  const { data: _, ...without } = event;
  expect(fingerprintText(without)).not.toHaveProperty('data');
  expect(fingerprintText({ ...without, data: null })).toHaveProperty('data', null);
});

test('whatever the data and the order of the members, the same event has one fingerprint, and another data another', () => {
  const canonical = (published: PublishedEvent) => canonicalJson(fingerprintText(published));
  const json = fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.parse(JSON.stringify(value)) as Json);
  fc.assert(
    fc.property(json, json, (data, other) => {
      const backwards = Object.fromEntries(Object.entries({ ...event, data }).toReversed()) as PublishedEvent;
      expect(canonical(backwards)).toBe(canonical({ ...event, data }));
      const isSame = canonicalJson(data) === canonicalJson(other);
      expect(canonical({ ...event, data: other }) === canonical({ ...event, data })).toBe(isSame);
    }),
  );
});
