import type { TSchema } from 'typebox';
import { expect, test } from 'vitest';
import * as schemas from './index.ts';
import { undescribed } from './undescribed.testing.ts';

const SCHEMAS = Object.entries<TSchema>(schemas);

test.each(SCHEMAS)('every field of %s is described', (_name, schema) => {
  const { properties } = schema as { properties?: Record<string, TSchema> };
  expect(properties).toBeDefined();
  expect(undescribed(properties ?? {})).toEqual([]);
});
