import { parse } from 'yaml';
import type { Json } from '../../../shared/json.ts';

export type YamlReading = { ok: true; value: Json } | { ok: false; detail: string };

/** At most this many aliases are expanded, so that a small text cannot mean a large document. */
const MOST_ALIASES = 100;

export function parseYaml(text: string): YamlReading {
  try {
    const value: unknown = parse(text, { maxAliasCount: MOST_ALIASES, schema: 'core', logLevel: 'error' });
    return { ok: true, value: value as Json };
  } catch {
    return { ok: false, detail: 'it is neither JSON nor YAML' };
  }
}
