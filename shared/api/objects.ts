// The API's objects by name, as the operations return them. Clients take these types from here, not from shared/schemas:
// the server checks values with those.
import type { Answer, StreamedEvent } from './client.ts';

export type { Problem } from './operations.generated.ts';

export type Playbook = Answer<'get_playbook'>;
export type Analytics = Answer<'get_playbook_analytics'>;

export type Definition = Answer<'get_definition'>;
export type DefinitionListEntry = Answer<'list_definitions'>['definitions'][number];
export type DefinitionType = Definition['type'];
export type DocumentCheck = Answer<'check_definition'>;
export type TestedDefinition = Answer<'test_definition'>;
export type DraftRun = Answer<'run_draft'>;
export type DocumentGraph = NonNullable<DocumentCheck['graph']>;

export type Run = Answer<'run_definition'>;
export type RunWithRecord = Answer<'get_run'>;
export type RunListEntry = Answer<'list_runs'>['runs'][number];
export type InteractionRequest = Answer<'list_interactions'>['interactions'][number];

export type Published = Answer<'publish_event'>;
export type Schedule = Answer<'list_schedules'>['schedules'][number];
export type ScheduledTime = Answer<'list_schedule_times'>['times'][number];

export type EventRecord = StreamedEvent<'follow_events'>;

export type FoundTools = Answer<'search'>;
export type ToolDescription = Answer<'introspect'>;
export type ArgumentsCheck = Answer<'validate'>;
export type DryRun = Answer<'dry_run'>;
export type ToolCall = Answer<'execute'>;

export type Connection = Answer<'get_connection'>;
export type AddedConnection = Answer<'add_connection'>;
export type ConnectionEntry = Connection['entry'];
export type Credential = Connection['credential'];

export type ModelEntry = Answer<'list_models'>['models'][number];
export type ModelProviderEntry = Answer<'list_model_providers'>['providers'][number];

export type CallerInfo = Answer<'get_caller'>;

export type AgentSetup = Answer<'get_agent_setup'>;
