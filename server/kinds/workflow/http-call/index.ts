export { isRepeatable } from '../../../lib/http-client/index.ts';
export type { CallError, CallErrorType, CallOutcome, Failed } from './call-error.ts';
export type { CallSurroundings } from './call-surroundings.ts';
export { hostOf, type IsHostAllowed } from './hosts.ts';
export { type CallMemory, createCallMemory } from './memory.ts';
export { type CallResult, performCall } from './perform-call.ts';
export { type Prepared, prepareCall, prepareHttpCall, prepareOpenApiCall, type Surroundings } from './prepare-call.ts';
export type { CallEffect, CallResolved, HttpCall, OpenApiCall, OutputForm, PreparedCall } from './prepared.ts';
export { createScrubber, secretTexts } from '../../../lib/scrub/index.ts';
