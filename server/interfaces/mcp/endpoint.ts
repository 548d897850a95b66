// What an endpoint serves. Tools take no org argument, and on the endpoint of a playbook no playbook argument.
import type { JsonObject } from '../../../shared/json.ts';
import type { Callable, Operation } from '../../operations/index.ts';
import type { McpRequest } from '../http/index.ts';

export type Endpoint = Pick<McpRequest, 'caller' | 'org' | 'playbook' | 'readOnly'>;

/** Whether the operation works inside a playbook. Creating, renaming and retiring playbooks work on the org. */
function isOfPlaybook({ path, permissions }: Operation): boolean {
  const isInside = permissions.some((permission) => permission.startsWith('playbook:'));
  return isInside && Object.hasOwn(path.properties, 'playbook');
}

/** Why an operation is not a tool of an endpoint. */
export type Absence = 'no_tool' | 'settings' | 'of_org' | 'changes';

export function absenceAt(
  { playbook, readOnly }: Endpoint,
  operation: Operation,
  mayActForPeople: boolean,
): Absence | undefined {
  const { mcp, answers, forAgents, hints } = operation;
  if (!mcp || answers !== 'json') return 'no_tool';
  if (forAgents.forPeople === true && !mayActForPeople) return 'settings';
  if (playbook !== undefined && !isOfPlaybook(operation)) return 'of_org';
  return readOnly && !hints.readOnly ? 'changes' : undefined;
}

/** The operations that an endpoint offers as tools. */
export function offeredAt(endpoint: Endpoint, callables: readonly Callable[], mayActForPeople: boolean): Callable[] {
  return callables.filter(({ operation }) => absenceAt(endpoint, operation, mayActForPeople) === undefined);
}

/** The path parameters that the endpoint sets. */
export function givenPath({ playbook }: Endpoint): Record<string, string> {
  return playbook === undefined ? {} : { playbook };
}

/** Splits a tool's arguments into path parameters and fields. */
export function partArguments(
  endpoint: Endpoint,
  operation: Operation,
  given: JsonObject,
): { path: JsonObject; fields: JsonObject } {
  const path: JsonObject = {};
  const fields: JsonObject = {};
  for (const [name, value] of Object.entries(given)) {
    if (!Object.hasOwn(operation.path.properties, name)) fields[name] = value;
    // Path parameters are strings, but agents write a version as a number.
    else path[name] = typeof value === 'number' ? String(value) : value;
  }
  for (const [name, value] of Object.entries(givenPath(endpoint))) {
    if (!Object.hasOwn(operation.path.properties, name)) continue;
    // A different value means another playbook: the argument is refused as an unknown field.
    if (path[name] !== undefined && path[name] !== value) fields[name] = path[name];
    path[name] = value;
  }
  return { path, fields };
}

/** The server instructions that a client shows to its agent. */
export function instructions({ playbook, readOnly }: Pick<Endpoint, 'playbook' | 'readOnly'>): string {
  const where =
    playbook === undefined
      ? 'Cuebook stores playbooks of small, versioned definitions, runs them, and records the complete history of every run.'
      : `This server is the playbook ${playbook} of Cuebook. Cuebook stores small, versioned definitions, runs them, and records the complete history of every run.`;
  const how = readOnly
    ? 'All tools are read-only.'
    : 'To write a definition, first read its guide (read_resource with guide://start, guide://computation, guide://workflow, ...), save it with create_definition, which checks it, try its examples with test_definition, and run it with run_definition.';
  return `${where} ${how} To see what a run did, call explain_run; get_run returns its output and list_playbook_events with its run_id every event.`;
}
