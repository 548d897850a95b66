import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Json } from '../../../../shared/json.ts';
import { jsonBytes } from '../../../lib/canonical-json.ts';
import { mostBytes } from './most-bytes.ts';

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
