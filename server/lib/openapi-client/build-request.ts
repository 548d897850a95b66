// Builds the request of an operation from named arguments.
//
// 1. Every argument is used, or refused by name; null counts as absent.
// 2. A path argument only fills its placeholder: it is fully encoded, is never empty, and cannot create a segment that
//    leaves the path (`.`, `..`).
// 3. No error message contains the value of an argument.
import type { Json, JsonObject } from '../../../shared/json.ts';
import { nearestName } from '../../../shared/nearest-name.ts';
import type { HttpRequest } from '../http-client/index.ts';
import { pathParameterNames } from './argument-names.ts';
import type { OpenApiDocument } from './document.ts';
import type { OpenApiOperation, Parameter } from './operation.ts';
import { type OpenApiError, openApiError, Unbuildable } from './problem.ts';
import { serverUrl } from './server-url.ts';
import { writeBody, writeFields, type WrittenBody } from './write-body.ts';
import { encodeReserved, encodeText, writeInHeader, writeInPath, writePairs } from './write-parameter.ts';

export type RequestBuilt = { ok: true; request: HttpRequest } | { ok: false; error: OpenApiError };

const SIMPLE = { style: 'simple', explode: false, separator: ',', keepsReserved: false, wantsList: false } as const;
const ANY_RESPONSE = 'application/json, */*;q=0.8';
/** The number of media types in the Accept header. */
const MOST_ACCEPTED = 10;

/** @param baseUrl replaces the server of the document */
export function buildRequest(
  document: OpenApiDocument,
  operation: OpenApiOperation,
  input: JsonObject,
  baseUrl?: URL,
): RequestBuilt {
  try {
    const args = new Map(Object.entries(input).filter(([, value]) => value !== null));
    refuseUnknown(operation, args);
    const url = addressOf(baseUrl ?? serverUrl(document, operation), operation, args);
    const headers: Record<string, string> = { accept: acceptOf(operation), ...headersOf(operation, args) };
    const body = bodyOf(document, operation, args);
    if (body !== undefined) headers['content-type'] = body.contentType;
    const request: HttpRequest = { method: operation.method.toUpperCase(), url, headers };
    return { ok: true, request: body === undefined ? request : { ...request, body: body.body } };
  } catch (error) {
    if (error instanceof Unbuildable) return { ok: false, error: error.problem };
    throw error;
  }
}

type Arguments = ReadonlyMap<string, Json>;

function refuseUnknown(operation: OpenApiOperation, args: Arguments): void {
  const names = [
    ...operation.parameters.map(({ argument }) => argument),
    ...(operation.body?.names ?? []),
    ...(operation.body?.fields ?? []).map(({ argument }) => argument),
    ...undeclaredPathParameters(operation),
  ];
  for (const name of args.keys()) {
    if (names.includes(name)) continue;
    const near = nearestName(name, names);
    const known = names.length === 0 ? 'It takes none.' : `It takes ${[...new Set(names)].slice(0, 20).join(', ')}.`;
    const hint = near === undefined ? known : `Did you mean \`${near}\`?`;
    const detail = `The operation has no parameter \`${name.slice(0, 200)}\`. ${hint}`;
    throw new Unbuildable(openApiError('unknown_parameter', detail, name));
  }
}

function addressOf(server: URL, operation: OpenApiOperation, args: Arguments): URL {
  const path = operation.path.replaceAll(/\{([^{}]+)\}/g, (_written, name: string) => {
    // An undeclared placeholder is a required parameter too.
    const parameter = operation.parameters.find((one) => one.in === 'path' && one.name === name);
    const argument = parameter?.argument ?? name;
    const text = writeInPath(parameter ?? { name, form: SIMPLE }, required(argument, args.get(argument)));
    if (text === '') {
      throw new Unbuildable(openApiError('bad_parameter', `\`${argument}\` must not be empty.`, argument));
    }
    return text;
  });
  if (path.split(/[/?#]/).some((segment) => /^(\.|%2e){1,2}$/i.test(segment))) {
    throw new Unbuildable(openApiError('bad_parameter', 'A parameter of the path must not make it `.` or `..`.'));
  }
  const url = new URL(server.href);
  url.hash = '';
  const [own = '', query = ''] = path.split('?', 2);
  url.pathname = `${server.pathname.replace(/\/$/, '')}${own}`;
  const pairs = [server.search.slice(1), query, ...queryOf(operation, args)].filter((part) => part !== '');
  url.search = pairs.join('&');
  return url;
}

function queryOf(operation: OpenApiOperation, args: Arguments): string[] {
  return argumentsIn('query', operation, args).flatMap(({ parameter, value }) => {
    const encode = parameter.form.keepsReserved ? encodeReserved : encodeText;
    return writePairs(parameter, value, encode).map(([name, text]) => `${name}=${text}`);
  });
}

function headersOf(operation: OpenApiOperation, args: Arguments): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const { parameter, value } of argumentsIn('header', operation, args)) {
    const text = writeInHeader(parameter, value);
    if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(text)) {
      const detail = `\`${parameter.argument}\` is sent as a header, and contains a character that is not allowed in headers.`;
      throw new Unbuildable(openApiError('bad_parameter', detail, parameter.argument));
    }
    headers[parameter.name.toLowerCase()] = text;
  }
  const cookies = argumentsIn('cookie', operation, args).flatMap(({ parameter, value }) =>
    writePairs(parameter, value, encodeText).map(([name, text]) => `${name}=${text}`),
  );
  return cookies.length === 0 ? headers : { ...headers, cookie: cookies.join('; ') };
}

function bodyOf(document: OpenApiDocument, { body }: OpenApiOperation, args: Arguments): WrittenBody | undefined {
  if (body === undefined) return undefined;
  const [first] = body.mediaTypes;
  if (body.fields !== undefined) {
    const values = body.fields.flatMap((field) => {
      const value = valueOf(field, args);
      return value === undefined ? [] : [{ field, value }];
    });
    return values.length === 0 ? undefined : writeFields(first?.type ?? '', values);
  }
  const name = body.names.find((one) => args.has(one));
  const value = name === undefined ? undefined : args.get(name);
  if (body.isRequired) required(body.names[0] ?? 'body', value);
  return value === undefined ? undefined : writeBody(document, body.mediaTypes, value);
}

function argumentsIn(
  location: Parameter['in'],
  operation: OpenApiOperation,
  args: Arguments,
): { parameter: Parameter; value: Json }[] {
  return operation.parameters.flatMap((parameter) => {
    if (parameter.in !== location) return [];
    const value = valueOf(parameter, args);
    return value === undefined ? [] : [{ parameter, value }];
  });
}

function required(name: string, value: Json | undefined): Json {
  if (value !== undefined) return value;
  throw new Unbuildable(openApiError('missing_parameter', `The parameter \`${name}\` is required.`, name));
}

/** @throws Unbuildable if it is required and missing */
function valueOf(
  { argument, isRequired }: Pick<Parameter, 'argument' | 'isRequired'>,
  args: Arguments,
): Json | undefined {
  return isRequired ? required(argument, args.get(argument)) : args.get(argument);
}

function undeclaredPathParameters({ path, parameters }: OpenApiOperation): string[] {
  return pathParameterNames(path).filter((name) => !parameters.some((one) => one.in === 'path' && one.name === name));
}

function acceptOf(operation: OpenApiOperation): string {
  const types = operation.accepts.slice(0, MOST_ACCEPTED);
  return types.length === 0 || !types.every((type) => /^[\x20-\x7e]+$/.test(type)) ? ANY_RESPONSE : types.join(', ');
}
