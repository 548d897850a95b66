// Which numbers the versions of a function get, with runs that a real server started and ended.
import { createHash } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../lib/clock.ts';
import { createModelRunner } from '../../lib/onnx/index.ts';
import { openLog } from '../../runtime/open-stores.ts';
import { readSettings } from '../../settings/index.ts';
import { startServer, temporaryFolder, type TestServer } from '../../test/index.ts';
import type { VersionDetails } from './specs.ts';
import { createVersions, type Versions } from './versions.ts';

const { availability } = createModelRunner({ clock: systemClock });
if (!availability.isAvailable) console.log(`Skipped: ${availability.reason}`);

const AT = '/v1/orgs/local/playbooks/desk';
const PLACE = { org: 'local', playbook: 'desk' };
const FUNCTION = `dataset: { value: v }
period: month
context: 12
horizon: 2
trainer: { inbox: forecasters }
`;
const CSV = `series,period,v\n${Array.from({ length: 48 }, (_, at) => `a,${2020 + Math.floor(at / 12)}-${String((at % 12) + 1).padStart(2, '0')},${at % 7}`).join('\n')}\n`;

test.skipIf(!availability.isAvailable)(
  'given a build that got a version and ended without it, then the next build gets that version',
  async () => {
    const folder = temporaryFolder();
    onTestFinished(folder.remove);
    const serving = async <T>(work: (server: TestServer) => Promise<T>): Promise<T> => {
      const server = await startServer({ dataDir: folder.path });
      return work(server).finally(() => server.close());
    };
    const withVersions = async <T>(work: (versions: Versions) => Promise<T>): Promise<T> => {
      const settings = readSettings({ DATA_DIR: folder.path }, {}, () => []);
      const log = openLog(settings, systemClock, (sentence) => expect.fail(sentence));
      return work(createVersions({ log, activated: async () => {} })).finally(() => log.close());
    };
    const allocate = (versions: Versions, runId: string): Promise<number> =>
      versions.allocate(PLACE, { name: 'demand', runId, candidate: '0'.repeat(64), details: {} as VersionDetails });

    const [first, second, third] = await serving(async (server) => {
      await server.post('/v1/orgs/local/playbooks', { playbook: 'desk', name: 'Desk' });
      await server.post(`${AT}/definitions/prediction`, { name: 'demand', source: FUNCTION });
      const headers = { 'content-type': 'text/csv' };
      const digest = createHash('sha256').update(CSV).digest('hex');
      await server.send('PUT', `${AT}/datasets/${digest}`, { headers, body: CSV });
      const start = async (): Promise<string> => {
        const { body } = await server.post(`${AT}/definitions/prediction/demand/run`, { input: { build: {} } });
        return String(body.run_id);
      };
      return [await start(), await start(), await start()] as const;
    });
    await withVersions(async (versions) => {
      expect(await allocate(versions, first)).toBe(1);
      expect(await allocate(versions, second)).toBe(2);
    });
    await serving(async (server) => {
      await server.post(`${AT}/runs/${first}/cancel`, {});
      await expect.poll(async () => (await server.get(`${AT}/runs/${first}`)).body.status).toBe('rejected');
    });
    await withVersions(async (versions) => {
      expect(await allocate(versions, second)).toBe(2);
      expect(await allocate(versions, third)).toBe(1);
      expect(await allocate(versions, third)).toBe(1);
    });
  },
);
