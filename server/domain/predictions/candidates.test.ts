// Uploads of candidates, with a real store.
import { afterAll, expect, test } from 'vitest';
import { createIds } from '../../kernel/ids.ts';
import { systemClock } from '../../lib/clock.ts';
import { sha256 } from '../../kernel/contents/index.ts';
import { openLog } from '../../runtime/open-stores.ts';
import { readSettings } from '../../settings/index.ts';
import { temporaryFolder } from '../../test/index.ts';
import type { Builds, OpenBuild } from './builds.ts';
import { Candidates } from './candidates.ts';
import { createPieces } from './pieces.ts';

const folder = temporaryFolder();
const log = openLog(readSettings({ DATA_DIR: folder.path }), systemClock, (sentence) => expect.fail(sentence));
afterAll(async () => {
  await log.close();
  folder.remove();
});

const PLACE = { org: 'local', playbook: 'desk' };

test('a build records a limited number of refused candidates, and refuses further ones all the same', async () => {
  const prediction = { dataset: { value: 'v', known: [], observed: [], static: [] }, period: 'year' };
  const build = { ...PLACE, runId: crypto.randomUUID(), name: 'tickets', prediction } as unknown as OpenBuild;
  const run = { ...PLACE, run_id: build.runId, type: 'prediction', name: 'tickets', attempt: 1, definition_version: 1 };
  const builds = {
    requireOpen: async () => build,
    requireOpenIn: async () => ({
      ...run,
      started_by: 'ada',
      top_run_id: build.runId,
      called_by: null,
      trigger_text: null,
      attempt_event_id: crypto.randomUUID(),
    }),
    panelOf: async () => ({ facts: { windowRows: 0 } }),
  } as unknown as Builds;
  const tryUpload = async () => ({ fault: { kind: 'load' as const, detail: 'It is no model.' } });
  const pieces = createPieces({ log, ids: createIds(systemClock) });
  const candidates = new Candidates({ log, clock: systemClock, pieces, builds, models: { tryUpload } });
  for (let number = 0; number < 40; number += 1) {
    const bytes = Buffer.from(`model ${number}`);
    const received = Object.assign([bytes].values(), { bytes: bytes.length, sha256: sha256(`model ${number}`) });
    const body = { bytes: bytes.length, receive: async () => received };
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    await expect(candidates.upload(PLACE, build.runId, body as never, 'ada')).rejects.toThrow('It is no model.');
  }
  const events = await log.read((tx) => tx.all('SELECT 1 FROM events WHERE type = $1', ['candidate_refused']));
  expect(events).toHaveLength(32);
});
