// Stands in for `monaco-worker-manager`, which monaco-yaml uses and which asks the editor to make the worker itself; the
// editor takes only workers that are there already. See vite.config.ts.
import { monaco } from '../monaco.ts';

interface WorkerManager {
  getWorker: (...resources: monaco.Uri[]) => Promise<object>;
  updateCreateData: (createData: unknown) => void;
  dispose: () => void;
}

export function createWorkerManager(_monaco: unknown, { createData }: { createData: unknown }): WorkerManager {
  let worker: monaco.editor.MonacoWebWorker<object> | undefined;
  const end = (): void => {
    worker?.dispose();
    worker = undefined;
  };
  return {
    async getWorker(...resources) {
      worker ??= start(createData);
      return worker.withSyncedResources(resources);
    },
    updateCreateData(changed) {
      createData = changed;
      end();
    },
    dispose: end,
  };
}

function start(createData: unknown): monaco.editor.MonacoWebWorker<object> {
  const started = new Worker(new URL('monaco-yaml/yaml.worker.js', import.meta.url), { type: 'module' });
  // The worker's own protocol: the first message makes it listen, the second says what it is made with.
  started.postMessage('ignore');
  started.postMessage(createData);
  return monaco.editor.createWebWorker({ worker: started });
}
