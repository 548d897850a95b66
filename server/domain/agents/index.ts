export { CLIENTS, type McpClient, surroundings } from './clients.ts';
export { launchOf, serverName } from './launch.ts';
export { agentOperations } from './operations.ts';
export type { Launch } from './own-command.ts';
