// The address to which the path of an operation is appended.
import { isJsonObject, type Json, type JsonObject } from '../../../shared/json.ts';
import { listOf, member, objectOf, type OpenApiDocument, resolveObject, textOf } from './document.ts';
import type { OpenApiOperation } from './operation.ts';
import { openApiError, Unbuildable } from './problem.ts';

/** The first server of the document, absolute. @throws Unbuildable if it has no server that can be called */
export function serverUrl(document: OpenApiDocument, operation: OpenApiOperation): URL {
  const url = document.version === '2.0' ? hostUrl(document) : firstServer(document, operation.servers);
  if (url === undefined || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw new Unbuildable(openApiError('unusable_document', 'The document has no http or https server URL.'));
  }
  return url;
}

function firstServer(document: OpenApiDocument, own: Json[] | undefined): URL | undefined {
  const [server] = own ?? listOf(document.root, 'servers');
  if (server === undefined) return parsed('/', document.url);
  if (!isJsonObject(server)) return undefined;
  const address = filled(textOf(server, 'url') ?? '/', objectOf(server, 'variables'));
  return address.includes('{') ? undefined : parsed(address, document.url);
}

/** Replaces variables by their defaults. */
function filled(template: string, variables: JsonObject): string {
  return template.replaceAll(/\{([^{}]+)\}/g, (written, name: string) => {
    const value = member(objectOf(variables, name), 'default');
    return value === undefined || typeof value === 'object' ? written : String(value);
  });
}

/** In 2.0: `schemes`, `host` and `basePath`; the defaults are those of the document's address. */
function hostUrl(document: OpenApiDocument): URL | undefined {
  const { root, url } = document;
  const schemes = listOf(root, 'schemes').filter((scheme) => scheme === 'http' || scheme === 'https');
  const own = url?.protocol.replace(':', '');
  const scheme = schemes.find((one) => one === own) ?? schemes.find((one) => one === 'https') ?? schemes[0] ?? own;
  const host = textOf(root, 'host') ?? url?.host;
  if (host === undefined) return undefined;
  const base = textOf(root, 'basePath') ?? '/';
  return parsed(`${scheme ?? 'https'}://${host}${base.startsWith('/') ? '' : '/'}${base}`, undefined);
}

function parsed(address: string, base: URL | undefined): URL | undefined {
  return URL.parse(address, base?.href) ?? undefined;
}

/** The address of an operation; undefined if its document has no address that can be called. */
export function serverOf(document: OpenApiDocument, operation: OpenApiOperation): URL | undefined {
  try {
    return serverUrl(document, operation);
  } catch {
    return undefined;
  }
}

/** A security scheme of the document by name; its location differs between 2.0 and 3.x. */
export function securityScheme({ version, root }: OpenApiDocument, name: string): JsonObject | undefined {
  const schemes =
    version === '2.0'
      ? objectOf(root, 'securityDefinitions')
      : objectOf(objectOf(root, 'components'), 'securitySchemes');
  return resolveObject(root, member(schemes, name));
}
