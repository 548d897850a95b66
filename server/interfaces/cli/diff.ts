import type { FolderChanges } from '../../domain/folders/index.ts';
import type { JsonObject } from '../../../shared/json.ts';
import { type ClientOptions, withClient } from './attach.ts';
import { type Client, ServiceRefusal } from './client.ts';
import { EXIT, type ExitCode } from './failure.ts';
import { type PlaybookFolder, readFolder } from './folder-files.ts';
import { checkFolder, planFolder, type FolderOptions } from './folder-service.ts';
import { changeLines, inFiles, warningLines } from './folder-words.ts';
import { lineDiff } from './line-diff.ts';
import { progress, show } from './output.ts';

export interface DiffOptions extends ClientOptions, FolderOptions {}

export interface Difference {
  changes: FolderChanges;
  /** Why applying would be refused. */
  refusal: ServiceRefusal | undefined;
  /** The line diff of each document that would be updated, by TYPE/NAME. */
  lines: Map<string, string[]>;
}

/** Prints what applying the folder would change; the exit code is 1 if applying would be refused. */
export async function diff(folder: string, options: DiffOptions): Promise<ExitCode> {
  const read = readFolder(folder);
  read.notes.forEach(progress);
  const { changes, refusal, lines } = await withClient(options, { whenAbsent: 'temporary' }, (client) =>
    compare(client, folder, read, options),
  );
  warningLines(folder, changes).forEach(progress);
  const data: JsonObject = { ...(changes as unknown as JsonObject), refused: refusal?.problem ?? null };
  show(options, data, () =>
    changeLines(read, changes, 'would be', ({ type, name }) => lines.get(`${type}/${name}`) ?? []).join('\n'),
  );
  const isRetired = changes.definitions.some(({ change }) => change === 'retired');
  if (refusal === undefined && !isRetired) return EXIT.done;
  progress(`Applying this folder would be refused.${refusal === undefined ? '' : `\n${refusal.message}`}`);
  return EXIT.failed;
}

/** What applying the folder would change; nothing is saved. @param folder how messages name it */
export async function compare(
  client: Client,
  folder: string,
  read: PlaybookFolder,
  options: DiffOptions,
): Promise<Difference> {
  const planned = await planFolder(client, read, options);
  const lines = await differences(client, read, planned, options.org);
  try {
    return { changes: await checkFolder(client, read, options, planned), refusal: undefined, lines };
  } catch (error) {
    const refusal = inFiles(error, folder, read);
    if (!(refusal instanceof ServiceRefusal)) throw error;
    return { changes: planned, refusal, lines };
  }
}

async function differences(
  client: Client,
  { playbook, definitions }: PlaybookFolder,
  planned: FolderChanges,
  org: string | undefined,
): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>();
  for (const { type, name, change } of planned.definitions) {
    if (change !== 'update') continue;
    const own = definitions.find((one) => one.type === type && one.name === name);
    const { source } = await client.call('get_definition', { org, playbook, type, name });
    found.set(`${type}/${name}`, lineDiff(source, own?.source ?? ''));
  }
  return found;
}
