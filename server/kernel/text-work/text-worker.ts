// A worker that carries out text work.
import { type JobResult, restartDeadline, serveJobs } from '../worker-pool/index.ts';
import { TEXT_JOBS, type TextJobName } from './jobs.ts';
import type { TextRequest } from './text-work.ts';

type Carrying = (input: unknown) => object;

const loaded = new Map<TextJobName, Carrying>();

async function load(name: TextJobName): Promise<Carrying> {
  const carrying = (await TEXT_JOBS[name].load()) as Carrying;
  loaded.set(name, carrying);
  return carrying;
}

function carryOut(carrying: Carrying, { name, input }: TextRequest): JobResult<object> {
  restartDeadline(TEXT_JOBS[name].deadlineMs);
  return { answer: carrying(input) };
}

serveJobs<TextRequest, object>({
  carryOut(request) {
    const carrying = loaded.get(request.name);
    return carrying === undefined
      ? load(request.name).then((newly) => carryOut(newly, request))
      : carryOut(carrying, request);
  },
});
