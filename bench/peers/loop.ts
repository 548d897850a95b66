import path from 'node:path';
import { createSender } from '../send.ts';
import { here, start } from '../start-process.ts';
import type { Peer, System } from './peer.ts';

/** One durable commit for each step, without an engine. */
export const loop: System = {
  name: 'bare loop',
  packages: [],
  async start(_installed, data, opened): Promise<Peer> {
    const begun = performance.now();
    const app = await start([here('./peers/loop-app.ts'), path.join(data, 'loop.db')]);
    opened.defer(() => app.stop());
    const { send, close } = createSender(app.port);
    opened.defer(close);
    await send('POST', '/calls');
    return {
      processes: [app.pid],
      firstResult: performance.now() - begun,
      runner: (workload) => () => send('POST', `/${workload}`),
    };
  },
};
