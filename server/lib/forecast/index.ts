export { createForecaster, type Forecaster, type ForecasterOptions } from './forecaster.ts';
export { type Period, PERIODS } from './calendar.ts';
export type { DatasetSummary } from './inspect.ts';
