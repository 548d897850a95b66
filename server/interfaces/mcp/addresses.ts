// Addresses of readable values: `cuebook://ORG/playbooks/...` is the path of a read operation, with `?part=` a JSON
// Pointer into its output.
import { isJsonObject, type Json, type JsonObject } from '../../../shared/json.ts';
import { JsonText } from '../../lib/json-text.ts';
import { tokensOf } from '../../lib/json-pointer.ts';
import { notFound } from '../../lib/rejection.ts';
import type { Call, Callable, Operation } from '../../operations/index.ts';
import type { Endpoint } from './endpoint.ts';
import type { KeptValues } from './kept-values.ts';
import type { FindAddress } from './links.ts';
import { percentDecoded } from '../../lib/percent-decode.ts';

const SCHEME = 'cuebook://';
const KEPT = '/kept/';

/** The operations that read one object by its path. */
export function readables(callables: readonly Callable[]): Callable[] {
  return callables.filter(({ operation }) => {
    const { method, fields, path, mcp, answers, hints } = operation;
    const isPlain = Object.keys(fields.properties).length === 0 && Object.keys(path.properties).length > 1;
    return method === 'GET' && answers === 'json' && mcp && isPlain && hints.openWorld !== true;
  });
}

/** The address template of such an operation, with path parameters as `{name}`. */
export function templateOf({ org, playbook }: Endpoint, { route }: Operation): string {
  return `${SCHEME}${org}${playbook === undefined ? route : route.replace('{playbook}', playbook)}`;
}

/** The address of a complete value: an operation that returns a member of that name, otherwise a kept value. */
export function createFindAddress(endpoint: Endpoint, readable: readonly Callable[], kept: KeptValues): FindAddress {
  const { org, caller } = endpoint;
  return (holder, name, value) => {
    const [best] = readable
      .map(({ operation }) => operation)
      .filter(
        (operation) =>
          answersMember(operation, name) &&
          Object.keys(operation.path.properties).every((member) => isName(holder[member])),
      )
      .toSorted((a, b) => Object.keys(b.path.properties).length - Object.keys(a.path.properties).length);
    if (best === undefined) return `${SCHEME}${org}${KEPT}${kept.keep({ org, by: caller.id }, value)}`;
    const path = best.route.replaceAll(/\{(\w+)\}/g, (_, member: string) => encodeURIComponent(String(holder[member])));
    return `${SCHEME}${org}${path}?part=/${encodeURIComponent(name)}`;
  };
}

function answersMember(operation: Operation, name: string): boolean {
  if (operation.answers !== 'json' || !('properties' in operation.output)) return false;
  return Object.hasOwn(operation.output.properties as object, name);
}

function isName(value: Json | undefined): boolean {
  return typeof value === 'string' || typeof value === 'number';
}

/** @throws Refused as the operation does; `not_found` for an address that this endpoint cannot read */
export async function readAddress(
  uri: string,
  endpoint: Endpoint,
  call: Call,
  readable: readonly Callable[],
  kept: KeptValues,
): Promise<Json> {
  const [, org = '', path = '', part = ''] = /^cuebook:\/\/([^/?#]+)(\/[^?#]*)(?:\?part=([^&#]*))?$/.exec(uri) ?? [];
  const nowhere = notFound(
    `This endpoint cannot read ${uri.slice(0, 200)}; use an address that a tool returned, or one from resources/templates/list.`,
  );
  if (org !== endpoint.org) throw nowhere;
  if (path.startsWith(KEPT)) {
    const value = kept.read({ org, by: endpoint.caller.id }, path.slice(KEPT.length));
    if (value === undefined) throw notFound('This value has expired; call the tool that returned its address again.');
    return value;
  }
  for (const callable of readable) {
    const members = matchRoute(callable.operation.route, path);
    if (members === undefined) continue;
    if (endpoint.playbook !== undefined && members['playbook'] !== endpoint.playbook) throw nowhere;
    if (callable.checkPath(members).length > 0) throw nowhere;
    callable.authorize(call, members);
    return partOf((await callable.execute(call, members, {})) as Json, percentDecoded(part)) ?? raise(nowhere);
  }
  throw nowhere;
}

function matchRoute(route: string, path: string): Record<string, string> | undefined {
  const [wanted, given] = [route.split('/'), path.split('/')];
  if (wanted.length !== given.length) return undefined;
  const members: Record<string, string> = {};
  for (const [index, segment] of wanted.entries()) {
    const found = percentDecoded(given[index] ?? '');
    if (segment.startsWith('{')) members[segment.slice(1, -1)] = found;
    else if (segment !== found) return undefined;
  }
  return members;
}

function partOf(value: Json, pointer: string): Json | undefined {
  let found: Json | undefined = value;
  for (const token of tokensOf(pointer)) {
    const parsed: Json | undefined = (found as unknown) instanceof JsonText ? JSON.parse(JSON.stringify(found)) : found;
    const holder: JsonObject | Json[] | undefined = Array.isArray(parsed) || isJsonObject(parsed) ? parsed : undefined;
    found = holder !== undefined && Object.hasOwn(holder, token) ? (holder as JsonObject)[token] : undefined;
  }
  return found;
}

function raise(error: Error): never {
  throw error;
}
