import type { TSchema } from 'typebox';
import { expect, test } from 'vitest';
import { EVENT_SCHEMAS, UNLISTED_EVENT_SCHEMAS } from './events/index.ts';
import * as schemas from './index.ts';

test.each(Object.entries<TSchema>(schemas))('every field of %s is described', (_name, schema) => {
  const { properties } = schema as { properties?: Record<string, TSchema> };
  expect(properties).toBeDefined();
  expect(undescribed(properties ?? {})).toEqual([]);
});

test.each(Object.entries<TSchema>({ ...EVENT_SCHEMAS, ...UNLISTED_EVENT_SCHEMAS }))(
  '%s and every field of it are described',
  (_type, schema) => {
    expect(undescribed({ event: schema })).toEqual([]);
  },
);

/** The keywords of a JSON Schema that can hold fields. */
interface Keywords {
  description?: unknown;
  properties?: Readonly<Record<string, TSchema>>;
  items?: TSchema;
  anyOf?: readonly TSchema[];
}

/** The paths of the fields that have no description, those of nested objects too. */
function undescribed(fields: Readonly<Record<string, TSchema>>, path = ''): string[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    const here = `${path}/${name}`;
    const missing = (field as Keywords).description === undefined ? [here] : [];
    return [...missing, ...undescribedWithin(field, here)];
  });
}

function undescribedWithin(schema: TSchema, path: string): string[] {
  const { properties = {}, items, anyOf = [] } = schema as Keywords;
  const alternatives = items === undefined ? anyOf : [items, ...anyOf];
  return [...undescribed(properties, path), ...alternatives.flatMap((one) => undescribedWithin(one, path))];
}
