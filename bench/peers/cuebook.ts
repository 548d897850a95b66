import { createRunToEnd } from '../runs/run-to-end.ts';
import { ADD_ONE, WORKFLOWS } from '../runs/workflow-sources.ts';
import { AT, createPlaybook, serve } from '../serve.ts';
import type { Peer, System } from './peer.ts';

/** As `npm start` starts it, with its default settings. */
export const cuebook: System = {
  name: 'Cuebook',
  packages: [],
  async start(_installed, data, opened): Promise<Peer> {
    const begun = performance.now();
    const { send, pid } = await serve(opened, data);
    const save = await createPlaybook(send);
    await save('computation', 'add-one', ADD_ONE);
    await save('workflow', 'calls', WORKFLOWS.calls);
    await createRunToEnd(send, AT)('calls');
    const firstResult = performance.now() - begun;
    await save('workflow', 'waits', WORKFLOWS.waits);
    return {
      processes: [pid],
      firstResult,
      runner(workload) {
        const runToEnd = createRunToEnd(send, AT);
        // Each call is a run of its own.
        return () => runToEnd(workload === 'runs' ? 'calls' : workload);
      },
    };
  },
};
