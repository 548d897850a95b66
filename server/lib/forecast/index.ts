export {
  createForecaster,
  type Abortable,
  type Forecaster,
  type ForecasterOptions,
  type Panel,
  type PanelCalls,
  type RowRange,
} from './forecaster.ts';
export type { Baseline } from './baselines.ts';
export type { Period } from './calendar.ts';
export { type Calibration, type CalibrationPool, type Interval, intervalAt } from './calibration.ts';
export type { Evaluation, Scores } from './evaluation.ts';
export type { TensorBatch } from './features.ts';
export {
  chooseBar,
  chooseBest,
  type Contender,
  type GateRules,
  type GateVerdict,
  isNoWorse,
  passGate,
} from './gate.ts';
export type { Grade, MadeForecasts } from './grade.ts';
export type { ColumnValues, DatasetSummary } from './inspect.ts';
export type { Level } from './level.ts';
export { columnIndex } from './read-rows.ts';
export type { LatestBatch, PanelFacts, Question } from './requests.ts';
export { rawFault, type RawFault, serveForecasts } from './serve.ts';
export {
  countRowColumns,
  type ForecastSignature,
  type ForecastSpec,
  MOST_ROWS,
  rowColumns,
  signatureOf,
  type StaticCodes,
} from './spec.ts';
export type { WindowRole } from './windows.ts';
