import { afterAll, expect, test } from 'vitest';
import { systemClock } from '../../lib/clock.ts';
import { openLog } from '../../runtime/open-stores.ts';
import { readSettings } from '../../settings/index.ts';
import { temporaryFolder } from '../../test/index.ts';
import { lastBuildWords } from './last-build.ts';

const PLACE = { org: 'local', playbook: 'desk' };
const folder = temporaryFolder();
const log = openLog(readSettings({ DATA_DIR: folder.path }), systemClock, (sentence) => expect.fail(sentence));
afterAll(async () => {
  await log.close();
  folder.remove();
});

const record = (name: string, count: number) =>
  log.write(PLACE, (tx) =>
    log.append(tx, {
      ...PLACE,
      stream: `run-of-${name}`,
      events: Array.from({ length: count }, (_, at) => ({
        type: at === 0 ? 'build_ended' : 'build_asked',
        data: { activated: false, detail: 'Too few windows.' },
        metadata: {
          definition: { type: 'prediction' as const, name, version: 1 },
          run_id: name,
          by: 'developer',
        },
      })),
    }),
  );

test('the last build is found behind those of other functions', async () => {
  const words = (name: string) => log.read((tx) => lastBuildWords(tx, { ...PLACE, name }));
  await record('tickets', 1);
  await record('visits', 500);
  expect(await words('tickets')).toBe('The last build, the run tickets, ended without a version: Too few windows.');
  expect(await words('visits')).toContain('is waiting for its trainer');
  expect(await words('sales')).toBeUndefined();
});
