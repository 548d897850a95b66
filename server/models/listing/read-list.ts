// Reads a provider's whole list, page by page.
import { isJsonObject, type Json } from '../../../shared/json.ts';
import type { HttpClient } from '../../kernel/http-client/index.ts';
import { classifyAnswer } from '../classify.ts';
import type { ErrorBody } from '../provider-words.ts';
import type { ListedModel, Source } from './sources.ts';

const PAGE_MS = 10_000;
const PAGE_BYTES = 8 * 1024 * 1024;
const MOST_PAGES = 10;

export type ListReading = { ok: true; models: ListedModel[] } | FailedReading;

export interface FailedReading {
  ok: false;
  /** Null where no answer came. */
  status: number | null;
  /** What the provider's answer says of the error. */
  body: ErrorBody;
  /** Our words: why no answer came, or what is wrong with it. */
  hint?: string;
}

export async function readList(client: HttpClient, source: Source, now: number): Promise<ListReading> {
  const models = new Map<string, ListedModel>();
  let url: URL | undefined = source.first;
  for (let pages = 0; url !== undefined; pages += 1) {
    if (pages === MOST_PAGES) return unusable(`Its list has more than ${MOST_PAGES} pages.`);
    const page = await readPage(client, source, url, now);
    if (!page.ok) return page;
    const entries = source.entries(page.value);
    if (entries === undefined) return unusable('Its answer is not a list of models.');
    for (const entry of entries) {
      const model = isJsonObject(entry) ? source.model(entry) : undefined;
      if (model !== undefined && !models.has(model.id)) models.set(model.id, model);
    }
    url = source.next(page.value, url);
  }
  return { ok: true, models: [...models.values()] };
}

type PageReading = { ok: true; value: Json } | FailedReading;

async function readPage(client: HttpClient, { headers }: Source, url: URL, now: number): Promise<PageReading> {
  const request = { method: 'GET', url, headers: { accept: 'application/json', ...headers } };
  const answer = await client.send(request, { deadline: PAGE_MS, maxBytes: PAGE_BYTES });
  if (answer.kind === 'failed' || answer.status !== 200) {
    const { status, body, hint } = classifyAnswer(answer, now);
    return { ok: false, status, body, ...(hint === undefined ? {} : { hint }) };
  }
  try {
    return { ok: true, value: JSON.parse(Buffer.from(answer.body).toString('utf8')) as Json };
  } catch {
    return unusable('Its answer is not JSON.');
  }
}

/** An answer of 200 that is of no use; nothing of its body is repeated. */
function unusable(hint: string): FailedReading {
  return { ok: false, status: 200, body: { code: undefined, type: undefined, message: undefined }, hint };
}
