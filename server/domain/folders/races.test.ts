// A playbook that somebody changes after the plan was made, while the documents of the folder are checked.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { DEFINITION_TYPES, type DefinitionType } from '../../../shared/definition-types.ts';
import { openLog } from '../../runtime/open-stores.ts';
import { Definitions } from '../definitions/index.ts';
import { systemClock } from '../../lib/clock.ts';
import { sha256 } from '../../kernel/contents/index.ts';
import type { EventLog } from '../../kernel/log/index.ts';
import type { Kind } from '../../kinds/kind.ts';
import { createPlaybooks } from '../playbooks/index.ts';
import { readSettings } from '../../settings/index.ts';
import { temporaryFolder } from '../../test/index.ts';
import { Folders } from './index.ts';

const PLACE = { org: 'local', playbook: 'desk' };
const keyOf = (name: string) => ({ ...PLACE, type: 'computation' as const, name });
const folderOf = (...names: string[]) => ({
  name: 'Desk',
  description: '',
  definitions: names.map((name) => ({ type: 'computation' as const, name, source: name, sha256: sha256(name) })),
});
const OPTIONS = { dryRun: false, prune: false, plan: undefined, by: 'developer' };

let folder: ReturnType<typeof temporaryFolder>;
let log: EventLog;
let definitions: Definitions;
let folders: Folders;
/** What somebody else does while the next document is checked. */
let meanwhile: () => Promise<unknown> = async () => {};

const kind = (type: DefinitionType): Kind => ({
  type,
  traits: {},
  async check() {
    const now = meanwhile;
    meanwhile = async () => {};
    await now();
    return { ok: true, document: { examples: [], expose: false, overview: '', references: [], warnings: [] } };
  },
  start: async () => ({ status: 'failed', detail: '' }),
});

beforeEach(async () => {
  folder = temporaryFolder();
  log = openLog(readSettings({ DATA_DIR: folder.path }), systemClock, () => {});
  const playbooks = createPlaybooks(log, async () => {});
  const kinds = Object.fromEntries(DEFINITION_TYPES.map((type) => [type, kind(type)])) as Record<DefinitionType, Kind>;
  definitions = new Definitions(log, kinds, []);
  folders = new Folders(log, playbooks, definitions);
  await folders.apply(PLACE, folderOf('first', 'second'), OPTIONS);
});
afterEach(async () => {
  await log.close();
  folder.remove();
});

describe('applying a folder', () => {
  test('with prune retires nothing that was made meanwhile', async () => {
    meanwhile = () => definitions.create(keyOf('colleagues'), 'x', 'colleague');
    const applied = folders.apply(PLACE, folderOf('first', 'fresh'), { ...OPTIONS, prune: true });
    await expect(applied).rejects.toMatchObject({ rejection: { reason: 'conflict' } });
    expect((await definitions.get(keyOf('colleagues'))).status).toBe('active');
    expect((await definitions.get(keyOf('second'))).status).toBe('active');
    await expect(definitions.get(keyOf('fresh'))).rejects.toMatchObject({ rejection: { reason: 'not_found' } });
  });

  test('saves all or nothing when a name of the folder is retired meanwhile', async () => {
    meanwhile = () => definitions.retire(keyOf('second'), 'colleague');
    const applied = folders.apply(PLACE, { ...folderOf('first', 'second', 'fresh'), name: 'Renamed' }, OPTIONS);
    await expect(applied).rejects.toMatchObject({ rejection: { reason: 'conflict', kind: 'retired' } });
    expect((await folders.export(PLACE)).name).toBe('Desk');
    await expect(definitions.get(keyOf('fresh'))).rejects.toMatchObject({ rejection: { reason: 'not_found' } });
  });

  test('puts nothing over a version that was saved meanwhile', async () => {
    const changed = {
      ...folderOf('second'),
      definitions: [{ ...keyOf('first'), source: 'mine', sha256: sha256('mine') }],
    };
    meanwhile = () => definitions.update(keyOf('first'), 'theirs', 'colleague');
    await expect(folders.apply(PLACE, changed, OPTIONS)).rejects.toMatchObject({ rejection: { reason: 'conflict' } });
    expect(await definitions.get(keyOf('first'))).toMatchObject({ version: 2, source: 'theirs' });
  });

  test('without prune is not disturbed by what the folder never held', async () => {
    meanwhile = () => definitions.create(keyOf('colleagues'), 'x', 'colleague');
    expect(await folders.apply(PLACE, folderOf('first', 'second', 'fresh'), OPTIONS)).toMatchObject({
      definitions: [{ name: 'first' }, { name: 'fresh', change: 'create' }, { name: 'second' }],
    });
  });
});
