// A value that is sent as a security scheme of the document says (OpenAPI 3.1.1, section 4.8.27; 2.0, Security Scheme Object).
import type { JsonObject } from '../../../../shared/json.ts';
import { type OpenApiDocument, securityScheme } from '../../../lib/openapi-client/index.ts';
import type { ToolServer } from '../../../settings/index.ts';
import { ServerFault } from '../server.ts';

type OpenApiEntry = ToolServer & { type: 'openapi' };

/** The entry with what its security scheme adds to headers or query parameters. @throws ServerFault */
export function withSecurity(entry: OpenApiEntry, document: OpenApiDocument): OpenApiEntry {
  if (entry.security === undefined) return entry;
  const { scheme: name, value } = entry.security;
  const scheme = securityScheme(document, name);
  if (scheme === undefined) {
    throw new ServerFault('failing', 'Its OpenAPI document lacks the security scheme that its credential names.');
  }
  switch (textOf(scheme, 'type').toLowerCase()) {
    case 'apikey':
      return withKey(entry, scheme, value);
    case 'basic':
      return withHeader(entry, 'authorization', basic(value));
    case 'http': {
      const word = textOf(scheme, 'scheme');
      return withHeader(entry, 'authorization', word.toLowerCase() === 'basic' ? basic(value) : `${word} ${value}`);
    }
    case 'oauth2':
    case 'openidconnect':
      return withHeader(entry, 'authorization', `Bearer ${value}`);
    default:
      throw new ServerFault('failing', 'The security scheme that its credential names does not take a value.');
  }
}

function withKey(entry: OpenApiEntry, scheme: JsonObject, value: string): OpenApiEntry {
  const name = textOf(scheme, 'name');
  switch (textOf(scheme, 'in')) {
    case 'query':
      return { ...entry, queryParams: { ...entry.queryParams, [name]: value } };
    case 'cookie':
      return withHeader(entry, 'cookie', `${name}=${value}`);
    default:
      return withHeader(entry, name, value);
  }
}

function withHeader(entry: OpenApiEntry, name: string, value: string): OpenApiEntry {
  return { ...entry, headers: { ...entry.headers, [name]: value } };
}

/** The value is a user and a password, separated by a colon (RFC 7617). */
function basic(value: string): string {
  return `Basic ${Buffer.from(value).toString('base64')}`;
}

function textOf(object: JsonObject, name: string): string {
  const value = Object.hasOwn(object, name) ? object[name] : undefined;
  return typeof value === 'string' ? value : '';
}
