export { type AgentSetup, AgentSetupSchema } from './agent-setup.ts';
export { CallerSchema } from './caller.ts';
export {
  type AddedConnection,
  AddedConnectionSchema,
  type Connection,
  type ConnectionEntry,
  ConnectionEntrySchema,
  ConnectionSchema,
  type Credential,
  CredentialSchema,
} from './connection.ts';
export { type Dataset, DatasetSchema } from './dataset.ts';
export {
  type Definition,
  type DefinitionListEntry,
  DefinitionListEntrySchema,
  DefinitionSchema,
  type DefinitionVersion,
  DefinitionVersionSchema,
  type DocumentCheck,
  type DocumentGraph,
  DocumentCheckSchema,
  type PredictionStanding,
  type RecallStanding,
} from './definition.ts';
export { type EventRecord, EventSchema, type Published, PublishedSchema, type ReachedRun } from './event.ts';
export { type AnswerFact, AnswerFactSchema, type InteractionRequest, InteractionRequestSchema } from './interaction.ts';
export {
  type ModelEntry,
  ModelEntrySchema,
  type ModelList,
  ModelListSchema,
  ModelPricesSchema,
  type ModelUsage,
  ModelUsageSchema,
  type LocalModelServer,
  LocalModelServerSchema,
  ModelSetUpSchema,
  ModelTestSchema,
  type ModelProviderEntry,
  ModelProviderEntrySchema,
} from './model.ts';
export { type Analytics, AnalyticsSchema, type Playbook, PlaybookSchema } from './playbook.ts';
export { type Problem, ProblemSchema } from './problem.ts';
export { type DraftRun, DraftRunSchema, DraftStepSchema, GivenResultSchema } from './draft-run.ts';
export {
  type Run,
  type RunListEntry,
  RunListEntrySchema,
  type RunOrigin,
  RunSchema,
  type RunWithRecord,
  RunWithRecordSchema,
} from './run.ts';
export { type Schedule, type ScheduledTime, ScheduledTimeSchema, ScheduleSchema } from './schedule.ts';
export { type TestedDefinition, TestedDefinitionSchema } from './tested-definition.ts';
export {
  AddedToolServersSchema,
  type ArgumentsCheck,
  ArgumentsCheckSchema,
  DryRunSchema,
  type FoundTools,
  FoundToolsSchema,
  type ToolCall,
  ToolCallSchema,
  type ToolDescription,
  ToolDescriptionSchema,
  ToolServerPlanSchema,
} from './tool.ts';
