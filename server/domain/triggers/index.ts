export { createFiring } from './firing.ts';
export { triggerMigrations } from './sql.ts';
export { createTriggers, type Triggers } from './triggers.ts';
