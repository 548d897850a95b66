// What the operator says of models, checked.
import type { Price } from '../../../shared/evaluation/index.ts';
import type { BuiltInProvider, UnsetProvider } from './built-in.ts';

/** An endpoint of the operator's that speaks OpenAI's chat completions. */
export interface Gateway {
  kind: 'gateway';
  /** The text before the slash. */
  prefix: string;
  /** Without a slash at its end. */
  baseUrl: string;
  apiKey: string | undefined;
  headers: Readonly<Record<string, string>>;
  queryParams: Readonly<Record<string, string>>;
  structuredOutputs: boolean;
  includeUsage: boolean;
  exposesMessages: boolean;
  allowedOptions: readonly string[];
  /** What is wrong with the entry, in a sentence: it is never called. Absent in the settings of a server. */
  fault?: string;
}

export type ModelProvider = BuiltInProvider | Gateway;

/** Both sides are references, or both are patterns. */
export interface ModelAlias {
  from: string;
  to: string;
}

export interface ModelSettings {
  /** Those that are configured, by prefix. */
  providers: readonly ModelProvider[];
  /** Hosted providers that no variable configures: a key makes them providers. */
  unset: readonly UnsetProvider[];
  aliases: readonly ModelAlias[];
  /** References and patterns; undefined: every model may be named. */
  allowed: readonly string[] | undefined;
  /** Ids of models by the prefix of their provider. */
  declared: Readonly<Record<string, readonly string[]>>;
  /** By reference, for a million tokens. */
  prices: ReadonlyMap<string, Price>;
  /** Where servers of local models are looked for, without a slash at the end. */
  localServers: readonly string[];
  /** What no message may hold. */
  secrets: readonly string[];
}

export function byPrefix(a: ModelProvider, b: ModelProvider): number {
  return a.prefix < b.prefix ? -1 : 1;
}
