import net from 'node:net';
import { once } from 'node:events';
import { createSender } from '../send.ts';
import { here, start } from '../start-process.ts';
import { type Peer, type System, untilItWorks } from './peer.ts';
import { POSTGRES, startPostgres } from './postgres.ts';

const SDK = '5.3.0';

/** The library with its default settings, in a server of HTTP, over a PostgreSQL of its own. */
export const dbos: System = {
  name: 'DBOS',
  packages: [`@dbos-inc/dbos-sdk@${SDK}`, POSTGRES],
  async start(installed, data, opened): Promise<Peer> {
    const begun = performance.now();
    const postgres = await startPostgres(installed, data);
    opened.defer(() => postgres.stop());
    await untilItWorks(() => connects(Number(new URL(postgres.url).port)));
    const app = await start([here('./peers/dbos-app.ts'), installed, postgres.url]);
    opened.defer(() => app.stop());
    const { send, close } = createSender(app.port);
    opened.defer(close);
    await send('POST', '/calls');
    return {
      processes: [postgres.pid, app.pid],
      firstResult: performance.now() - begun,
      runner: (workload) => () => send('POST', `/${workload}`),
    };
  },
};

async function connects(port: number): Promise<void> {
  const socket = net.connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.destroy();
}
