import type { TSchema } from 'typebox';

/** A schema as JSON: the parts of it in which fields stand. */
interface Parts {
  description?: unknown;
  properties?: Readonly<Record<string, TSchema>>;
  items?: TSchema;
  anyOf?: readonly TSchema[];
}

/** The paths of the fields that have no description, those of nested objects too. */
export function undescribed(fields: Readonly<Record<string, TSchema>>, path = ''): string[] {
  return Object.entries(fields).flatMap(([name, field]) => {
    const here = `${path}/${name}`;
    const missing = (field as Parts).description === undefined ? [here] : [];
    return [...missing, ...undescribedWithin(field, here)];
  });
}

function undescribedWithin(schema: TSchema, path: string): string[] {
  const { properties = {}, items, anyOf = [] } = schema as Parts;
  const alternatives = items === undefined ? anyOf : [items, ...anyOf];
  return [...undescribed(properties, path), ...alternatives.flatMap((one) => undescribedWithin(one, path))];
}
