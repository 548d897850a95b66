// The workflows with DBOS. Usage: dbos-app.ts INSTALLED URL-OF-THE-DATABASE
import { serveWorkflows, tenSteps } from './app.ts';
import { load } from '../../scripts/install-packages.ts';

interface Dbos {
  setConfig(config: { name: string; systemDatabaseUrl: string; logLevel: string }): void;
  registerWorkflow<Input extends unknown[], Result>(
    workflow: (...input: Input) => Promise<Result>,
    options: { name: string },
  ): (...input: Input) => Promise<Result>;
  runStep<Result>(step: () => Promise<Result>, options: { name: string }): Promise<Result>;
  sleep(milliseconds: number): Promise<void>;
  launch(): Promise<void>;
}

const { DBOS } = load(String(process.argv[2]), '@dbos-inc/dbos-sdk') as { DBOS: Dbos };
DBOS.setConfig({ name: 'bench', systemDatabaseUrl: String(process.argv[3]), logLevel: 'error' });

const calls = DBOS.registerWorkflow(() => tenSteps((n, name) => DBOS.runStep(() => Promise.resolve(n + 1), { name })), {
  name: 'calls',
});
const addOne = DBOS.registerWorkflow((n: number) => Promise.resolve(n + 1), { name: 'add-one' });
/** Each step is a workflow of its own, with its own input, status and result, as a called run is. */
const runs = DBOS.registerWorkflow(() => tenSteps((n) => addOne(n)), { name: 'runs' });
const waits = DBOS.registerWorkflow(
  () =>
    tenSteps(async (n) => {
      // It does not record a sleep of no time.
      await DBOS.sleep(1);
      return n;
    }),
  { name: 'waits' },
);

await DBOS.launch();
await serveWorkflows({ calls, runs, waits });
