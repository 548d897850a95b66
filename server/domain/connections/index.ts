export { connectionProjection } from './projection.ts';
export { createConnectionService, type ConnectionService } from './service.ts';
export { connectionMigrations } from './sql.ts';
