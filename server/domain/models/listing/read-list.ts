// Reads a provider's whole list, page by page.
import type { HttpClient } from '../../../lib/http-client/index.ts';
import { withQuery } from '../../../lib/model-providers/index.ts';
import type { Scrubber } from '../../../lib/scrub/index.ts';
import { LARGE_BYTES, textJob, type TextWork } from '../../../lib/text-work/index.ts';
import { classifyAnswer } from '../classify.ts';
import type { ErrorBody } from '../provider-words.ts';
import { type ListedModel, MOST_MODELS, type PageReading, readPage } from './read-page.job.ts';
import type { ListSource } from './sources.ts';

const PAGE_MS = 10_000;
const PAGE_BYTES = 8 * 1024 * 1024;
const MOST_PAGES = 10;

export type ListReading = { ok: true; models: ListedModel[] } | FailedReading;

export interface FailedReading {
  ok: false;
  /** Null without an answer. */
  status: number | null;
  /** What the provider's answer says of the error. */
  body: ErrorBody;
  /** Our words: why there is no answer, or what is wrong with it. */
  hint?: string;
}

interface ListReader {
  client: HttpClient;
  textWork: TextWork;
  now: number;
}

const READ_PAGE = textJob<typeof readPage>({
  module: new URL('./read-page.job.ts', import.meta.url),
  name: 'readPage',
  deadlineMs: 20_000,
});

/** @param scrubber of what the provider is sent */
export async function readList(reader: ListReader, source: ListSource, scrubber: Scrubber): Promise<ListReading> {
  const models = new Map<string, ListedModel>();
  let url: URL | undefined = source.first;
  for (let pages = 0; url !== undefined; pages += 1) {
    if (pages === MOST_PAGES) return unusable(`Its list has more than ${MOST_PAGES} pages.`);
    const page = await askPage(reader, source, url, scrubber);
    if (!page.ok) return 'status' in page ? page : unusable(page.hint);
    for (const model of page.models) if (!models.has(model.id)) models.set(model.id, model);
    if (models.size > MOST_MODELS) return unusable(`Its list has more than ${MOST_MODELS} models.`);
    url = page.next === undefined ? undefined : withQuery(url, { [page.next.name]: page.next.value });
  }
  return { ok: true, models: [...models.values()] };
}

async function askPage(
  { client, textWork, now }: ListReader,
  { headers, format }: ListSource,
  url: URL,
  { parts }: Scrubber,
): Promise<PageReading | FailedReading> {
  const request = { method: 'GET', url, headers: { accept: 'application/json', ...headers } };
  const answer = await client.send(request, { deadline: PAGE_MS, maxBytes: PAGE_BYTES });
  if (answer.kind === 'failed' || answer.status !== 200) {
    const { status, body, hint } = classifyAnswer(answer, now);
    return { ok: false, status, body, ...(hint === undefined ? {} : { hint }) };
  }
  const job = { body: answer.body, format, scrubber: parts };
  if (answer.body.length <= LARGE_BYTES) return readPage(job);
  const reading = await textWork.run(READ_PAGE, job).catch(() => 'busy');
  return typeof reading === 'string' ? unusable('Reading its response takes too long.') : reading;
}

/** An answer of 200 that is of no use; nothing of its body is repeated. */
function unusable(hint: string): FailedReading {
  return { ok: false, status: 200, body: { code: undefined, type: undefined, message: undefined }, hint };
}
