// API calls as texts to copy.
import { type Input, type OperationName, requestOf } from '../../shared/api/index.ts';
import { session } from '../api/session/session.ts';
import type { Copy } from './copy-as.tsx';

/** A call over HTTP and over MCP. */
export function callCopies<Name extends OperationName>(name: Name, input: Input<Name>): Copy[] {
  return [
    curlCopy(name, input),
    { name: 'MCP call', text: () => JSON.stringify({ name, arguments: input }, undefined, 2) },
  ];
}

/** A call over HTTP. */
export function curlCopy<Name extends OperationName>(name: Name, input: Input<Name>): Copy {
  return {
    name: 'curl',
    text() {
      const { method, path, body } = requestOf(name, input, session.org());
      return curlCommand(method, path, body);
    },
  };
}

/** A request as a curl command for a POSIX shell. @param more headers in addition to Content-Type */
export function curlCommand(
  method: string,
  path: string,
  body?: unknown,
  more: Readonly<Record<string, string>> = {},
): string {
  // The shell fills in the key: it is never part of a copied text.
  const key = session.isLocal ? '' : ' -H "Authorization: Bearer $CUEBOOK_KEY"';
  const address = `${quoted(`${location.origin}${path}`)}${key}`;
  if (method === 'GET') return `curl -s ${address}`;
  const headers = Object.entries({ 'Content-Type': 'application/json', ...more });
  const flags = headers.map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`).join(' ');
  return `curl -s ${address} ${flags} -d ${quoted(JSON.stringify(body))}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
