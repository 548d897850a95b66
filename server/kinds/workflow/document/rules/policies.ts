// Where a document says how to authenticate.
import { escapeToken } from '../../../../lib/json-pointer.ts';
import type { PlacedPolicy } from '../placed.ts';
import type { Walk } from '../walk.ts';

/** Every policy: those of `use.authentications`, and those that tasks have. */
export function policiesOf({ document, steps }: Walk): PlacedPolicy[] {
  const named = Object.entries(document.use?.authentications ?? {}).map(([name, policy]) => ({
    policy,
    pointer: `/use/authentications/${escapeToken(name)}`,
  }));
  return [...named, ...steps.flatMap((step) => step.descriptor.policies?.(step) ?? [])];
}
