// The workflows as a service of Restate, and the service that one of them calls. Usage: restate-app.ts INSTALLED PORT
import { tenSteps } from './app.ts';
import { load } from '../../scripts/install-packages.ts';

interface Context {
  run<Result>(name: string, step: () => Result): Promise<Result>;
  sleep(milliseconds: number): Promise<void>;
  serviceClient(service: unknown): { addOne(n: number): Promise<number> };
}
interface Restate {
  service(definition: {
    name: string;
    handlers: Record<string, (context: Context, input: number) => Promise<unknown>>;
  }): unknown;
  serve(options: { services: unknown[]; port: number }): Promise<number>;
}

process.env['RESTATE_LOGGING'] = 'ERROR';
const restate = load(String(process.argv[2]), '@restatedev/restate-sdk') as Restate;
const adder = restate.service({
  name: 'adder',
  handlers: { addOne: (_context, n) => Promise.resolve(n + 1) },
});
const bench = restate.service({
  name: 'bench',
  handlers: {
    calls: (context) => tenSteps((n, name) => context.run(name, () => n + 1)),
    runs: (context) => tenSteps((n) => context.serviceClient(adder).addOne(n)),
    waits: (context) =>
      tenSteps(async (n) => {
        await context.sleep(0);
        return n;
      }),
  },
});
const port = await restate.serve({ services: [adder, bench], port: Number(process.argv[3]) });
console.log(`listens on http://127.0.0.1:${port}`);
