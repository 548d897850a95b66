// What each setting is, for the reference in docs/. A test holds this against the settings that the code reads.

export interface DescribedVariable {
  /** The option that goes before it, with the command that takes it. */
  option?: string;
  meaning: string;
  default: string;
}

/** A variable that says what a key of the configuration file may say. */
const ofModels = (key: string): DescribedVariable => ({
  meaning: `The key [\`${key}\`](#${key}) as JSON; goes before the key of the file.`,
  default: 'what the file says',
});

export const VARIABLES: Readonly<Record<string, DescribedVariable>> = {
  HOST: { option: '`--host` of `serve`', meaning: 'A loopback address to listen on.', default: '`127.0.0.1`' },
  PORT: {
    option: '`--port` of `serve`',
    meaning: 'The port; 0 takes any free one.',
    default: 'the one that this data directory took last, else 4747 or the next free one',
  },
  DATA_DIR: {
    option: '`--data-dir`',
    meaning:
      'The data directory: the database, the env file, `secrets.key` where the data key was made here, and the file that says which runtime lives there.',
    default: "`cuebook` in the platform's data folder",
  },
  CONFIG_FILE: {
    meaning: 'The configuration file, relative to the data directory; it must be there.',
    default: '`cuebook.yaml`, where it is there',
  },
  DATABASE_URL: {
    meaning: '`sqlite:` and a path, relative to the data directory.',
    default: '`sqlite:cuebook.db`',
  },
  ALLOWED_ORIGINS: {
    meaning: 'Origins of pages that may call, separated by commas.',
    default: "none beside the server's own",
  },
  STUDIO_ORIGIN: {
    meaning:
      'One more such origin, and the studio that links for people lead to: those to connect something, and the `url` of a request.',
    default: "none; links lead to the server's own address",
  },
  MODEL_GATEWAYS: ofModels('model_gateways'),
  MODEL_ALIASES: ofModels('model_aliases'),
  ALLOWED_MODELS: ofModels('allowed_models'),
  DECLARED_MODELS: ofModels('declared_models'),
  LOG_LEVEL: {
    meaning: '`fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`; logs go to stderr.',
    default: '`info`',
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    meaning: 'Where traces and metrics of model calls are sent, by OTLP over HTTP.',
    default: 'nowhere',
  },
  SECRETS_KEY: {
    meaning: 'Data keys that seal secrets, separated by commas; the first one seals, all of them open.',
    default: 'a key made in the data directory, in a file that only its owner can read',
  },
  CUEBOOK_KEY: { meaning: 'The key that commands send to a server named with `--server`.', default: 'none' },
  CUEBOOK_IDLE_SECONDS: {
    meaning:
      'After how many seconds without a client, run, trigger or timer a runtime that `cuebook mcp` started ends; at most 86400.',
    default: '600',
  },
  XDG_DATA_HOME: {
    meaning: "The platform's data folder, but for macOS (`~/Library/Application Support`) and Windows.",
    default: '`~/.local/share`',
  },
  LOCALAPPDATA: { meaning: "The platform's data folder on Windows.", default: '`~\\AppData\\Local`' },
};

export interface DescribedKey {
  meaning: string;
  default: string;
  /** YAML that fits; what it names in `${NAME}` or as a variable is to be set. */
  example: string;
}

/** The keys of the configuration file. */
export const CONFIG_KEYS: Readonly<Record<string, DescribedKey>> = {
  workflow_http: {
    meaning: 'Hosts that `call: http` and `call: openapi` of workflows may reach.',
    default: 'none',
    example:
      'workflow_http:\n  - { host: api.example.com, playbooks: [wildlife-strikes] }\n  - { host: "*.example.org:8443" }\n',
  },
  workflow_secrets: {
    meaning: 'Variables that workflows see as `$secrets`; each must be set.',
    default: 'none',
    example: 'workflow_secrets:\n  - { variable: DESK_TOKEN, playbooks: [wildlife-strikes] }\n',
  },
  tool_servers: {
    meaning: 'MCP servers and HTTP APIs whose tools may be called, by the name that functions write before the slash.',
    default: 'none',
    example: `tool_servers:
  github:
    type: mcp
    url: https://api.example.com/mcp
    headers: { Authorization: "Bearer \${GITHUB_TOKEN}" }
    allowed: ["search_*", create_issue]
    playbooks: [wildlife-strikes]
  files:
    type: stdio
    command: npx
    args: ["-y", "@modelcontextprotocol/server-filesystem", "/srv/docs"]
  billing:
    type: openapi
    document: https://billing.example.com/openapi.json
    base_url: https://billing.example.com
    request_id: x-request-id
`,
  },
  connections: {
    meaning: 'What people may add as connections.',
    default: 'in local mode everything; otherwise nothing',
    example:
      'connections:\n  people_may_add: true\n  hosts: ["*"]\n  credential_kinds: [none, secret, reference, client_credentials]\n  variables: []\n',
  },
  model_gateways: {
    meaning: 'Endpoints for chat completions in the form of OpenAI, each a provider by its name.',
    default: 'none',
    example:
      'model_gateways:\n  - { name: house, base_url: "https://models.example.com/v1", api_key: "${HOUSE_KEY}" }\n',
  },
  model_aliases: {
    meaning: 'References to models that stand for others.',
    default: 'none',
    example: 'model_aliases:\n  house/default: openai/gpt-5-mini\n',
  },
  allowed_models: {
    meaning: 'The only references that definitions may name.',
    default: 'every model',
    example: 'allowed_models: [openai/gpt-5-mini, "azure/*"]\n',
  },
  declared_models: {
    meaning: 'Models of providers and gateways that do not list their own.',
    default: 'none',
    example: 'declared_models:\n  azure: [gpt-5-mini]\n',
  },
  mcp_answers: {
    meaning: 'Whether agents may answer requests over MCP.',
    default: 'true',
    example: 'mcp_answers: false\n',
  },
};
