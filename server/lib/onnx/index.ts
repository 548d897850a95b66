// Reads and runs ONNX models that nobody has checked.
export type { Fault, FaultKind } from './fault.ts';
export {
  createModelRunner,
  type ModelRunner,
  modelsAreBusy,
  type OpenModel,
  type Result,
  type RunnerLimits,
  type RunnerOptions,
} from './model-runner.ts';
export type { Batch, TensorData } from './process-protocol.ts';
export type { ModelFacts } from './read-model.ts';
export { FORBIDDEN_OPERATORS, HIGHEST_IR_VERSION, HIGHEST_OPSET, LOWEST_OPSET } from './rules.ts';
export type { Availability, RuntimeLocation } from './runtime.ts';
export type { InputSpec, OutputSpec, Signature, TensorSpec } from './signature.ts';
export type { StoredModel } from './warm-process.ts';
