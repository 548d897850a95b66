/** A request as a command line for a POSIX shell. */
export function curlCommand(method: 'GET' | 'POST', path: string, body?: unknown): string {
  const address = quoted(`${location.origin}${path}`);
  if (method === 'GET') return `curl -s ${address}`;
  return `curl -s ${address} -H 'Content-Type: application/json' -d ${quoted(JSON.stringify(body))}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
