import { isName, NAME_RULE } from '../../../shared/names.ts';
import { readArchiveFile } from './archive-file.ts';
import { openTerminal } from './ask-answer.ts';
import { type ClientOptions, withClient } from './attach.ts';
import type { Client } from './client.ts';
import { compare, type Difference } from './diff.ts';
import { EXIT, type ExitCode, misused } from './failure.ts';
import type { PlaybookFolder } from './folder-files.ts';
import { applyPlanned } from './folder-service.ts';
import { changeLines, warningLines } from './folder-words.ts';
import { progress, show } from './output.ts';

export interface ImportOptions extends ClientOptions {
  as?: string | undefined;
  yes?: boolean | undefined;
}

/** Shows what importing an archive would change, and imports it with `yes` or if the person agrees. */
export async function importPlaybook(file: string, options: ImportOptions): Promise<ExitCode> {
  const archived = await readArchiveFile(file);
  const read = { ...archived, playbook: playbookOf(archived, options) };
  read.notes.forEach(progress);
  const terminal = options.yes === true || options.json === true ? undefined : openTerminal();
  const mayImport = options.yes === true || terminal !== undefined;
  try {
    return await withClient(options, { whenAbsent: mayImport ? 'create' : 'temporary' }, async (client) => {
      const difference = await compare(client, file, read, { org: options.org });
      warningLines(file, difference.changes).forEach(progress);
      if (isRefused(difference)) return refuse(read, difference, options);
      if (options.yes === true) return await importPlanned(client, read, difference, options);
      show(options, { ...difference.changes, imported: false }, () => planWords(read, difference));
      const agreed = await terminal?.ask('Import these changes? [y/N] ');
      if (/^y(es)?$/i.test(agreed?.trim() ?? '')) return await importPlanned(client, read, difference, options);
      progress('Nothing was imported. Repeat the command with --yes to import.');
      return EXIT.done;
    });
  } finally {
    terminal?.close();
  }
}

function playbookOf({ playbook }: PlaybookFolder, { as }: ImportOptions): string {
  if (as === undefined || isName(as)) return as ?? playbook;
  throw misused(`--as is ${JSON.stringify(as)}; a playbook id must be ${NAME_RULE}.`);
}

function isRefused({ changes, refusal }: Difference): boolean {
  return refusal !== undefined || changes.definitions.some(({ change }) => change === 'retired');
}

function refuse(read: PlaybookFolder, difference: Difference, options: ImportOptions): ExitCode {
  const { changes, refusal } = difference;
  show(options, { ...changes, imported: false, refused: refusal?.problem ?? null }, () => planWords(read, difference));
  progress(`Nothing was imported; the archive is refused.${refusal === undefined ? '' : `\n${refusal.message}`}`);
  return EXIT.failed;
}

function planWords(read: PlaybookFolder, { changes, lines }: Difference): string {
  return changeLines(read, kept(changes), 'would be', ({ type, name }) => lines.get(`${type}/${name}`) ?? []).join(
    '\n',
  );
}

/** @throws ServiceRefusal if the playbook changed since the plan was made; nothing is then saved */
async function importPlanned(
  client: Client,
  read: PlaybookFolder,
  { changes: planned }: Difference,
  options: ImportOptions,
): Promise<ExitCode> {
  const changes = await applyPlanned(client, read, { org: options.org }, planned);
  show(options, { ...changes, imported: true }, () => changeLines(read, kept(changes), 'was').join('\n'));
  return EXIT.done;
}

/** Without the definitions that are missing in the archive: an import always keeps them. */
function kept(changes: Difference['changes']): Difference['changes'] {
  return { ...changes, definitions: changes.definitions.filter(({ change }) => change !== 'missing') };
}
