/** What the word for an unavailable server or tool means, and what helps. */
const MEANINGS: Readonly<Record<string, string>> = {
  key_refused: 'The server refuses the credential that it is sent. Give it another one.',
  failing: 'The server answers with a fault of its own, or with what is no answer.',
  rate_limited: 'The server takes no more requests for now. Wait a little.',
  unreachable: 'Nothing answers at its address, or its program does not start.',
  connection_pending: 'The connection waits to be approved.',
  connection_broken: 'The credential of the connection cannot be read any more. Remove it and add it again.',
  connection_not_allowed: "The operator's rules do not take the connection as it is.",
  tool_not_allowed: 'The operator does not allow this tool: `allowed` of the server leaves it out.',
  tool_not_listed: 'The server lists no such tool.',
  tool_server_not_configured: 'No such server is set up for this playbook.',
};

export function meaningOf(because: string | undefined): string {
  return (because === undefined ? undefined : MEANINGS[because]) ?? 'It could not be asked.';
}

export function isOfConnection(because: string | undefined): boolean {
  return because?.startsWith('connection_') === true;
}
