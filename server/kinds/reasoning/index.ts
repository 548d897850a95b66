export { createReasoningKind, type ReasoningOptions } from './reasoning.ts';
