export type { Guide, Health } from './description-routes.ts';
export { createHttpServer, type HttpOptions } from './server.ts';
