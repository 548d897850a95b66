// A folder on its way to the service: first names and digests, then the sources of what is new or differs.
import type { Input } from '../../../shared/api/index.ts';
import type { FolderChanges } from '../../domain/folders/index.ts';
import type { Client } from './client.ts';
import type { DefinitionFile, PlaybookFolder } from './folder-files.ts';

export interface Sending {
  org: string;
  prune?: boolean | undefined;
}

/** Says what applying the folder would change; sends no sources. */
export function planFolder(client: Client, read: PlaybookFolder, options: Sending): Promise<FolderChanges> {
  return send(client, read, options, { dry_run: true }, () => false);
}

/** Says what the service makes of the documents that are new or differ. @throws ServiceRefusal as applying would */
export function checkFolder(
  client: Client,
  read: PlaybookFolder,
  options: Sending,
  planned: FolderChanges,
): Promise<FolderChanges> {
  return send(client, read, options, { dry_run: true }, isSaved(planned));
}

/** Applies a plan and nothing that came since. @throws ServiceRefusal */
export function applyPlanned(
  client: Client,
  read: PlaybookFolder,
  options: Sending,
  planned: FolderChanges,
): Promise<FolderChanges> {
  return send(client, read, options, { dry_run: false, plan: planned.plan }, isSaved(planned));
}

function isSaved({ definitions }: FolderChanges): (definition: Named) => boolean {
  const saved = new Set(
    definitions
      .filter(({ change }) => change === 'create' || change === 'update')
      .map(({ type, name }) => `${type}/${name}`),
  );
  return ({ type, name }) => saved.has(`${type}/${name}`);
}

type Named = Pick<DefinitionFile, 'type' | 'name'>;

function send(
  client: Client,
  read: PlaybookFolder,
  { org, prune = false }: Sending,
  more: Pick<Input<'apply_playbook'>, 'dry_run' | 'plan'>,
  withSource: (definition: Named) => boolean,
): Promise<FolderChanges> {
  return client.call('apply_playbook', {
    org,
    playbook: read.playbook,
    name: read.name,
    description: read.description,
    definitions: read.definitions.map(({ type, name, sha256, source }) => ({
      type,
      name,
      sha256,
      ...(withSource({ type, name }) ? { source } : {}),
    })),
    prune,
    ...more,
  });
}
