export { createDefinitions, type DefinitionHooks, type Definitions, type Draft } from './definitions.ts';
export { definitionOperations } from './operations.ts';
export { definitionProjection } from './projection.ts';
export { createRunnables, readVersion, type Runnable } from './runnable.ts';
export { definitionMigrations, type DefinitionKey } from './sql.ts';
