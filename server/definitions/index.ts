export { createDefinitions, type Definitions, type Draft } from './definitions.ts';
export { definitionOperations } from './operations.ts';
export { definitionProjection } from './projection.ts';
export { createRunnables, type Runnable } from './runnable.ts';
export { definitionMigrations, type DefinitionKey } from './sql.ts';
