// Where a document says how to authenticate.
import { isJsonObject, type Json, type JsonObject } from '../../../../../shared/json.ts';
import { escapeToken } from '../../../../lib/json-pointer.ts';
import type { Walk } from '../walk.ts';

export interface Policy {
  policy: JsonObject;
  pointer: string;
}

/** Every policy: those of `use.authentications`, of endpoints, and of OpenAPI calls. */
export function policiesOf({ document, steps }: Walk): Policy[] {
  const found: Policy[] = Object.entries(document.use?.authentications ?? {}).map(([name, policy]) => ({
    policy,
    pointer: `/use/authentications/${escapeToken(name)}`,
  }));
  for (const { task, pointer } of steps) {
    if (!('call' in task) || !isJsonObject(task.with)) continue;
    const at = `${pointer}/with`;
    // A called definition's input may look like anything.
    if (task.call === 'http') found.push(...ofEndpoint(task.with['endpoint'], `${at}/endpoint`));
    if (task.call === 'openapi') {
      found.push(...of(task.with['authentication'], `${at}/authentication`));
      const { document: resource } = task.with;
      if (isJsonObject(resource)) found.push(...ofEndpoint(resource['endpoint'], `${at}/document/endpoint`));
    }
    if (task.call === 'mcp') {
      const { transport } = task.with;
      const http = isJsonObject(transport) ? transport['http'] : undefined;
      if (isJsonObject(http)) found.push(...ofEndpoint(http['endpoint'], `${at}/transport/http/endpoint`));
    }
  }
  return found;
}

function ofEndpoint(endpoint: Json | undefined, pointer: string): Policy[] {
  return isJsonObject(endpoint) ? of(endpoint['authentication'], `${pointer}/authentication`) : [];
}

function of(policy: Json | undefined, pointer: string): Policy[] {
  return isJsonObject(policy) ? [{ policy, pointer }] : [];
}
