// Sends a folder to the service: first names and digests, then the sources of new and changed definitions.
import type { FolderChanges } from '../../domain/folders/index.ts';
import type { Client } from './client.ts';
import type { PlaybookFolder } from './folder-files.ts';

export interface FolderOptions {
  org?: string | undefined;
  prune?: boolean | undefined;
}

/** Returns what applying the folder would change; sends no sources. */
export function planFolder(client: Client, read: PlaybookFolder, options: FolderOptions): Promise<FolderChanges> {
  return send(client, read, options, { isDryRun: true });
}

/** Has the service check the new and changed documents of a plan. @throws ServiceRefusal as applying would */
export function checkFolder(
  client: Client,
  read: PlaybookFolder,
  options: FolderOptions,
  plan: FolderChanges,
): Promise<FolderChanges> {
  return send(client, read, options, { isDryRun: true, plan });
}

/** Applies a plan. @throws ServiceRefusal, also if the playbook changed since the plan was made */
export function applyPlanned(
  client: Client,
  read: PlaybookFolder,
  options: FolderOptions,
  plan: FolderChanges,
): Promise<FolderChanges> {
  return send(client, read, options, { isDryRun: false, plan });
}

function send(
  client: Client,
  { definitions, playbook, ...manifest }: PlaybookFolder,
  { org, prune = false }: FolderOptions,
  { isDryRun, plan }: { isDryRun: boolean; plan?: FolderChanges },
): Promise<FolderChanges> {
  const saved = new Set(
    plan?.definitions.flatMap((planned) =>
      planned.change === 'create' || planned.change === 'update' ? [`${planned.type}/${planned.name}`] : [],
    ),
  );
  return client.call('apply_playbook', {
    org,
    playbook,
    name: manifest.name,
    description: manifest.description,
    definitions: definitions.map(({ type, name, sha256, source }) =>
      saved.has(`${type}/${name}`) ? { type, name, sha256, source } : { type, name, sha256 },
    ),
    prune,
    dry_run: isDryRun,
    ...(isDryRun ? {} : { plan: plan?.plan }),
  });
}
