// What a run used, in words.
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { costOf, type Prices, readUsage } from '../../../shared/evaluation/index.ts';
import { durationWords } from '../../../shared/duration-words.ts';
import type { Json } from '../../../shared/json.ts';
import { call } from '../../api/call.ts';
import { costWords } from '../../ui/quantities.ts';

export interface Measures {
  duration_ms?: number;
  tokens?: { input: number; output: number; cached: number };
  cost?: number;
}

/** The prices that the operator gives, by reference. */
export function usePrices(isEnabled: boolean): Prices {
  const { data } = useQuery({
    queryKey: ['model-prices'],
    queryFn: ({ signal }) => call('list_model_prices', {}, signal),
    enabled: isEnabled,
  });
  return useMemo(() => new Map(Object.entries(data?.prices ?? {})), [data]);
}

export function measuresOf(record: unknown, model: string | undefined, prices: Prices): Measures {
  const usage = readUsage((record ?? {}) as Json);
  if (usage === undefined) return {};
  const cost = costOf(usage, model, prices);
  return { tokens: usage.tokens, ...(cost === undefined ? {} : { cost }) };
}

export function measureWords({ duration_ms: ms, tokens, cost }: Measures): string {
  return [
    ...(ms === undefined ? [] : [durationWords(ms)]),
    ...(tokens === undefined
      ? []
      : [`${tokens.input.toLocaleString()} tokens in, ${tokens.output.toLocaleString()} out`]),
    ...(cost === undefined ? [] : [`cost ${costWords(cost)}`]),
  ].join(', ');
}
