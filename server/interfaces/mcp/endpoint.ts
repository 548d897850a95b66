// What an endpoint serves. Nobody names an org in a tool's arguments, and on a playbook's own endpoint no playbook.
import type { JsonObject } from '../../../shared/json.ts';
import type { Callable, Operation } from '../../operations/index.ts';
import type { McpRequest } from '../http/index.ts';

export type Endpoint = Pick<McpRequest, 'caller' | 'org' | 'playbook' | 'readOnly'>;

/** Whether the operation works in one playbook. What a playbook is called, or that it is, is the org's to say. */
function isOfPlaybook({ path, permissions }: Operation): boolean {
  const isInside = permissions.some((permission) => permission.startsWith('playbook:'));
  return isInside && Object.hasOwn(path.properties, 'playbook');
}

/** Why an operation is no tool at an endpoint. */
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

/** The members of a path that the endpoint gives by itself. */
export function givenPath({ playbook }: Endpoint): Record<string, string> {
  return playbook === undefined ? {} : { playbook };
}

/** Parts a tool's arguments into the members of the path and the fields. */
export function partArguments(
  endpoint: Endpoint,
  operation: Operation,
  given: JsonObject,
): { path: JsonObject; fields: JsonObject } {
  const path: JsonObject = {};
  const fields: JsonObject = {};
  for (const [name, value] of Object.entries(given)) {
    if (!Object.hasOwn(operation.path.properties, name)) fields[name] = value;
    // A path holds texts; an agent writes a version as the number that it read.
    else path[name] = typeof value === 'number' ? String(value) : value;
  }
  for (const [name, value] of Object.entries(givenPath(endpoint))) {
    if (!Object.hasOwn(operation.path.properties, name)) continue;
    // Told otherwise, the call is meant for another playbook: the field is refused as one that the tool does not take.
    if (path[name] !== undefined && path[name] !== value) fields[name] = path[name];
    path[name] = value;
  }
  return { path, fields };
}

/** What a client tells its agent of the server, before any tool. */
export function instructions({ playbook, readOnly }: Pick<Endpoint, 'playbook' | 'readOnly'>): string {
  const where =
    playbook === undefined
      ? 'Cuebook keeps playbooks of small, versioned definitions, runs them, and keeps the whole history of every run.'
      : `This is the playbook ${playbook} of Cuebook, which keeps small, versioned definitions, runs them, and keeps the whole history of every run.`;
  const how = readOnly
    ? 'Tools here only read.'
    : 'To write a definition, first read its guide (read_resource with guide://start, guide://computation, guide://workflow, ...), try it with check_definition, save it with create_definition, and run it with run_definition.';
  return `${where} ${how} A refusal says what is wrong, what to write instead and which tool helps. get_run and list_playbook_events with its run_id explain a run.`;
}
