// The operations of a document.
import { isJsonObject, type Json, type JsonObject } from '../../../shared/json.ts';
import { nearestName } from '../../../shared/nearest-name.ts';
import { nameArguments } from './argument-names.ts';
import { bodyOf } from './bodies.ts';
import { listOf, member, objectOf, type OpenApiDocument, resolveObject, textOf } from './document.ts';
import { jsonFirst } from './media-types.ts';
import { type ListedOperation, METHODS, type Method, type OpenApiOperation, type OperationHead } from './operation.ts';
import { parameterCount, parameterObjects, parameterOf } from './parameters.ts';
import { type OpenApiError, openApiError } from './problem.ts';

interface OperationLocation {
  id: string | undefined;
  method: Method;
  path: string;
  item: JsonObject;
  operation: JsonObject;
}

/** Yields operations one at a time, so that the caller may stop. Parameters and body are read on demand. */
export function* listOperations(document: OpenApiDocument): Generator<ListedOperation> {
  for (const location of operationLocations(document))
    yield {
      ...headAt(location),
      parameterCount: parameterCount(location.item, location.operation),
      read: () => operationAt(document, location),
    };
}

export function findOperation(
  document: OpenApiDocument,
  id: string,
): { ok: true; operation: OpenApiOperation } | { ok: false; error: OpenApiError } {
  const all = [...operationLocations(document)];
  const found = all.filter((location) => location.id === id);
  const [location] = found;
  if (location === undefined) return { ok: false, error: unknownOperation(id, all) };
  if (found.length > 1) {
    return { ok: false, error: openApiError('unusable_document', `The document has several operations \`${id}\`.`) };
  }
  return { ok: true, operation: operationAt(document, location) };
}

function unknownOperation(id: string, all: readonly OperationLocation[]): OpenApiError {
  const names = all.flatMap((location) => location.id ?? []);
  const near = nearestName(id, names);
  const hint = near === undefined ? '' : ` Did you mean \`${near}\`?`;
  return openApiError('unknown_operation', `The document has no operation \`${id.slice(0, 200)}\`.${hint}`);
}

function* operationLocations(document: OpenApiDocument): Generator<OperationLocation> {
  for (const [path, value] of Object.entries(objectOf(document.root, 'paths'))) {
    const item = path.startsWith('/') ? resolveObject(document.root, value) : undefined;
    if (item === undefined) continue;
    for (const method of METHODS) {
      const operation = member(item, method);
      if (isJsonObject(operation)) yield { id: textOf(operation, 'operationId'), method, path, item, operation };
    }
  }
}

function headAt({ id, method, path, operation }: OperationLocation): OperationHead {
  return {
    id,
    method,
    path,
    summary: textOf(operation, 'summary'),
    description: textOf(operation, 'description'),
    isDeprecated: member(operation, 'deprecated') === true,
  };
}

function operationAt(document: OpenApiDocument, location: OperationLocation): OpenApiOperation {
  const { item, operation } = location;
  const objects = parameterObjects(document, item, operation);
  const parameters = objects.flatMap((parameter) => parameterOf(document, parameter) ?? []);
  return {
    ...headAt(location),
    ...nameArguments(location.path, parameters, bodyOf(document, operation, objects)),
    accepts: acceptsOf(document, operation),
    servers: document.version === '2.0' ? undefined : (serversOf(operation) ?? serversOf(item)),
  };
}

function serversOf(holder: JsonObject): Json[] | undefined {
  const servers = listOf(holder, 'servers');
  return servers.length === 0 ? undefined : servers;
}

/** More status codes than are in use. */
const MOST_RESPONSES = 100;

function acceptsOf(document: OpenApiDocument, operation: JsonObject): string[] {
  if (document.version === '2.0') {
    const holder = member(operation, 'produces') === undefined ? document.root : operation;
    return jsonFirst(listOf(holder, 'produces').filter((type) => typeof type === 'string'));
  }
  const types = new Set<string>();
  for (const [status, value] of Object.entries(objectOf(operation, 'responses')).slice(0, MOST_RESPONSES)) {
    if (!/^2|^default$/.test(status)) continue;
    const response = resolveObject(document.root, value);
    for (const type of Object.keys(objectOf(response ?? {}, 'content'))) types.add(type);
  }
  return jsonFirst([...types]);
}
