import type { Endpoint } from './endpoint.ts';

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
