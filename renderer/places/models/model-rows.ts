// The filtered list of models as rows, with a heading for each provider.
import { MODEL_PROVIDER_NAMES } from '../../../shared/api/descriptions.generated.ts';
import type { ModelEntry } from '../../../shared/api/index.ts';

export type ModelRow = { kind: 'head'; provider: string; count: number } | { kind: 'model'; model: ModelEntry };

export interface ModelFilters {
  q?: string | undefined;
  provider?: string | undefined;
}

export function modelRows(models: readonly ModelEntry[], { q, provider }: ModelFilters): ModelRow[] {
  const words = (q ?? '')
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  const kept = models.filter(
    (model) => (provider === undefined || model.provider === provider) && words.every((word) => holds(model, word)),
  );
  const byProvider = Map.groupBy(kept, (model) => model.provider);
  return [...byProvider.keys()].toSorted().flatMap((prefix): ModelRow[] => {
    const own = byProvider.get(prefix) ?? [];
    return [
      { kind: 'head', provider: prefix, count: own.length },
      ...own.map((model) => ({ kind: 'model' as const, model })),
    ];
  });
}

function holds({ id, name = '', resolved_to: target = '' }: ModelEntry, word: string): boolean {
  return [id, name, target].some((text) => text.toLowerCase().includes(word));
}

/** A number of tokens in short form: 128k, 1M. */
export function tokenWords(tokens: number): string {
  if (tokens >= 1_000_000) return `${Math.round(tokens / 100_000) / 10}M`;
  return tokens >= 10_000 ? `${Math.round(tokens / 1000)}k` : tokens.toLocaleString();
}

/** The display name of a built-in provider, or the prefix of another one. */
export function providerName(prefix: string): string {
  return MODEL_PROVIDER_NAMES[prefix] ?? prefix;
}
