// Reads a page of a provider's list: in a worker where it is large.
import { isJsonObject, type Json, type JsonObject } from '../../../../shared/json.ts';
import { type Scrubber, type ScrubberPart, scrubberOf } from '../../../lib/scrub/index.ts';
import { isModelId, isResourceName } from '../../../settings/index.ts';

/** A model that a provider lists. A detail that it does not tell, or not in its type, is absent. */
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
  form: ListForm;
  /** Of what the provider is sent. */
  scrubber: readonly ScrubberPart[];
}

/** How many models a provider may list. The largest gateways list some hundred. */
export const MOST_MODELS = 5000;

export function readPage({ body, form, scrubber }: PageJob): PageReading {
  let page: Json;
  try {
    page = JSON.parse(Buffer.from(body).toString('utf8')) as Json;
  } catch {
    return { ok: false, hint: 'Its answer is not JSON.' };
  }
  const { at, model, next } = FORMS[form];
  // The entries stand in a member, or are the page itself.
  const entries = isJsonObject(page) ? page[at] : page;
  if (!Array.isArray(entries)) return { ok: false, hint: 'Its answer is not a list of models.' };
  const models = new Map<string, ListedModel>();
  const clean = withoutSecrets(scrubberOf(scrubber));
  for (const entry of entries) {
    const shown = isJsonObject(entry) ? clean(model(entry)) : undefined;
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

interface Form {
  /** The member of a page that holds its entries. */
  at: string;
  model: (entry: JsonObject) => ListedModel | undefined;
  next?: { name: string; value: (page: JsonObject) => Json | undefined };
}

export type ListForm = 'plain' | 'gateway' | 'mistral' | 'anthropic' | 'google' | 'cohere';

const FORMS: Readonly<Record<ListForm, Form>> = {
  plain: { at: 'data', model: plainModel },
  gateway: {
    at: 'data',
    model: (entry) =>
      typeof entry['type'] === 'string' && entry['type'] !== 'language' ? undefined : plainModel(entry),
  },
  mistral: { at: 'data', model: mistralModel },
  anthropic: {
    at: 'data',
    model: (entry) => listed(entry['id'], entry['display_name'], entry['max_input_tokens'], entry['max_tokens']),
    next: { name: 'after_id', value: (page) => (page['has_more'] === true ? page['last_id'] : undefined) },
  },
  google: {
    at: 'models',
    model: googleModel,
    next: { name: 'pageToken', value: (page) => page['nextPageToken'] },
  },
  cohere: {
    at: 'models',
    model: (entry) => listed(entry['name'], undefined, entry['context_length'], undefined),
    next: { name: 'page_token', value: (page) => page['next_page_token'] },
  },
};

function googleModel(entry: JsonObject): ListedModel | undefined {
  const methods = entry['supportedGenerationMethods'];
  if (Array.isArray(methods) && !methods.includes('generateContent')) return undefined;
  const name = entry['name'];
  const id = typeof name === 'string' ? name.replace(/^models\//, '') : name;
  return listed(id, entry['displayName'], entry['inputTokenLimit'], entry['outputTokenLimit']);
}

function mistralModel(entry: JsonObject): ListedModel | undefined {
  const abilities = entry['capabilities'];
  if (isJsonObject(abilities) && abilities['completion_chat'] === false) return undefined;
  return listed(entry['id'], entry['name'], entry['max_context_length'], undefined);
}

function plainModel(entry: JsonObject): ListedModel | undefined {
  return listed(
    entry['id'],
    entry['name'],
    entry['context_window'] ?? entry['context_length'],
    entry['max_output_tokens'] ?? entry['max_completion_tokens'] ?? entry['max_tokens'],
  );
}

const MOST_NAME = 100;

function listed(id: unknown, name: unknown, context: unknown, output: unknown): ListedModel | undefined {
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
