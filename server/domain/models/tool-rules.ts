// What each provider takes as a tool. A request with one tool that breaks these rules is refused as a whole.
import { COMMON_RULES, type SchemaRules } from '../../lib/tool-schemas/index.ts';
import type { ModelProvider } from '../../settings/index.ts';

export interface ToolRules extends SchemaRules {
  /** Names of tools. */
  names: RegExp;
  /** Tools in one request. */
  most: number;
  /** Characters of a tool's description; the beginning is sent. */
  mostDescribed?: number;
}

const NAME = /^[a-zA-Z0-9_-]{1,64}$/;
export const NO_BOUND = Number.POSITIVE_INFINITY;

const OPENAI: ToolRules = { names: NAME, most: 128, mostDescribed: 1024 };
const ANTHROPIC: ToolRules = { ...COMMON_RULES, names: NAME, most: NO_BOUND };
const GEMINI: ToolRules = {
  names: /^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/,
  most: 128,
  propertyNames: /^[a-zA-Z_][a-zA-Z0-9_]{0,63}$/,
  hasNoReferences: true,
  isSubset: true,
};
/** What all of them take: a provider's rules may not be known, and a gateway passes requests on to any of them. */
const COMMON: ToolRules = { ...COMMON_RULES, ...OPENAI };

const RULES: Readonly<Record<string, ToolRules>> = {
  openai: OPENAI,
  azure: OPENAI,
  anthropic: ANTHROPIC,
  google: GEMINI,
  'google-vertex': GEMINI,
  // Its models are Anthropic's, and Amazon's own, which take three keywords at the top.
  'amazon-bedrock': { ...ANTHROPIC, hasNoReferences: true, topKeywords: ['type', 'properties', 'required'] },
};

export function toolRulesOf({ prefix }: Pick<ModelProvider, 'prefix'>): ToolRules {
  return RULES[prefix] ?? COMMON;
}
