import { createRunToEnd } from '../run-to-end.ts';
import { createSender } from '../send.ts';
import { SERVER, start } from '../start-process.ts';
import { ADD_ONE, WORKFLOWS } from '../workflow-sources.ts';
import type { Peer, System } from './peer.ts';

const AT = '/v1/orgs/local/playbooks/bench';

/** As `npm start` starts it, with its default settings. */
export const cuebook: System = {
  name: 'Cuebook',
  packages: [],
  async start(_installed, data, opened): Promise<Peer> {
    const begun = performance.now();
    const server = await start([SERVER, 'serve', '--port', '0', '--data-dir', data]);
    opened.defer(() => server.stop());
    const { send, close } = createSender(server.port);
    opened.defer(close);
    const save = (type: string, name: string, source: string): Promise<unknown> =>
      send('POST', `${AT}/definitions/${type}`, { name, source });
    await send('POST', '/v1/orgs/local/playbooks', { playbook: 'bench', name: 'Bench' });
    await save('computation', 'add-one', ADD_ONE);
    await save('workflow', 'calls', WORKFLOWS.calls);
    await createRunToEnd(send, AT)('calls');
    const firstResult = performance.now() - begun;
    await save('workflow', 'waits', WORKFLOWS.waits);
    return {
      processes: [server.pid],
      firstResult,
      runner(workload) {
        const runToEnd = createRunToEnd(send, AT);
        // Each call is a run of its own.
        return () => runToEnd(workload === 'runs' ? 'calls' : workload);
      },
    };
  },
};
