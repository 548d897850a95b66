// Where a document says how to authenticate.
import { isJsonObject, type Json, type JsonObject } from '../../../../../shared/json.ts';
import { escapeToken } from '../../../../lib/json-pointer.ts';
import type { Walk } from '../walk.ts';

export interface PlacedPolicy {
  policy: JsonObject;
  pointer: string;
}

/** Every policy: those of `use.authentications`, and those that tasks have. */
export function policiesOf({ document, steps }: Walk): PlacedPolicy[] {
  const named = Object.entries(document.use?.authentications ?? {}).map(([name, policy]) => ({
    policy,
    pointer: `/use/authentications/${escapeToken(name)}`,
  }));
  return [...named, ...steps.flatMap((step) => step.descriptor.policies?.(step) ?? [])];
}

export function placedPolicies(policy: Json | undefined, pointer: string): PlacedPolicy[] {
  return isJsonObject(policy) ? [{ policy, pointer }] : [];
}
