// What the contract lets each permission do, written down apart from the operations, and requests with every fault that
// a server may only report to a caller with the permission.
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { createKey } from '../domain/access/index.ts';
import type { Permission } from '../../shared/permissions.ts';
import type { Operation } from '../operations/index.ts';

/** The operations that each permission opens; those of two permissions are in both lists. */
const OPENED_BY: Readonly<Record<Permission, readonly string[]>> = {
  'org:read': [
    'list_playbooks',
    'get_playbook',
    'search_in_org',
    'list_connections',
    'get_connection',
    'list_models',
    'list_model_providers',
    'list_model_prices',
    'find_local_models',
    'get_model_setup',
    'get_agent_setup',
  ],
  'org:write': [
    'plan_tool_servers',
    'add_tool_servers',
    'change_model_setup',
    'test_model',
    'create_playbook',
    'update_playbook',
    'retire_playbook',
    'add_connection',
    'remove_connection',
    'remove_connection_by_post',
    'set_provider_key',
  ],
  'playbook:read': [
    'get_model_usage',
    'list_playbooks',
    'search_in_org',
    'export_playbook',
    'export_playbook_archive',
    'list_definitions',
    'get_definition',
    'list_definition_versions',
    'get_definition_version',
    'list_playbook_events',
    'get_event',
    'get_run_history',
    'follow_events',
    'get_run',
    'explain_run',
    'follow_run',
    'list_runs',
    'get_playbook_analytics',
    'list_schedules',
    'list_schedule_times',
    'list_interactions',
    'read_build_brief',
    'read_build_rows',
    'list_series',
    'read_forecast',
    'list_versions',
    'search',
    'introspect',
    'validate',
    'dry_run',
  ],
  'playbook:write': [
    'apply_playbook',
    'plan_import',
    'import_playbook',
    'create_definition',
    'update_definition',
    'retire_definition',
    'check_definition',
    'test_definition',
    'run_draft',
    'follow_draft',
    'run_definition',
    'cancel_run',
    'rerun',
    'send_run_event',
    'publish_event',
    'pause_schedule',
    'resume_schedule',
    'backfill_schedule',
    'answer_interaction',
    'execute',
    'upload_dataset',
    'upload_candidate',
    'activate_version',
  ],
};

/** Operations that the token of a connect link opens; the caller needs some permission in the org. */
const OPENED_BY_LINK = ['read_link', 'approve', 'give_credential'];

/** Operations that return a caller only facts about itself, whatever it is permitted. */
export const ABOUT_CALLER = ['get_caller'];

/** Operations on the whole org. A key that is limited to some playbooks may call them; what it gets is limited. */
export const ON_ORG = [
  'list_playbooks',
  'list_connections',
  'get_connection',
  'list_models',
  'list_model_providers',
  'get_agent_setup',
  'add_connection',
  'remove_connection',
  'remove_connection_by_post',
  'set_provider_key',
  'list_model_prices',
  'find_local_models',
  'get_model_setup',
  'change_model_setup',
  'test_model',
  'plan_tool_servers',
  'add_tool_servers',
  ...OPENED_BY_LINK,
];

/** Operations of the whole org that name a playbook in the body or the query string. */
export const NAMES_PLAYBOOK = ['create_playbook', 'search_in_org'];

/** Operations that a server with API keys alone refuses to everyone. */
export const REFUSED_TO_KEYS = [
  'add_connection',
  'list_model_providers',
  'set_provider_key',
  'get_agent_setup',
  'find_local_models',
  'get_model_setup',
  'change_model_setup',
  'test_model',
  'plan_tool_servers',
  'add_tool_servers',
];

/** Whether a caller with this permission alone may call the operation. */
export function isOpen({ name }: Pick<Operation, 'name'>, permission: Permission): boolean {
  return OPENED_BY_LINK.includes(name) || OPENED_BY[permission].includes(name);
}

/** Every operation that the contract or an addition to it describes. */
export const DESCRIBED = [...new Set([...Object.values(OPENED_BY).flat(), ...OPENED_BY_LINK, ...ABOUT_CALLER])];

/** A key of the org acme, and its entry in the configuration. */
export function makeKey(name: string, permissions: readonly Permission[], more: object = {}) {
  const { key, sha256 } = createKey();
  return {
    key,
    header: { authorization: `Bearer ${key}` },
    entry: { name, sha256, org: 'acme', permissions, ...more },
  };
}

/** The id of nothing. */
const NOWHERE = '00000000-0000-7000-8000-000000000000';

/** Values of path parameters, of things that do not exist. */
const PATH: Readonly<Record<string, string>> = {
  type: 'computation',
  name: 'nothing',
  version: '1',
  run_id: NOWHERE,
  event_id: NOWHERE,
  id: NOWHERE,
  sha256: '0'.repeat(64),
  plan: '0'.repeat(64),
  token: 'nothing',
  server: 'nothing',
  tool: 'nothing',
};

/** Values of the operation's path parameters. */
export function pathOf({ path }: Operation, playbook: string): Record<string, string> {
  const names = Object.keys(path.properties);
  return Object.fromEntries(names.map((name) => [name, name === 'playbook' ? playbook : (PATH[name] ?? 'nothing')]));
}

/** What was answered. */
export interface Refusal {
  status: number;
  challenge: string | undefined;
  reason: string;
  detail: string;
}

/**
 * A request of the operation that has everything wrong at once: a query string that it does not take, and with a body
 * the wrong media type, a content coding, and a length over every limit, or none.
 */
export async function sendWrong(
  { address }: { address: string },
  {
    operation,
    org = 'acme',
    playbook,
    header,
    length,
  }: {
    operation: Operation;
    org?: string;
    playbook: string;
    header: Record<string, string>;
    length: 'huge' | 'absent';
  },
): Promise<Refusal> {
  const { method, route } = operation;
  const values = pathOf(operation, playbook);
  const filled = route.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? '');
  const hasBody = method === 'POST' || method === 'PUT';
  const ofBody = {
    'content-type': 'text/nonsense',
    'content-encoding': 'gzip',
    ...(length === 'huge' ? { 'content-length': '999999999999' } : { 'transfer-encoding': 'chunked' }),
  };
  const asked = request(`${address}/v1/orgs/${org}${filled}?nonsense=1`, {
    method,
    headers: { ...header, ...(hasBody ? ofBody : {}) },
    agent: false,
  });
  // The body never arrives: the server must answer by the head of the request alone.
  asked.on('error', () => {});
  if (hasBody) asked.flushHeaders();
  else asked.end();
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  const text = await response.setEncoding('utf8').reduce((all: string, piece: string) => all + piece, '');
  asked.destroy();
  const { reason, detail } = JSON.parse(text) as Pick<Refusal, 'reason' | 'detail'>;
  return { status: response.statusCode ?? 0, challenge: response.headers['www-authenticate'], reason, detail };
}
