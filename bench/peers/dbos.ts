import { findPostgres } from '../../server/test/postgres/programs.ts';
import { startPostgres } from '../../server/test/postgres/start-postgres.ts';
import { createSender } from '../send.ts';
import type { Opened } from '../serve.ts';
import { here, start } from '../start-process.ts';
import type { Peer, System, Workload } from './peer.ts';

const SDK = '5.3.0';

export const DBOS_PACKAGES = [`@dbos-inc/dbos-sdk@${SDK}`];

/** The library with its default settings, in a server of HTTP over a PostgreSQL. Returns after its first workflow. */
export async function startDbos(
  installed: string,
  url: string,
  opened: Opened,
): Promise<{ pid: number; runner: (workflow: Workload) => () => Promise<unknown> }> {
  const app = await start([here('./peers/dbos-app.ts'), installed, url]);
  opened.defer(() => app.stop());
  const { send, close } = createSender(app.port);
  opened.defer(close);
  await send('POST', '/calls');
  return { pid: app.pid, runner: (workflow) => () => send('POST', `/${workflow}`) };
}

/** Over a PostgreSQL of its own. */
export const dbos: System = {
  name: 'DBOS',
  packages: DBOS_PACKAGES,
  async start(installed, data, opened): Promise<Peer> {
    const programs = await findPostgres();
    const begun = performance.now();
    // With its default configuration: each commit is flushed (fsync, synchronous_commit).
    const postgres = await startPostgres(programs, data);
    opened.defer(() => postgres.stop());
    const { pid, runner } = await startDbos(installed, postgres.url, opened);
    return { processes: [postgres.pid ?? 0, pid], firstResult: performance.now() - begun, runner };
  },
};
