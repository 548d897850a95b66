/** The meaning of the reasons why a server or tool is unavailable, and what to do. */
const MEANINGS: Readonly<Record<string, string>> = {
  key_refused: 'The server rejects the credential, or wants one.',
  failing: 'The server returns errors or invalid responses.',
  rate_limited: 'The server is rate limiting requests. Try again later.',
  unreachable: 'The server does not respond at its address, or its program does not start.',
  connection_pending: 'The connection is waiting for approval.',
  connection_broken: 'The credential of the connection can no longer be read. Remove the connection and add it again.',
  connection_not_allowed: "The operator's rules do not allow this connection.",
  tool_not_allowed: 'The operator does not allow this tool: `allowed` of the server does not include it.',
  tool_not_listed: 'The server has no tool with this name.',
  tool_server_not_configured: 'This playbook has no server with this name.',
};

export function meaningOf(because: string | undefined): string {
  return (because === undefined ? undefined : MEANINGS[because]) ?? 'The server could not be reached.';
}

export function isOfConnection(because: string | undefined): boolean {
  return because?.startsWith('connection_') === true;
}
