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

/** One after the other, so that whoever reads them may stop. What each takes is read when it is asked for. */
export function* listOperations(document: OpenApiDocument): Generator<ListedOperation> {
  for (const place of operationLocations(document))
    yield {
      ...headAt(place),
      parameterCount: parameterCount(place.item, place.operation),
      read: () => operationAt(document, place),
    };
}

export function findOperation(
  document: OpenApiDocument,
  id: string,
): { ok: true; operation: OpenApiOperation } | { ok: false; error: OpenApiError } {
  const all = [...operationLocations(document)];
  const found = all.filter((place) => place.id === id);
  const [place] = found;
  if (place === undefined) return { ok: false, error: unknownOperation(id, all) };
  if (found.length > 1) {
    return { ok: false, error: openApiError('unusable_document', `The document has several operations \`${id}\`.`) };
  }
  return { ok: true, operation: operationAt(document, place) };
}

function unknownOperation(id: string, all: readonly OperationLocation[]): OpenApiError {
  const names = all.flatMap((place) => place.id ?? []);
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

function operationAt(document: OpenApiDocument, place: OperationLocation): OpenApiOperation {
  const { item, operation } = place;
  const objects = parameterObjects(document, item, operation);
  const parameters = objects.flatMap((parameter) => parameterOf(document, parameter) ?? []);
  return {
    ...headAt(place),
    ...nameArguments(place.path, parameters, bodyOf(document, operation, objects)),
    accepts: acceptsOf(document, operation),
    servers: document.version === '2.0' ? undefined : (serversOf(operation) ?? serversOf(item)),
  };
}

function serversOf(holder: JsonObject): Json[] | undefined {
  const servers = listOf(holder, 'servers');
  return servers.length === 0 ? undefined : servers;
}

/** There are no more statuses that mean anything. */
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
