// What the programs of the peers share: the workflow of ten steps, and an HTTP server that runs it.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { STEPS } from '../runs/workflow-sources.ts';
import type { Workload } from './peer.ts';

/** Carries out ten steps in order. Each takes the result of the one before it. */
export async function tenSteps(step: (n: number, name: string) => Promise<number>): Promise<{ n: number }> {
  let n = 0;
  for (let count = 0; count < STEPS; count += 1) n = await step(n, `step${count}`);
  return { n };
}

/** Runs a workflow for each POST of its name, and responds with its result. */
export async function serveWorkflows(
  workflows: Readonly<Record<Workload, () => Promise<unknown>> & Record<string, () => Promise<unknown>>>,
): Promise<void> {
  const server = createServer((request, response) => {
    request.resume();
    const name = request.url?.slice(1) ?? '';
    const run = workflows[name] ?? (() => Promise.reject(new Error(`There is no workflow ${name}.`)));
    run().then(
      (result) => response.setHeader('content-type', 'application/json').end(JSON.stringify({ result })),
      (error: unknown) => response.writeHead(500).end(JSON.stringify({ error: String(error) })),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  console.log(`listens on http://127.0.0.1:${(server.address() as AddressInfo).port}`);
}
