// A worker that runs text jobs.
import { type JobResult, restartDeadline, serveJobs } from '../worker-pool/index.ts';
import type { TextRequest } from './index.ts';

type Carrying = (input: unknown) => object | Promise<object>;

const loaded = new Map<string, Carrying>();

async function load(key: string, { module, name }: TextRequest): Promise<Carrying> {
  const { [name]: carrying } = (await import(module)) as Record<string, Carrying | undefined>;
  if (carrying === undefined) throw new Error(`${module} does not export ${name}.`);
  loaded.set(key, carrying);
  return carrying;
}

function runJob(
  carrying: Carrying,
  { deadlineMs, input }: TextRequest,
): JobResult<object> | Promise<JobResult<object>> {
  restartDeadline(deadlineMs);
  const answer = carrying(input);
  return answer instanceof Promise ? answer.then((later: object) => ({ answer: later })) : { answer };
}

serveJobs<TextRequest, object>({
  run(request) {
    const key = `${request.module} ${request.name}`;
    const carrying = loaded.get(key);
    return carrying === undefined
      ? load(key, request).then((newly) => runJob(newly, request))
      : runJob(carrying, request);
  },
});
