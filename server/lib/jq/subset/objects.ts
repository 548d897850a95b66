import type { Json, JsonObject } from '../../../../shared/json.ts';
import { put } from './arithmetic.ts';
import { notMine } from './not-mine.ts';
import type { Scope } from './scope.ts';
import { type One, several, single, type Filter } from './filter.ts';

export interface MemberFilters {
  key: Filter;
  value: Filter;
}

/** `{key: value}`; of several results each makes an object, those of the last member one after another. */
export function compileObject(members: readonly MemberFilters[]): Filter {
  const ones = members.flatMap(({ key, value }) =>
    key.one === undefined || value.one === undefined ? [] : [{ key: key.one, value: value.one }],
  );
  if (ones.length === members.length) return single((input, scope) => build(ones, input, scope));
  return several((input, scope, emit) => {
    const fill = (at: number, filled: JsonObject): void => {
      const member = members[at];
      if (member === undefined) {
        emit(filled);
        return;
      }
      member.key.each(input, scope, (key) =>
        member.value.each(input, scope, (value) => {
          const longer: JsonObject = copy(filled, scope);
          put(longer, nameOf(key), value, scope);
          fill(at + 1, longer);
        }),
      );
    };
    fill(0, {});
  });
}

function build(members: readonly { key: One; value: One }[], input: Json, scope: Scope): JsonObject {
  const object: JsonObject = {};
  for (const { key, value } of members) put(object, nameOf(key(input, scope)), value(input, scope), scope);
  return object;
}

/** What jq says of a key that is no text depends on whether it is a constant. */
function nameOf(key: Json): string {
  if (typeof key !== 'string') throw notMine();
  return key;
}

function copy(object: JsonObject, scope: Scope): JsonObject {
  const same: JsonObject = {};
  for (const name of Object.keys(object)) put(same, name, object[name] ?? null, scope);
  return same;
}
