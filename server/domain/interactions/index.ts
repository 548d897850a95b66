export { createInteractions, type Interactions, REQUEST_LANES } from './interactions.ts';
export { interactionOperations } from './operations.ts';
export { interactionProjection } from './projection.ts';
export { interactionMigrations } from './sql.ts';
