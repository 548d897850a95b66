export { createModels, type Models } from './models.ts';
export { modelOperations } from './operations.ts';
