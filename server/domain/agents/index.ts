import Type from 'typebox';
import { flag, object, optional, text } from '../../../shared/schemas/fields.ts';
import { NAME_PATTERN } from '../../../shared/names.ts';
import { LOCAL_ORG } from '../../../shared/product.ts';
import { AgentSetupSchema } from '../../../shared/schemas/index.ts';
import { forbidden } from '../../lib/rejection.ts';
import { defineOperation, type Operation } from '../../operations/index.ts';
import type { Mode } from '../../settings/index.ts';
import { CLIENTS, clientEnvironment } from './clients.ts';
import { launchCommand, serverName } from './launch.ts';

export { CLIENTS, type McpClient, clientEnvironment } from './clients.ts';
export { launchCommand, serverName } from './launch.ts';
export type { LaunchCommand } from './launch.ts';

export interface AgentsOptions {
  mode: Mode;
  /** An absolute path. */
  dataDir: string;
  /** The name of the bundle among what is served below `/assets/`, where it was built. */
  bundle: string | undefined;
}

/** The answers are commands and paths of this machine, so a published server refuses. */
export function agentOperations({ mode, dataDir, bundle }: AgentsOptions): Operation[] {
  return [
    defineOperation({
      name: 'get_agent_setup',
      tag: 'Agents',
      title: 'Get client configurations for agents',
      description:
        'Returns the configuration that Claude Desktop, Claude Code, Cursor and VS Code need to connect to this service, as `cuebook connect` prints it. Only available in local mode, because the paths belong to this machine.',
      permissions: ['org:read'],
      method: 'GET',
      route: '/agent-setup',
      path: Type.Object({}),
      fields: object({
        playbook: optional(text('The id of the only playbook to connect to.', { pattern: NAME_PATTERN })),
        read: optional(flag('Whether to offer only the tools that read.')),
      }),
      output: AgentSetupSchema,
      problems: [],
      hints: { readOnly: true, destructive: false, idempotent: true },
      mcp: false,
      addition: true,
      async handle({ org }, { playbook, read }) {
        if (mode === 'published') {
          throw forbidden(
            'A published server does not return commands and paths of its machine; connect agents to its MCP endpoints with a key.',
          );
        }
        const launch = launchCommand({ dataDir, org: org === LOCAL_ORG ? undefined : org, playbook, read });
        const name = serverName(playbook);
        // The folder of a client that stores its configuration in the folder it is opened in is not known here.
        const here = { ...clientEnvironment(), folder: '' };
        return {
          name,
          clients: Object.entries(CLIENTS).map(([client, { title, file, member, entry, link, then }]) => ({
            client,
            title,
            file: file(here),
            config: { [member]: { [name]: entry(launch) } },
            ...(link === undefined ? {} : { link: link(name, launch) }),
            then,
          })),
          bundle: bundle ?? null,
        };
      },
    }),
  ];
}
