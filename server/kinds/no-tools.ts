import { unavailable } from '../lib/rejection.ts';
import type { PlaybookTools, RunTools } from './tools.ts';

/** For documents that are checked without a service around them, as `cuebook test` does: nothing is doubtful. */
export const ANY_TOOLS: PlaybookTools = {
  doubt: () => undefined,
};

/** For runs without a service around them, as examples are: no tool server is set up. */
export const NO_TOOLS: RunTools = {
  requireAllowed: (server) => refuse(server),
  list: async (server) => refuse(server),
  call: async (server) => refuse(server),
  used: () => 'none',
};

function refuse(server: string): never {
  throw unavailable(`No tool server ${server.slice(0, 64)} is set up here.`, {
    kind: 'tool_not_offered',
    because: 'tool_server_not_configured',
  });
}
