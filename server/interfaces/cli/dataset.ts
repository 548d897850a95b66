import { createHash } from 'node:crypto';
import { constants, openAsBlob } from 'node:fs';
import { access } from 'node:fs/promises';
import type { Uploaded } from '../../../shared/api/index.ts';
import { type ClientOptions, withClient } from './attach.ts';
import type { Client, NamedPlaybook } from './client.ts';
import { codeOf, misused } from './failure.ts';
import { show } from './output.ts';

/** Uploads a CSV file as a dataset of the playbook, and prints what it holds. */
export async function uploadDataset(playbook: string, file: string, options: ClientOptions): Promise<void> {
  const dataset = await withClient(options, { whenAbsent: 'refuse' }, (client) =>
    sendDataset(client, { org: options.org, playbook }, file),
  );
  const { rows, series, period, first, last, columns, missing } = dataset;
  show(options, dataset, () =>
    [
      `Dataset ${dataset.dataset}`,
      `${rows} rows of ${series} series by ${period}, ${first} to ${last}; ${missing} missing values`,
      `Columns: ${columns.join(', ')}`,
    ].join('\n'),
  );
}

export async function sendDataset(
  client: Client,
  playbook: NamedPlaybook,
  file: string,
): Promise<Uploaded<'upload_dataset'>> {
  const { content, sha256 } = await readFile(file);
  return client.upload('upload_dataset', { ...playbook, sha256 }, content);
}

/** The file, which is read again when it is sent, and its digest. */
async function readFile(file: string): Promise<{ content: Blob; sha256: string }> {
  try {
    // openAsBlob does not say what is wrong with a file that it cannot open.
    await access(file, constants.R_OK);
    const content = await openAsBlob(file);
    const hash = createHash('sha256');
    for await (const bytes of content.stream()) hash.update(bytes);
    return { content, sha256: hash.digest('hex') };
  } catch (error) {
    throw misused(`Cannot read the file ${file} (${codeOf(error)}).`);
  }
}
