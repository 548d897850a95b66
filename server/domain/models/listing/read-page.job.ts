// Reads a page of a provider's list: in a worker where it is large.
import { isJsonObject, type Json } from '../../../../shared/json.ts';
import { type Scrubber, type ScrubberPart, scrubberOf } from '../../../lib/scrub/index.ts';
import {
  describedProvider,
  type ListedFields,
  type ListFormat,
  OPENAI_LIST,
} from '../../../lib/model-providers/index.ts';
import { isModelId, isResourceName } from '../../../settings/index.ts';

/** A model that a provider lists. A detail that it does not list, or lists with another type, is absent. */
export interface ListedModel {
  id: string;
  name?: string;
  context_window?: number;
  max_output_tokens?: number;
}

export type PageReading =
  | {
      ok: true;
      /** One more than a list may have at most. */
      models: ListedModel[];
      /** The query parameter that asks for the page behind this one; absent where this is the last. */
      next?: { name: string; value: string };
    }
  /** The answer is of no use: nothing of it is repeated. */
  | { ok: false; hint: string };

export interface PageJob {
  body: Uint8Array;
  /** The provider whose format it has; undefined: a gateway. */
  format: string | undefined;
  /** Of what the provider is sent. */
  scrubber: readonly ScrubberPart[];
}

/** How many models a provider may list. The largest gateways list some hundred. */
export const MOST_MODELS = 5000;

export function readPage({ body, format, scrubber }: PageJob): PageReading {
  let page: Json;
  try {
    page = JSON.parse(Buffer.from(body).toString('utf8')) as Json;
  } catch {
    return { ok: false, hint: 'Its answer is not JSON.' };
  }
  const { entries: member, model, next } = describedProvider(format ?? '')?.list?.format ?? GATEWAY_LIST;
  // The entries stand in a member, or are the page itself.
  const entries = isJsonObject(page) ? page[member] : page;
  if (!Array.isArray(entries)) return { ok: false, hint: 'Its answer is not a list of models.' };
  const models = new Map<string, ListedModel>();
  const clean = withoutSecrets(scrubberOf(scrubber));
  for (const entry of entries) {
    const fields = isJsonObject(entry) ? model(entry) : undefined;
    const shown = fields && clean(listed(fields));
    if (shown !== undefined && !models.has(shown.id)) models.set(shown.id, shown);
    if (models.size > MOST_MODELS) break;
  }
  const value = isJsonObject(page) ? next?.value(page) : undefined;
  const more = typeof value === 'string' && value !== '' ? { next: { name: next?.name ?? '', value } } : {};
  return { ok: true, models: [...models.values()], ...more };
}

function withoutSecrets({ text }: Scrubber): (model: ListedModel | undefined) => ListedModel | undefined {
  const isClean = (shown: string): boolean => text(shown) === shown;
  return (model) => {
    if (model === undefined || !isClean(model.id)) return undefined;
    const { name, ...others } = model;
    return name !== undefined && isClean(name) ? { ...others, name } : others;
  };
}

const GATEWAY_LIST: ListFormat = {
  ...OPENAI_LIST,
  model: (entry) =>
    typeof entry['type'] === 'string' && entry['type'] !== 'language' ? undefined : OPENAI_LIST.model(entry),
};

const MOST_NAME = 100;

/** The fields of an entry that fit. */
function listed({ id, name, context, output }: ListedFields): ListedModel | undefined {
  if (!isModelId(id) || isResourceName(id)) return undefined;
  const isName =
    typeof name === 'string' &&
    name !== '' &&
    name.length <= MOST_NAME &&
    !/[\p{Cc}\u2028\u2029]/u.test(name) &&
    !isResourceName(name);
  return {
    id,
    ...(isName ? { name } : {}),
    ...(isCount(context) ? { context_window: context } : {}),
    ...(isCount(output) ? { max_output_tokens: output } : {}),
  };
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0;
}
