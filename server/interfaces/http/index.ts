export { createBareServer } from './bare-server.ts';
export type { Guide, Health } from './description-routes.ts';
export { cached, addPublicRoute } from './public-routes.ts';
export type { McpRequest } from './mcp-routes.ts';
export { problemAnswer } from './problem.ts';
export { addOperationRoutes } from './routes.ts';
export { createHttpServer, type HttpOptions } from './server.ts';
export type { Asset, StudioFiles } from './studio-files.ts';
