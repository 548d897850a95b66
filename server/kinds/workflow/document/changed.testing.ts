import { isJsonObject, type Json } from '../../../../shared/json.ts';

const OTHER_VALUES: readonly Json[] = [null, 1.5, 'text', 'a b', '${ .x }', true, [], {}, [1], { zzz: 1 }];
const OTHER_KEYS = ['zzz', 'do', 'wait', 'use', 'until', 'one', 'timeout', 'read', 'schema', 'then'];

/** The document with one thing changed, wherever something can be: a value, a missing, renamed or added member. */
export function* changed(value: Json, path: string): Generator<[string, Json]> {
  for (const other of OTHER_VALUES) yield [`${path} = ${JSON.stringify(other)}`, other];
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      for (const [what, other] of changed(item, `${path}/${index}`)) yield [what, value.with(index, other)];
    }
  } else if (isJsonObject(value)) {
    for (const [name, member] of Object.entries(value)) {
      const { [name]: _, ...rest } = value;
      yield [`${path} - ${name}`, rest];
      yield [`${path} ! ${name}`, { ...rest, zzz: member }];
      for (const [what, other] of changed(member, `${path}/${name}`)) yield [what, { ...rest, [name]: other }];
    }
    for (const name of OTHER_KEYS)
      if (!Object.hasOwn(value, name)) yield [`${path} + ${name}`, { ...value, [name]: {} }];
  }
}
