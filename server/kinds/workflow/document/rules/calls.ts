// Warnings about what a document reaches for: definitions, tools, hosts, MCP servers. All of it can come later.
import { isJsonObject } from '../../../../../shared/json.ts';
import { escapeToken } from '../../../../lib/json-pointer.ts';
import type { Findings } from '../../../../lib/yaml/index.ts';
import { checkHost } from '../calls/endpoint.ts';
import type { PlacedPolicy } from '../placed.ts';
import type { DocumentContext } from '../check-context.ts';
import type { Walk } from '../walk.ts';

export function checkCalls(walked: Walk, context: DocumentContext, findings: Findings): void {
  for (const step of walked.steps) step.descriptor.checkReach?.(step, context, findings);
  for (const { policy, pointer } of policiesOf(walked)) {
    for (const scheme of ['oauth2', 'oidc']) {
      const own = policy[scheme];
      if (isJsonObject(own)) checkHost(own['authority'], `${pointer}/${scheme}/authority`, context, findings);
    }
  }
}

/** Every policy: those of `use.authentications`, and those that tasks have. */
export function policiesOf({ document, steps }: Walk): PlacedPolicy[] {
  const named = Object.entries(document.use?.authentications ?? {}).map(([name, policy]) => ({
    policy,
    pointer: `/use/authentications/${escapeToken(name)}`,
  }));
  return [...named, ...steps.flatMap((step) => step.descriptor.policies?.(step) ?? [])];
}
