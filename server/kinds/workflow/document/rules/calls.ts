// Warnings about what a document reaches for: definitions, tools, hosts, MCP servers. All of it can come later.
import { isJsonObject } from '../../../../../shared/json.ts';
import type { Findings } from '../../../../lib/yaml/index.ts';
import { checkHost } from '../calls/endpoint.ts';
import type { DocumentSurroundings } from '../surroundings.ts';
import type { Walk } from '../walk.ts';
import { policiesOf } from './policies.ts';

export function checkCalls(walked: Walk, surroundings: DocumentSurroundings, findings: Findings): void {
  for (const step of walked.steps) step.descriptor.checkReach?.(step, surroundings, findings);
  for (const { policy, pointer } of policiesOf(walked)) {
    for (const scheme of ['oauth2', 'oidc']) {
      const own = policy[scheme];
      if (isJsonObject(own)) checkHost(own['authority'], `${pointer}/${scheme}/authority`, surroundings, findings);
    }
  }
}
