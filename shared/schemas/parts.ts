// Parts that several of the API's objects have in common: the generated client names them. The reference has no page for
// them; it shows them where they stand.
export { DefinitionTypeSchema, IssueSchema, SourceIssueSchema } from './fields.ts';
export { DocumentGraphSchema, PredictionStandingSchema, RecallStandingSchema, TriggerSchema } from './definition.ts';
export { DraftCallSchema, DraftQuestionSchema } from './draft-run.ts';
export { TokensSchema, UsageSchema } from './model.ts';
export { RunCountsSchema, RunDurationsSchema, RunOutcomesSchema, TokenCountsSchema } from './playbook.ts';
export { CalledBySchema, RunOriginSchema, RunTriggerSchema, TriggerReferenceSchema } from './run.ts';
