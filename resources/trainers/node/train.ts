// Answers the builds of prediction functions: reads the brief and the training rows of each open build, fits linear
// forecasts, uploads them as candidates, and names them in its answer.
//
// Usage: node train.ts PLAYBOOK_URL [PARTY] [--once]
//   PLAYBOOK_URL  for example http://127.0.0.1:7777/v1/orgs/local/playbooks/desk
//   PARTY         answers only what is asked of this party
//   --once        ends when the open builds are answered, instead of looking for new ones every 10 seconds
// CUEBOOK_KEY is sent as the bearer token where it is set. Node 22.18 or newer runs this file as it is.
import { setTimeout as delay } from 'node:timers/promises';
import { fitForecasts } from './fit.ts';
import { linearModel } from './linear-model.ts';
import { readRows } from './read-rows.ts';

interface BuildRequest {
  /** The run that waits for the answer. */
  run_id: string;
  /** The run of the build, if another run asks for it. */
  build: string;
}

interface OpenRequest {
  run_id: string;
  /** What a trainer needs, in the request of a build. */
  input?: { run_id: string };
  /** An interaction that asks for a build names its address. */
  message: string | null;
}

const LOOK_EVERY_MS = 10_000;
const MOST_TRIES = 10;
const SEASONS: readonly [form: RegExp, season: number][] = [
  [/T\d\d$/, 24],
  [/^\d+-\d\d-\d\d$/, 7],
  [/^\d+-\d\d$/, 12],
  [/^\d+-Q\d$/, 4],
];

type Service = ReturnType<typeof createService>;

export interface TrainerOptions {
  /** Answers only what is asked of this party. */
  party?: string | undefined;
  /** Sent as the bearer token. */
  key?: string | undefined;
  /** Receives a line about each candidate. */
  report?: (line: string) => void;
}

/** @returns the number of builds that were answered; those that could not be, with the reason: they stay open */
export async function answerOpenBuilds(
  playbook: string,
  { party, key, report = () => {} }: TrainerOptions = {},
): Promise<{ answered: number; failures: string[] }> {
  const service = createService(playbook, key);
  const failures: string[] = [];
  const requests = await service.openBuilds(party);
  for (const request of requests) {
    try {
      await answerBuild(service, request, report);
    } catch (error) {
      failures.push(`${request.build}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  return { answered: requests.length - failures.length, failures };
}

async function answerBuild(
  service: Service,
  { run_id, build }: BuildRequest,
  report: (line: string) => void,
): Promise<void> {
  const brief = await service.brief(build);
  const { layout, rows } = await readRows(await service.rows(build));
  const season = numberIn(brief, /\bseason\b[^0-9\n]{0,40}(\d+)/i) ?? seasonOf(rows[0]?.origin ?? '');
  const coverage = numberIn(brief, /\bcoverage\b[^0-9\n]{0,40}(0?\.\d+)/i) ?? 0.8;
  const candidates: string[] = [];
  for (const { base, penalty, error, steps } of fitForecasts(rows, { layout, season, coverage })) {
    const candidate = await service.upload(build, linearModel(layout, steps));
    report(`${build}: ${candidate} is linear from the ${base}, penalty ${penalty}, error ${error.toFixed(4)}`);
    candidates.push(candidate);
  }
  await service.answer(run_id, candidates);
}

function numberIn(text: string, pattern: RegExp): number | undefined {
  const found = pattern.exec(text)?.[1];
  return found === undefined ? undefined : Number(found);
}

/** The usual season of labels of this form. */
function seasonOf(origin: string): number {
  return SEASONS.find(([form]) => form.test(origin))?.[1] ?? 1;
}

function createService(playbook: string, key: string | undefined) {
  const authorization: Record<string, string> = key === undefined ? {} : { authorization: `Bearer ${key}` };

  /** Tries again while the service is busy. */
  async function call(
    path: string,
    init: { method?: string; headers?: Record<string, string>; body?: string | Blob } = {},
  ) {
    for (let tries = 1; ; tries += 1) {
      const response = await fetch(`${playbook}${path}`, { ...init, headers: { ...authorization, ...init.headers } });
      if (response.ok) return response;
      const retryAfter = response.headers.get('retry-after');
      const detail = await response.text();
      if (response.status !== 503 || retryAfter === null || tries === MOST_TRIES) {
        throw new Error(`${init.method ?? 'GET'} ${path} was answered with ${response.status}: ${detail}`);
      }
      await delay(Number(retryAfter) * 1000);
    }
  }

  return {
    async openBuilds(party: string | undefined): Promise<BuildRequest[]> {
      const response = await call(`/interactions${party === undefined ? '' : `?to=${encodeURIComponent(party)}`}`);
      const { interactions } = (await response.json()) as { interactions: OpenRequest[] };
      return interactions.flatMap(({ run_id, input, message }) => {
        const build = input?.run_id ?? /\/runs\/([0-9a-f-]{36})\/build\//.exec(message ?? '')?.[1];
        return build === undefined ? [] : [{ run_id, build }];
      });
    },
    brief: async (build: string): Promise<string> => (await call(`/runs/${build}/build/brief`)).text(),
    async rows(build: string): Promise<AsyncIterable<Uint8Array>> {
      const { body } = await call(`/runs/${build}/build/rows`);
      if (body === null) throw new Error('The training rows are empty.');
      return body;
    },
    async upload(build: string, model: Uint8Array<ArrayBuffer>): Promise<string> {
      const response = await call(`/runs/${build}/build/candidates`, {
        method: 'POST',
        headers: { 'content-type': 'application/octet-stream' },
        body: new Blob([model]),
      });
      return ((await response.json()) as { candidate: string }).candidate;
    },
    async answer(run: string, candidates: readonly string[]): Promise<void> {
      await call(`/runs/${run}/answer`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ answer: { candidates } }),
      });
    },
  };
}

if (import.meta.main) {
  const [playbook, party] = process.argv.slice(2).filter((argument) => argument !== '--once');
  if (playbook === undefined) {
    console.error('Usage: node train.ts PLAYBOOK_URL [PARTY] [--once]');
    process.exit(2);
  }
  for (;;) {
    const key = process.env['CUEBOOK_KEY'];
    const { failures } = await answerOpenBuilds(playbook, { party, key, report: (line) => console.log(line) });
    for (const failure of failures) console.error(failure);
    if (process.argv.includes('--once')) process.exit(failures.length === 0 ? 0 : 1);
    await delay(LOOK_EVERY_MS);
  }
}
