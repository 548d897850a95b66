// Parts of operations' inputs that the studio hands around.
import type { Input } from '../../shared/api/index.ts';

export type DefinitionKey = Pick<Input<'get_definition'>, 'playbook' | 'type' | 'name'>;

export type RunFilters = Pick<Input<'list_runs'>, 'type' | 'name' | 'status'>;
export type RunStatus = NonNullable<RunFilters['status']>;

export type EventFilters = Pick<Input<'list_playbook_events'>, 'type' | 'run_id' | 'since' | 'order'>;

export type ToolKey = Pick<Input<'introspect'>, 'playbook' | 'server' | 'tool'>;
export type ToolFilters = Pick<Input<'search'>, 'terms' | 'server' | 'only'>;
