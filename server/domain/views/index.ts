export { viewMigrations } from './sql.ts';
export { createViews, type RecallViews } from './views.ts';
