// Sends a folder to the service: first names and digests, then the sources of new and changed definitions.
import type { Input } from '../../../shared/api/index.ts';
import type { FolderChanges } from '../../domain/folders/index.ts';
import type { Client } from './client.ts';
import type { DefinitionFile, PlaybookFolder } from './folder-files.ts';

export interface FolderOptions {
  org: string | undefined;
  prune?: boolean | undefined;
}

/** Returns what applying the folder would change; sends no sources. */
export function planFolder(client: Client, read: PlaybookFolder, options: FolderOptions): Promise<FolderChanges> {
  return send(client, read, options, { dry_run: true }, () => false);
}

/** Has the service check the new and changed documents. @throws ServiceRefusal as applying would */
export function checkFolder(
  client: Client,
  read: PlaybookFolder,
  options: FolderOptions,
  planned: FolderChanges,
): Promise<FolderChanges> {
  return send(client, read, options, { dry_run: true }, isSaved(planned));
}

/** Applies a plan. @throws ServiceRefusal, also if the playbook changed since the plan was made */
export function applyPlanned(
  client: Client,
  read: PlaybookFolder,
  options: FolderOptions,
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
  { org, prune = false }: FolderOptions,
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
