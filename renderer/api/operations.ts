// The service's operations, each by its own name, typed by the contract in shared/. Those that one place alone calls stand
// there: connections/service.ts and agents/setup.ts.
import type { DefinitionType } from '../../shared/definition-types.ts';
import type { Json, JsonObject } from '../../shared/json.ts';
import { LOCAL_ORG } from '../../shared/product.ts';
import type {
  Analytics,
  AnswerFact,
  ArgumentsCheck,
  Definition,
  DefinitionListEntry,
  DefinitionVersion,
  DocumentCheck,
  DryRun,
  EventRecord,
  FoundTools,
  InteractionRequest,
  ModelList,
  ModelProviderEntry,
  Playbook,
  Published,
  Run,
  RunListEntry,
  RunWithRecord,
  ToolCall,
  ToolDescription,
} from '../../shared/schemas/index.ts';
import { type Query, send } from './send.ts';

export type RunStatus = Run['status'];

export interface DefinitionKey {
  playbook: string;
  type: DefinitionType;
  name: string;
}

interface PageEnd {
  has_more: boolean;
  next_cursor: string | null;
}
export type RunPage = { runs: RunListEntry[] } & PageEnd;
export type EventPage = { events: EventRecord[] } & PageEnd;
export type RequestPage = { interactions: InteractionRequest[] } & PageEnd;
export type VersionPage = { versions: DefinitionVersion[] } & PageEnd;

export interface Page {
  limit?: number | undefined;
  cursor?: string | undefined;
}
export interface RunFilters {
  type?: DefinitionType | undefined;
  name?: string | undefined;
  status?: RunStatus | undefined;
}
export interface EventFilters {
  type?: string | undefined;
  run_id?: string | undefined;
  since?: string | undefined;
  order?: 'asc' | 'desc' | undefined;
}

export interface AppliedDefinition {
  type: DefinitionType;
  name: string;
  sha256: string;
  source: string;
}

export interface ToolKey {
  playbook: string;
  server: string;
  tool: string;
}
export interface ToolFilters {
  terms?: string | undefined;
  server?: string | undefined;
  only?: 'read' | 'write' | undefined;
}

type Signal = AbortSignal | undefined;

const PLAYBOOKS = `/v1/orgs/${LOCAL_ORG}/playbooks`;

export function playbookPath(playbook: string): string {
  return `${PLAYBOOKS}/${encodeURIComponent(playbook)}`;
}

export function definitionPath({ playbook, type, name }: DefinitionKey): string {
  return `${playbookPath(playbook)}/definitions/${type}/${encodeURIComponent(name)}`;
}

export function runPath(playbook: string, runId: string): string {
  return `${playbookPath(playbook)}/runs/${encodeURIComponent(runId)}`;
}

export function listPlaybooks(signal?: Signal): Promise<{ playbooks: Playbook[] }> {
  return send('GET', PLAYBOOKS, { query: { include_retired: true }, signal });
}

export function createPlaybook(body: { playbook: string; name: string; description: string }): Promise<Playbook> {
  return send('POST', PLAYBOOKS, { body });
}

export function applyPlaybook(
  playbook: string,
  body: { name: string; description: string; definitions: AppliedDefinition[] },
): Promise<unknown> {
  return send('POST', `${playbookPath(playbook)}/apply`, { body });
}

export function getAnalytics(playbook: string, query: Query, signal?: Signal): Promise<Analytics> {
  return send('GET', `${playbookPath(playbook)}/analytics`, { query, signal });
}

export function listDefinitions(
  playbook: string,
  type: DefinitionType,
  signal?: Signal,
): Promise<{ definitions: DefinitionListEntry[] }> {
  return send('GET', `${playbookPath(playbook)}/definitions/${type}`, { query: { include_retired: true }, signal });
}

export function getDefinition(key: DefinitionKey, signal?: Signal): Promise<Definition> {
  return send('GET', definitionPath(key), { signal });
}

export function createDefinition({ playbook, type, name }: DefinitionKey, source: string): Promise<Definition> {
  return send('POST', `${playbookPath(playbook)}/definitions/${type}`, { body: { name, source } });
}

export function updateDefinition(key: DefinitionKey, source: string): Promise<Definition> {
  return send('PUT', definitionPath(key), { body: { source } });
}

export function retireDefinition(key: DefinitionKey): Promise<Definition> {
  return send('POST', `${definitionPath(key)}/retire`, { body: {} });
}

