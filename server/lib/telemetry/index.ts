export type { Operation } from './operation.ts';
export { createTelemetry, type Telemetry } from './telemetry.ts';
