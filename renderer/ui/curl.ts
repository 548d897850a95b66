/** A request as a command line for a POSIX shell. @param more headers beside the one of the body */
export function curlCommand(
  method: 'GET' | 'POST',
  path: string,
  body?: unknown,
  more: Readonly<Record<string, string>> = {},
): string {
  const address = quoted(`${location.origin}${path}`);
  if (method === 'GET') return `curl -s ${address}`;
  const headers = Object.entries({ 'Content-Type': 'application/json', ...more });
  const given = headers.map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`).join(' ');
  return `curl -s ${address} ${given} -d ${quoted(JSON.stringify(body))}`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
