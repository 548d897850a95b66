import type { PlaybookKey } from '../../kernel/log/index.ts';
import type { RunTools } from '../../kinds/tools.ts';
import type { Tools } from './tools.ts';

/** The tools that a run in this playbook may call, without the calls. */
export function toolsOffered(
  tools: Pick<Tools, 'list' | 'refuseUnoffered'>,
  playbookKey: PlaybookKey,
): Pick<RunTools, 'list' | 'requireAllowed'> {
  return {
    requireAllowed: (server, tool) => tools.refuseUnoffered(playbookKey, server, tool),
    async list(server) {
      const listed = await tools.list(playbookKey, server);
      return listed.map(({ tool, description, inputSchema, annotations }) => ({
        server,
        tool,
        description,
        inputSchema,
        readOnly: annotations?.readOnlyHint === true,
      }));
    },
  };
}
