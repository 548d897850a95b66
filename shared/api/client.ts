import { createParser } from 'eventsource-parser';
import type { Permission } from '../permissions.ts';
import { LOCAL_ORG } from '../product.ts';
import { type Operations, ROUTES } from './operations.generated.ts';

/** The operations whose request has a JSON body, or none. */
export type OperationName = AnsweringOperation | StreamingOperation;

/** The input of an operation: path parameters and fields in one object. */
export type Input<Name extends OperationName | UploadingOperation> = OrUndefined<
  Operations[Name]['input'] & { /** The org of the credential; in local mode, `local`. */ org?: string }
>;

/** The response of an operation. */
export type Answer<Name extends AnsweringOperation> = Operations[Name]['answer'];

/** The `data` of each event of a streaming operation. */
export type StreamedEvent<Name extends StreamingOperation> = Operations[Name]['event'];

/** The response of an upload. */
export type Uploaded<Name extends UploadingOperation> = Operations[Name]['uploaded'];

/** The operations, whatever they take and return. */
export type AnyOperationName = keyof Operations;

/** The operations that take a file, and return JSON. */
export type UploadingOperation = NamesWith<'uploaded'>;

/** The operations that return JSON. */
export type AnsweringOperation = NamesWith<'answer'>;

/** The operations that return server-sent events. */
export type StreamingOperation = NamesWith<'event'>;

type NamesWith<Member extends string> = {
  [Name in keyof Operations]: Operations[Name] extends Record<Member, unknown> ? Name : never;
}[keyof Operations];

/** An optional field may be undefined; then it is not sent. */
type OrUndefined<Members> = {
  [Name in keyof Members]: Members[Name] | (object extends Pick<Members, Name> ? undefined : never);
};

/** The permissions of which a caller needs any one to call an operation; empty: everybody may. */
export function permissionsOf(name: AnyOperationName): readonly Permission[] {
  return ROUTES[name].permissions;
}

/** The path parameters of an operation in the order of its route, without the org. */
export function pathParametersOf(name: AnyOperationName): string[] {
  return Array.from(ROUTES[name].path.matchAll(/\{(\w+)\}/g), ([, parameter = '']) => parameter).filter(
    (parameter) => parameter !== 'org',
  );
}

export interface UploadRequest {
  method: 'POST' | 'PUT';
  /** Path, relative to the server's origin. */
  path: string;
  headers: Readonly<Record<'content-type', string>>;
}

export interface ApiRequest {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Path and query string, relative to the server's origin. */
  path: string;
  /** The JSON body of a POST or PUT. */
  body?: Readonly<Record<string, unknown>>;
}

/** The HTTP request that calls an operation. @param org the org, where the input names none */
export function requestOf<Name extends OperationName>(
  name: Name,
  input: Input<Name>,
  org: string = LOCAL_ORG,
): ApiRequest {
  const { method, path: route } = ROUTES[name];
  const fields = new Map(Object.entries(input).filter(([, value]) => value !== undefined));
  const path = takePath(route, fields, org);
  if (method === 'POST' || method === 'PUT') return { method, path, body: Object.fromEntries(fields) };
  const query = Array.from(fields, ([field, value]) => `${field}=${encodeURIComponent(String(value))}`);
  return { method, path: query.length === 0 ? path : `${path}?${query.join('&')}` };
}

/**
 * The HTTP request that uploads a file. Send the file as its body with its length: a `Blob` has one.
 * @param org the org, where the input names none
 */
export function uploadRequestOf<Name extends UploadingOperation>(
  name: Name,
  input: Input<Name>,
  org: string = LOCAL_ORG,
): UploadRequest {
  const { method, path: route, upload } = ROUTES[name];
  return { method, path: takePath(route, new Map(Object.entries(input)), org), headers: { 'content-type': upload } };
}

/** The path of a route; its parameters are taken out of the fields. */
function takePath(route: string, fields: Map<string, unknown>, org: string): string {
  return route.replaceAll(/\{(\w+)\}/g, (_, parameter: string) => {
    const value = fields.get(parameter) ?? (parameter === 'org' ? org : undefined);
    fields.delete(parameter);
    return encodeURIComponent(String(value));
  });
}

/**
 * Yields the `data` of each server-sent event, parsed as JSON, in order. An incomplete event at the end of the stream
 * is dropped.
 */
export async function* readEventStream<Data>(chunks: AsyncIterable<string>): AsyncGenerator<Data> {
  const complete: string[] = [];
  const parser = createParser({ onEvent: ({ data }) => complete.push(data) });
  for await (const chunk of chunks) {
    parser.feed(chunk);
    for (const data of complete.splice(0)) yield JSON.parse(data) as Data;
  }
}
