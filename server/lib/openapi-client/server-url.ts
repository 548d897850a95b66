// The address that an operation's path is put behind.
import { isJsonObject, type Json, type JsonObject } from '../../../shared/json.ts';
import { listOf, member, objectOf, type OpenApiDocument, resolveObject, textOf } from './document.ts';
import type { OpenApiOperation } from './operation.ts';
import { openApiError, Unbuildable } from './problem.ts';

/** The first server that the document names, absolute. @throws Unbuildable where it names none that can be called */
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

/** Variables take their defaults. */
function filled(template: string, variables: JsonObject): string {
  return template.replaceAll(/\{([^{}]+)\}/g, (written, name: string) => {
    const value = member(objectOf(variables, name), 'default');
    return value === undefined || typeof value === 'object' ? written : String(value);
  });
}

/** 2.0: `schemes`, `host` and `basePath`, each by default as the document was read. */
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

/** Where an operation is called; undefined where its document names no address that can be called. */
export function serverOf(document: OpenApiDocument, operation: OpenApiOperation): URL | undefined {
  try {
    return serverUrl(document, operation);
  } catch {
    return undefined;
  }
}

/** A security scheme of the document, by its name; 2.0 and 3 keep them in different places. */
export function securityScheme({ version, root }: OpenApiDocument, name: string): JsonObject | undefined {
  const schemes =
    version === '2.0'
      ? objectOf(root, 'securityDefinitions')
      : objectOf(objectOf(root, 'components'), 'securitySchemes');
  return resolveObject(root, member(schemes, name));
}
