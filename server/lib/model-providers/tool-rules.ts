// What providers accept as a tool. A request with one tool that breaks these rules is refused as a whole.
import { COMMON_RULES, type SchemaRules } from '../tool-schemas/index.ts';

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

export const OPENAI_TOOLS: ToolRules = { names: NAME, most: 128, mostDescribed: 1024 };
export const ANTHROPIC_TOOLS: ToolRules = { ...COMMON_RULES, names: NAME, most: NO_BOUND };
export const GEMINI_TOOLS: ToolRules = {
  names: /^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/,
  most: 128,
  propertyNames: /^[a-zA-Z_][a-zA-Z0-9_]{0,63}$/,
  hasNoReferences: true,
  isSubset: true,
};
/** What all of them accept: a provider's rules may not be known, and a gateway passes requests on to any of them. */
export const COMMON_TOOLS: ToolRules = { ...COMMON_RULES, ...OPENAI_TOOLS };
