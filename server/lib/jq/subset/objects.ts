import type { Json, JsonObject } from '../../../../shared/json.ts';
import { put } from './arithmetic.ts';
import { unsupported } from './scope.ts';
import { type Filter, single } from './filter.ts';

export interface MemberFilter {
  name: string;
  value: Filter;
}

/** `{name: value}`. If a value may have several results, the object is left to jq. */
export function compileObject(members: readonly MemberFilter[]): Filter {
  const ones = members.map(({ name, value: { one } }) => {
    if (one === undefined) throw unsupported();
    return { name, one };
  });
  return single((input, scope): Json => {
    const object: JsonObject = {};
    for (const { name, one } of ones) put(object, name, one(input, scope), scope);
    return object;
  });
}
