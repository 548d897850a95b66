import { session } from './session/session.ts';
import { request } from './call.ts';

/** A playbook as a zip archive, by `export_playbook_archive`. @throws ProblemError, UnreachableError */
export async function downloadArchive(playbook: string): Promise<Blob> {
  const [org, id] = [session.org(), playbook].map(encodeURIComponent);
  const response = await request(`/v1/orgs/${org}/playbooks/${id}/archive`, {}, true);
  return response.blob();
}