export function checkDefinition(
  playbook: string,
  type: DefinitionType,
  source: string,
  signal?: Signal,
): Promise<DocumentCheck> {
  return send('POST', `${playbookPath(playbook)}/definitions/${type}/check`, { body: { source }, signal });
}

export function listVersions(key: DefinitionKey, page: Page, signal?: Signal): Promise<VersionPage> {
  return send('GET', `${definitionPath(key)}/versions`, { query: { ...page }, signal });
}

export function getVersion(key: DefinitionKey, version: number, signal?: Signal): Promise<Definition> {
  return send('GET', `${definitionPath(key)}/versions/${version}`, { signal });
}

export function runDefinition(key: DefinitionKey, body: { input: Json; run_id: string }): Promise<Run> {
  return send('POST', `${definitionPath(key)}/run`, { body });
}

export function listRuns(playbook: string, query: RunFilters & Page, signal?: Signal): Promise<RunPage> {
  return send('GET', `${playbookPath(playbook)}/runs`, { query: { ...query }, signal });
}

export function getRun(playbook: string, runId: string, signal?: Signal): Promise<RunWithRecord> {
  return send('GET', runPath(playbook, runId), { signal });
}

export function getRunHistory(playbook: string, runId: string, page: Page, signal?: Signal): Promise<EventPage> {
  return send('GET', `${runPath(playbook, runId)}/history`, { query: { ...page }, signal });
}

export function cancelRun(playbook: string, runId: string, reason: string): Promise<Run> {
  return send('POST', `${runPath(playbook, runId)}/cancel`, { body: reason === '' ? {} : { reason } });
}

export function listInteractions(
  playbook: string,
  query: { to?: string | undefined } & Page,
  signal?: Signal,
): Promise<RequestPage> {
  return send('GET', `${playbookPath(playbook)}/interactions`, { query: { ...query }, signal });
}

export function answerInteraction(
  playbook: string,
  runId: string,
  body: { answer: Json; claimed_for?: string },
): Promise<AnswerFact> {
  return send('POST', `${runPath(playbook, runId)}/answer`, { body });
}

export function listEvents(playbook: string, query: EventFilters & Page, signal?: Signal): Promise<EventPage> {
  return send('GET', `${playbookPath(playbook)}/events`, { query: { ...query }, signal });
}

export function getEvent(playbook: string, eventId: string, signal?: Signal): Promise<EventRecord> {
  return send('GET', `${playbookPath(playbook)}/events/${encodeURIComponent(eventId)}`, { signal });
}

export function publishEvent(playbook: string, event: Record<string, Json>): Promise<Published> {
  return send('POST', `${playbookPath(playbook)}/events`, { body: { event } });
}

export function toolPath({ playbook, server, tool }: ToolKey): string {
  const at = `${playbookPath(playbook)}/tool-servers/${encodeURIComponent(server)}`;
  return `${at}/tools/${encodeURIComponent(tool)}`;
}

export function searchTools(playbook: string, query: ToolFilters, signal?: Signal): Promise<FoundTools> {
  return send('GET', `${playbookPath(playbook)}/tool-servers/search`, { query: { ...query }, signal });
}

export function introspectTool(key: ToolKey, signal?: Signal): Promise<ToolDescription> {
  return send('GET', toolPath(key), { signal });
}

export function validateArguments(key: ToolKey, args: JsonObject): Promise<ArgumentsCheck> {
  return send('POST', `${toolPath(key)}/validate`, { body: { arguments: args } });
}

export function dryRunTool(key: ToolKey, args: JsonObject): Promise<DryRun> {
  return send('POST', `${toolPath(key)}/dry-run`, { body: { arguments: args } });
}

export function executeTool(key: ToolKey, args: JsonObject): Promise<ToolCall> {
  return send('POST', `${toolPath(key)}/execute`, { body: { arguments: args } });
}

const ORG = `/v1/orgs/${LOCAL_ORG}`;
export const MODELS_PATH = `${ORG}/models`;

export function listModels(query: { provider?: string | undefined }, signal?: Signal): Promise<ModelList> {
  return send('GET', MODELS_PATH, { query, signal });
}

export function listModelProviders(signal?: Signal): Promise<{ providers: ModelProviderEntry[] }> {
  return send('GET', `${ORG}/model-providers`, { signal });
}

/** @param key null forgets the one that is kept */
export function setProviderKey(provider: string, key: string | null): Promise<ModelProviderEntry> {
  return send('PUT', `${ORG}/model-providers/key`, { body: { provider, key } });
}
