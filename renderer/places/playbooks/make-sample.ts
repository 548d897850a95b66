import { parse } from 'yaml';
import { call } from '../../api/call.ts';
import { definitionOfFile } from '../../api/definition-files.ts';
import { sha256Of, upload } from '../../api/upload.ts';
import dataset from '../../../resources/samples/wildlife-strikes/data/monthly-reports.csv?url';

const FILES = import.meta.glob<string>(
  [
    '../../../resources/samples/wildlife-strikes/*.{ts,yaml,md}',
    '!../../../resources/samples/wildlife-strikes/*.test.ts',
    '!../../../resources/samples/wildlife-strikes/DATA.md',
  ],
  { query: '?raw', import: 'default', eager: true },
);

/** Creates the sample playbook and uploads its dataset, from files shipped with the studio. @returns its ID */
export async function makeSample(): Promise<string> {
  const files = Object.entries(FILES).map(([path, text]) => ({ file: path.split('/').at(-1) ?? '', text }));
  const manifest = files.find(({ file }) => file === 'playbook.yaml');
  const { playbook, name, description } = parse(manifest?.text ?? '') as Record<string, string>;
  if (playbook === undefined || name === undefined) throw new Error('The sample has no playbook.yaml that names it.');
  const definitions = await Promise.all(files.map(({ file, text }) => definitionOfFile(file, text)));
  await call('apply_playbook', {
    playbook,
    name,
    description: description ?? '',
    definitions: definitions.filter((one) => one !== undefined),
  });
  const csv = await (await fetch(dataset)).blob();
  await upload('upload_dataset', { playbook, sha256: await sha256Of(csv) }, csv, () => {});
  return playbook;
}
