// Endpoints, as several forms of `call` have them.
import { isJsonObject, type Json } from '../../../../../shared/json.ts';
import { wholeExpression } from '../../../../lib/jq/index.ts';
import type { Findings } from '../../../../lib/yaml/index.ts';
import { placedPolicies, type PlacedPolicy } from '../placed.ts';
import { AUTHENTICATION_OR_NAME } from '../schema/authentication.ts';
import { object, oneOfTexts, textLike, textOrObject } from '../schema/build.ts';
import { code } from '../schema/sentences.ts';
import { BOOLEAN, URI_OR_EXPRESSION } from '../schema/values.ts';
import type { DocumentContext } from '../check-context.ts';

const ENDPOINT_SAYS = 'must be a URI, { uri, authentication } or an expression in ${ }';

export const ENDPOINT = textOrObject(
  {
    text: textLike('uri-or-expression', ENDPOINT_SAYS),
    object: object({ uri: URI_OR_EXPRESSION, authentication: AUTHENTICATION_OR_NAME }, { required: ['uri'] }),
  },
  ENDPOINT_SAYS,
);

/** How an answer over HTTP is read. */
export const RESPONSE = {
  output: oneOfTexts(['raw', 'content', 'response']),
  redirect: BOOLEAN,
};

export function endpointPolicies(endpoint: Json | undefined, pointer: string): PlacedPolicy[] {
  return isJsonObject(endpoint) ? placedPolicies(endpoint['authentication'], `${pointer}/authentication`) : [];
}

export function checkEndpoint(
  endpoint: Json | undefined,
  pointer: string,
  context: Pick<DocumentContext, 'hostAllowed'>,
  findings: Findings,
): void {
  if (isJsonObject(endpoint)) checkHost(endpoint['uri'], `${pointer}/uri`, context, findings);
  else checkHost(endpoint, pointer, context, findings);
}

/** A host that an expression or a template gives is not known before the run. */
export function checkHost(
  uri: Json | undefined,
  pointer: string,
  { hostAllowed }: Pick<DocumentContext, 'hostAllowed'>,
  findings: Findings,
): void {
  if (typeof uri !== 'string' || wholeExpression(uri) !== undefined) return;
  const match = /^(https?):\/\/(?:[^/?#]*@)?([^/?#]+)/i.exec(uri);
  if (match === null) {
    findings.warn(pointer, `${code(uri)} has no host; write an absolute URL, https://HOST/PATH.`);
    return;
  }
  const [, scheme = '', host = ''] = match;
  if (host.includes('{')) return;
  const name = hostOf(`${scheme}://${host}`);
  if (name === undefined) findings.warn(pointer, `${code(host)} is not a host name; write https://HOST/PATH.`);
  else if (hostAllowed?.(name) === false) {
    findings.warn(
      pointer,
      `Workflows are not allowed to call the host ${code(name)}; the operator can add it to \`workflow_http\`.`,
    );
  }
}

function hostOf(address: string): string | undefined {
  return URL.canParse(address) ? new URL(address).host : undefined;
}
