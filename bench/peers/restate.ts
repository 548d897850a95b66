import path from 'node:path';
import { createSender } from '../send.ts';
import { here, start } from '../start-process.ts';
import { type Peer, type System, untilItWorks } from './peer.ts';
import { freePort } from '../../server/test/loopback.ts';
import { startProgram } from './start-program.ts';

const SERVER = '1.7.12';
const SDK = '1.17.2';
const PLATFORM = `@restatedev/restate-server-${process.platform}-${process.arch}`;

/** One node with its default configuration, which flushes its log at each write; only the ports are others. */
export const restate: System = {
  name: 'Restate',
  packages: [`${PLATFORM}@${SERVER}`, `@restatedev/restate-sdk@${SDK}`],
  async start(installed, data, opened): Promise<Peer> {
    const [node, admin, ingress, service] = await Promise.all([freePort(), freePort(), freePort(), freePort()]);
    const begun = performance.now();
    const server = await startProgram(
      path.join(installed, 'node_modules', PLATFORM, 'bin/restate-server'),
      ['--no-logo', '--listen-mode', 'tcp', '--bind-ip', '127.0.0.1', '--bind-port', String(node)],
      {
        cwd: data,
        env: {
          RESTATE_BASE_DIR: data,
          RESTATE_ADMIN__BIND_PORT: String(admin),
          RESTATE_INGRESS__BIND_PORT: String(ingress),
          RESTATE_LOG_FILTER: 'error,octocrab=off',
          DO_NOT_TRACK: '1',
        },
      },
    );
    opened.defer(() => server.stop());
    const app = await start([here('./peers/restate-app.ts'), installed, String(service)]);
    opened.defer(() => app.stop());
    const administration = createSender(admin);
    const { send, close } = createSender(ingress);
    opened.defer(administration.close);
    opened.defer(close);
    await untilItWorks(() => administration.send('POST', '/deployments', { uri: `http://127.0.0.1:${service}` }));
    await untilItWorks(() => send('POST', '/bench/calls'));
    return {
      processes: [server.pid, app.pid],
      firstResult: performance.now() - begun,
      runner: (workload) => () => send('POST', `/bench/${workload}`),
    };
  },
};
