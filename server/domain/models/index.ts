export { createModels, type Models } from './models.ts';
export { modelOperations } from './operations.ts';
export { createProviderKeys, keptProviders } from './provider-keys.ts';
export { providerOperations } from './provider-operations.ts';
