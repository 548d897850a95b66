// The workflows as a service of Restate. Usage: restate-app.ts INSTALLED PORT
import { tenSteps } from './app.ts';
import { load } from '../../scripts/install-packages.ts';

interface Context {
  run<Result>(name: string, step: () => Result): Promise<Result>;
  sleep(milliseconds: number): Promise<void>;
}
interface Restate {
  service(definition: { name: string; handlers: Record<string, (context: Context) => Promise<unknown>> }): unknown;
  serve(options: { services: unknown[]; port: number }): Promise<number>;
}

process.env['RESTATE_LOGGING'] = 'ERROR';
const restate = load(String(process.argv[2]), '@restatedev/restate-sdk') as Restate;
const bench = restate.service({
  name: 'bench',
  handlers: {
    calls: (context) => tenSteps((n, name) => context.run(name, () => n + 1)),
    waits: (context) =>
      tenSteps(async (n) => {
        await context.sleep(0);
        return n;
      }),
  },
});
const port = await restate.serve({ services: [bench], port: Number(process.argv[3]) });
console.log(`listens on http://127.0.0.1:${port}`);
