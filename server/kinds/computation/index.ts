export { createComputationKind } from './computation.ts';
