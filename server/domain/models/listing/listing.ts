// The models that a definition may name.
//
// 1. A provider's list is read when it is first needed, kept for a while, and read once by all who need it together.
// 2. After a reading that failed the provider is not asked again for a minute; what it listed before is still shown.
// 3. Nothing of a key, an address, an account or a price is in an entry: a provider that shows what it was sent loses
//    the entry whose id holds it, since no other id names the model, and only the name where the name does.
import type { Logger } from 'pino';
import type { ModelList } from '../../../../shared/schemas/index.ts';
import { type Age, ageIn, type Clock } from '../../../lib/clock.ts';
import type { HttpClient } from '../../../lib/http-client/index.ts';
import { createScrubber } from '../../../lib/scrub/index.ts';
import type { TextWork } from '../../../lib/text-work/index.ts';
import { type ModelProvider, type ModelSettings, secretsOfProvider } from '../../../settings/index.ts';
import { answeredWords } from '../failure-sentences.ts';
import { callerWords, createHide, type Hide, mayTell, operatorWords, shownCode } from '../provider-words.ts';
import { listEntries } from './entries.ts';
import { type FailedReading, readList } from './read-list.ts';
import type { ListedModel } from './read-page.job.ts';
import { listSource } from './sources.ts';

export interface Listing {
  /** @param only the prefix of the one provider that is asked; undefined: all */
  list(only: string | undefined): Promise<ModelList>;
  /** Why the list of a provider could not be read when it was last asked; undefined where it was read, or not asked. */
  failureOf(prefix: string): string | undefined;
}

export interface ListingOptions {
  settings: () => ModelSettings;
  textWork: TextWork;
  clock: Clock;
  client: HttpClient;
  logger: Pick<Logger, 'warn'>;
}

const KEEP_MS = 10 * 60_000;
const BACK_OFF_MS = 60_000;

interface CachedList {
  models: readonly ListedModel[] | undefined;
  /** At which age it is read again, in milliseconds. */
  keptFor: number;
  age: Age;
  /** Why the last reading failed. */
  failure?: string;
}

export function createListing({ settings, textWork, clock, client, logger }: ListingOptions): Listing {
  const kept = new Map<string, CachedList>();
  const reading = new Map<string, Promise<CachedList>>();

  async function read(
    provider: ModelProvider,
    secrets: readonly string[],
    before: CachedList | undefined,
  ): Promise<CachedList> {
    if (provider.kind === 'gateway' && provider.fault !== undefined) {
      return { models: undefined, keptFor: Number.POSITIVE_INFINITY, age: ageIn(clock), failure: provider.fault };
    }
    const source = listSource(provider);
    if (source === undefined) return { models: undefined, keptFor: Number.POSITIVE_INFINITY, age: ageIn(clock) };
    const scrubber = createScrubber(secretsOfProvider(provider));
    const list = await readList({ client, textWork, now: clock.now() }, source, scrubber);
    const age = ageIn(clock);
    if (list.ok) return { models: list.models, keptFor: KEEP_MS, age };
    const hide = createHide(secrets, []);
    const { status, hint } = list;
    const words = list.body.message ?? list.body.raw;
    const providerMessage = words === undefined ? null : operatorWords(words, hide);
    logger.warn(
      { provider: provider.prefix, model: null, status, run_id: null, provider_message: providerMessage, hint },
      "A provider's list of models could not be read.",
    );
    return { models: before?.models, keptFor: BACK_OFF_MS, age, failure: failureWords(provider, list, hide) };
  }

  /** What is remembered of a provider that is no more, or has another key, is forgotten with its key. */
  function forgetOthers(providers: readonly ModelProvider[]): void {
    const present = new Set(providers.map(keyOf));
    for (const key of kept.keys()) if (!present.has(key)) kept.delete(key);
  }

  async function listOf(provider: ModelProvider, secrets: readonly string[]): Promise<CachedList> {
    const key = keyOf(provider);
    const known = kept.get(key);
    if (known !== undefined && known.age() < known.keptFor) return known;
    const going = reading.get(key) ?? read(provider, secrets, known).finally(() => reading.delete(key));
    reading.set(key, going);
    const list = await going;
    kept.set(key, list);
    return list;
  }

  return {
    failureOf(prefix) {
      const provider = settings().providers.find((one) => one.prefix === prefix);
      return provider && kept.get(keyOf(provider))?.failure;
    },
    async list(only) {
      const now = settings();
      forgetOthers(now.providers);
      const asked = now.providers.filter(({ prefix }) => only === undefined || prefix === only);
      const lists = await Promise.all(
        asked.map(async (provider) => [provider, await listOf(provider, now.secrets)] as const),
      );
      return {
        models: listEntries(
          now,
          lists.map(([provider, { models }]) => ({ provider, models })),
          only,
        ),
        narrowed: now.allowed !== undefined,
        catalog_status: lists.some(([, { failure }]) => failure !== undefined) ? 'partial' : 'complete',
      };
    },
  };
}

/** What a caller may see of why a list could not be read. */
function failureWords(provider: ModelProvider, { status, body, hint }: FailedReading, hide: Hide): string {
  const { code, message } = body;
  const providerMessage = message === undefined || !mayTell(provider) ? undefined : callerWords(message, hide);
  const sentences = [
    status === null ? undefined : `${answeredWords(provider.prefix, status, code && shownCode(code, hide))}.`,
    hint,
    providerMessage === undefined ? undefined : `The provider said: ${providerMessage}`,
  ];
  return sentences.filter((sentence) => sentence !== undefined).join(' ');
}

/** Another address or another key is another list. */
function keyOf(provider: ModelProvider): string {
  return JSON.stringify(provider);
}
