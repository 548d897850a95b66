// The parts of the configuration file: one line for each.
import type { JsonObject } from '../../shared/json.ts';
import { API_KEYS } from './api-keys.ts';
import { BOOLEAN, type ConfigPart, type DescribedKey } from './config-part.ts';
import { CONNECTION_RULES } from './connection-rules.ts';
import { requireBoolean } from './entries.ts';
import { MODELS } from './models/index.ts';
import { TOOL_SERVERS } from './tool-servers.ts';
import { WORKFLOW_GRANTS } from './workflow-grants.ts';

const MCP_ANSWERS: ConfigPart<boolean> = {
  keys: {
    mcp_answers: {
      meaning: 'Whether agents may answer requests over MCP.',
      default: 'true',
      example: 'mcp_answers: false\n',
      schema: BOOLEAN,
    },
  },
  read: ({ file }) => requireBoolean(file.value['mcp_answers'] ?? true, 'mcp_answers', file),
};

export const CONFIG_PARTS = {
  workflowGrants: WORKFLOW_GRANTS,
  toolServers: TOOL_SERVERS,
  /** Whether agents may answer requests over MCP. */
  mcpAnswers: MCP_ANSWERS,
  models: MODELS,
  /** What the operator lets people connect. */
  connectionRules: CONNECTION_RULES,
  /** The API keys; none in local mode. */
  apiKeys: API_KEYS,
};

export type PartName = keyof typeof CONFIG_PARTS;
export const PART_NAMES = Object.keys(CONFIG_PARTS) as PartName[];

/** Each part as a function that reads it when it is first used. @throws SettingsError where it does not fit */
export type PartReaders = {
  readonly [Name in PartName]: () => (typeof CONFIG_PARTS)[Name] extends ConfigPart<infer T> ? T : never;
};

/** The keys of the configuration file. */
export const CONFIG_KEYS: Readonly<Record<string, DescribedKey>> = Object.assign(
  {},
  ...Object.values(CONFIG_PARTS).map(({ keys }) => keys),
);

/** The JSON Schema of the configuration file, for editors. */
export function configSchema(): JsonObject {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Configuration file of Cuebook',
    type: 'object',
    properties: Object.fromEntries(
      Object.entries(CONFIG_KEYS).map(([key, { meaning, schema }]) => [key, { description: meaning, ...schema }]),
    ),
    additionalProperties: false,
  };
}
