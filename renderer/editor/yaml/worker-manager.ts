// Replaces `monaco-worker-manager`, which monaco-yaml uses. That package lets the editor create the worker, but this
// version of the editor only accepts existing workers. See vite.config.ts.
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
  // The protocol of the worker: the first message starts it, the second contains its options.
  started.postMessage('ignore');
  started.postMessage(createData);
  return monaco.editor.createWebWorker({ worker: started });
}
