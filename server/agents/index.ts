export { CLIENTS, type McpClient, surroundings } from './clients.ts';
export { type Launch, launchOf, serverName } from './launch.ts';
export { agentOperations } from './operations.ts';
