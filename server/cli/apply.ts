import { watch } from 'node:fs';
import type { JsonObject } from '../../shared/json.ts';
import type { FolderChanges } from '../folders/index.ts';
import { type AttachOptions, withClient } from './attach.ts';
import { type Client, pathOf } from './client.ts';
import { CommandFailure } from './failure.ts';
import { type PlaybookFolder, readFolder, writeDeclarations } from './folder-files.ts';
import { progress, show } from './output.ts';

export interface ApplyOptions extends AttachOptions {
  org: string;
  json?: boolean | undefined;
  prune?: boolean | undefined;
}

/** Says what applying the folder would change. */
export async function diff(folder: string, options: ApplyOptions): Promise<void> {
  const read = readFolder(folder);
  const changes = await withClient(options, (client) => plan(client, read, options));
  show(options, changes, () => changeLines(read, changes, 'would be').join('\n'));
}

/** Brings the playbook to what the folder holds; with `watch`, again whenever a file is saved. */
export async function apply(folder: string, options: ApplyOptions & { watch?: boolean | undefined }): Promise<void> {
  await withClient(options, async (client) => {
    await applyOnce(client, folder, options);
    if (options.watch === true) await applyOnSave(client, folder, options);
  });
}

export async function applyFolder(
  client: Client,
  read: PlaybookFolder,
  options: { org: string; prune?: boolean | undefined },
): Promise<FolderChanges> {
  const planned = await plan(client, read, options);
  const changed = new Set(
    planned.definitions
      .filter(({ change }) => change === 'create' || change === 'update')
      .map(({ type, name }) => `${type}/${name}`),
  );
  return send(client, read, options, false, ({ type, name }) => changed.has(`${type}/${name}`));
}

async function applyOnce(client: Client, folder: string, options: ApplyOptions): Promise<void> {
  const read = readFolder(folder);
  const changes = await applyFolder(client, read, options);
  writeDeclarations(folder, read.definitions);
  show(options, changes, () => changeLines(read, changes, 'was').join('\n'));
}

async function applyOnSave(client: Client, folder: string, options: ApplyOptions): Promise<void> {
  progress(`Watching ${folder}; end with Ctrl-C.`);
  let last = JSON.stringify(readFolder(folder));
  for await (const _change of changesOf(folder)) {
    try {
      const now = JSON.stringify(readFolder(folder));
      if (now === last) continue;
      last = now;
      await applyOnce(client, folder, options);
    } catch (error) {
      if (!(error instanceof CommandFailure)) throw error;
      progress(error.message);
    }
  }
}

/** One turn for each burst of changes in the folder. */
async function* changesOf(folder: string): AsyncGenerator<void> {
  let wake = (): void => {};
  let isDirty = false;
  const watcher = watch(folder, () => {
    isDirty = true;
    wake();
  });
  process.once('SIGINT', () => watcher.close());
  let isClosed = false;
  watcher.once('close', () => {
    isClosed = true;
    wake();
  });
  while (!isClosed) {
    if (isDirty) {
      isDirty = false;
      yield;
    } else {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  }
}

function plan(
  client: Client,
  read: PlaybookFolder,
  options: { org: string; prune?: boolean | undefined },
): Promise<FolderChanges> {
  return send(client, read, options, true, () => false);
}

async function send(
  client: Client,
  read: PlaybookFolder,
  { org, prune = false }: { org: string; prune?: boolean | undefined },
  dryRun: boolean,
  withSource: (definition: { type: string; name: string }) => boolean,
): Promise<FolderChanges> {
  const body: JsonObject = {
    name: read.name,
    description: read.description,
    definitions: read.definitions.map(({ type, name, sha256, source }) => ({
      type,
      name,
      sha256,
      ...(withSource({ type, name }) ? { source } : {}),
    })),
    dry_run: dryRun,
    prune,
  };
  const answer = await client.send('POST', pathOf`/orgs/${org}/playbooks/${read.playbook}/apply`, body);
  return answer as unknown as FolderChanges;
}

const VERBS = { create: 'created', update: 'updated', retire: 'retired for ever' } as const;

function changeLines(
  { playbook }: PlaybookFolder,
  { playbook: own, definitions }: FolderChanges,
  tense: 'was' | 'would be',
): string[] {
  const lines = own === 'unchanged' ? [] : [`${playbook}: ${tense} ${VERBS[own]}`];
  for (const { type, name, change } of definitions) {
    switch (change) {
      case 'create':
      case 'update':
      case 'retire':
        lines.push(`${type}/${name}: ${tense} ${VERBS[change]}`);
        break;
      case 'retired':
        lines.push(`${type}/${name}: was retired before and cannot come back; rename it`);
        break;
      case 'missing':
        lines.push(`${type}/${name}: is not in the folder and stays; --prune retires it for ever`);
        break;
      case 'unchanged':
        break;
    }
  }
  const unchanged = definitions.filter(({ change }) => change === 'unchanged').length;
  return [...lines, `${unchanged} unchanged`];
}
