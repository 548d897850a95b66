// What each setting is, for the reference in docs/. A test holds this against the settings that the code reads.

export interface DescribedVariable {
  /** The option that goes before it, with the command that takes it. */
  option?: string;
  meaning: string;
  default: string;
}

/** A variable that says what a key of the configuration file may say. */
const ofModels = (key: string): DescribedVariable => ({
  meaning: `The key [\`${key}\`](#${key}) as JSON; overrides the key in the file.`,
  default: 'the value in the file',
});

export const VARIABLES: Readonly<Record<string, DescribedVariable>> = {
  HOST: {
    option: '`--host` of `serve`',
    meaning: 'The address to listen on; a loopback address unless API keys are configured.',
    default: '`127.0.0.1`',
  },
  PORT: {
    option: '`--port` of `serve`',
    meaning: 'The port; 0 selects any free port.',
    default: 'the port that this data directory last used, otherwise 4747 or the next free port',
  },
  DATA_DIR: {
    option: '`--data-dir`',
    meaning:
      'The data directory: the database, the env file, `secrets.key` if the data key was created here, and the file that describes the runtime that is using it.',
    default: "`cuebook` in the platform's data folder",
  },
  CONFIG_FILE: {
    meaning: 'The configuration file, relative to the data directory; it must exist.',
    default: '`cuebook.yaml`, if it exists',
  },
  DATABASE_URL: {
    meaning:
      'The database: `sqlite:` and a path, relative to the data directory, or `postgres://USER:PASSWORD@HOST:PORT/DATABASE` for [several servers](../teams.md#postgresql). PostgreSQL requires `SECRETS_KEY`.',
    default: '`sqlite:cuebook.db`',
  },
  DATABASE_SCHEMA: {
    meaning: 'The schema of a PostgreSQL database that contains the tables. It is created if it does not exist.',
    default: '`cuebook`',
  },
  DATABASE_POOL: {
    meaning:
      'Connections to PostgreSQL that a server keeps at most for writing, and as many for reading; it keeps four more for itself. From 3 to 200.',
    default: '`10`',
  },
  ALLOWED_ORIGINS: {
    meaning: 'Origins of pages that may call the server, separated by commas.',
    default: "only the server's own",
  },
  STUDIO_ORIGIN: {
    meaning:
      'Another allowed origin: the studio to which links for people lead, such as connect links and the `url` of a request.',
    default: "none; links lead to the server's own address",
  },
  MODEL_GATEWAYS: ofModels('model_gateways'),
  MODEL_ALIASES: ofModels('model_aliases'),
  ALLOWED_MODELS: ofModels('allowed_models'),
  DECLARED_MODELS: ofModels('declared_models'),
  MODEL_PRICES: ofModels('model_prices'),
  LOCAL_MODEL_SERVERS: ofModels('local_model_servers'),
  LOG_LEVEL: {
    meaning: '`fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`; logs go to stderr.',
    default: '`info`',
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    meaning: 'The endpoint for metrics of the server and traces of model calls, sent with OTLP over HTTP.',
    default: 'nowhere',
  },
  SECRETS_KEY: {
    meaning: 'Data keys of the secret store, separated by commas; the first key seals, all of them open.',
    default:
      'a key created in the data directory, in a file that only its owner can read; with PostgreSQL it must be set',
  },
  API_KEYS: {
    meaning:
      'API keys of a published server: the entries of [`api_keys`](#api_keys) as a JSON list, in addition to those.',
    default: 'none: local mode',
  },
  PUBLIC_URL: {
    meaning: 'The origin under which clients reach a published server, for example `https://cuebook.example.com`.',
    default: "the server's own address",
  },
  IDENTITY_ISSUER: {
    meaning:
      'The identity service that signs people in, for example `https://id.example.com`: its tokens are accepted. Requires `PUBLIC_URL`.',
    default: 'nobody signs in',
  },
  STUDIO_CLIENT_ID: {
    meaning:
      'The client ID under which the studio is registered at the identity service: people sign in to the studio with [OpenID Connect](../teams.md#sign-in). Requires `IDENTITY_ISSUER`.',
    default: 'people sign in with a key or the session module',
  },
  STUDIO_SESSION_MODULE: {
    meaning:
      'The https address of an ES module through which people sign in to the studio with a [session of the identity service](../teams.md#session-module). Requires `IDENTITY_ISSUER`.',
    default: 'people sign in with a key or OpenID Connect',
  },
  RATE_LIMIT: {
    meaning:
      'The commands (all requests but reads) that a caller of a published server may send in a minute. 0 turns off this limit and those of 60 refused credentials a minute and address, and of 200 open event streams a caller.',
    default: '300',
  },
  TRUSTED_PROXIES: {
    meaning:
      'The IP addresses and networks of the reverse proxies in front of a published server, separated by commas. Only their `X-Forwarded-For` is used as the address of a client.',
    default: 'none',
  },
  CUEBOOK_KEY: { meaning: 'The API key that commands send to a published server.', default: 'none' },
  CUEBOOK_IDLE_SECONDS: {
    meaning:
      'The seconds without a client, run, trigger or timer after which a runtime started by `cuebook mcp` exits; at most 86400.',
    default: '600',
  },
  XDG_DATA_HOME: {
    meaning: "The platform's data folder, except on macOS (`~/Library/Application Support`) and Windows.",
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
    meaning:
      'MCP servers and HTTP APIs whose tools may be called. Functions write the name of the entry before the slash.',
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
    default: 'everything in local mode; otherwise nothing',
    example:
      'connections:\n  people_may_add: true\n  hosts: ["*"]\n  credential_kinds: [none, secret, reference, client_credentials]\n  variables: []\n',
  },
  api_keys: {
    meaning:
      'API keys of a published server, as `cuebook keys create` prints them: the SHA-256 digest of each key, its org, its permissions, and the playbooks that it is limited to. An entry that is removed is refused from then on.',
    default: 'none: local mode',
    example:
      'api_keys:\n  - name: reporting\n    sha256: 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08\n    org: acme\n    permissions: [org:read, playbook:read]\n    playbooks: [wildlife-strikes]\n',
  },
  model_gateways: {
    meaning: 'OpenAI-compatible endpoints for chat completions; each is a provider under its name.',
    default: 'none',
    example:
      'model_gateways:\n  - { name: house, base_url: "https://models.example.com/v1", api_key: "${HOUSE_KEY}" }\n',
  },
  model_aliases: {
    meaning: 'Alternative names for models.',
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
  model_prices: {
    meaning: 'Prices of models for a million tokens, in the currency that you choose. Costs are computed with them.',
    default: 'none',
    example: 'model_prices:\n  openai/gpt-5-mini: { input: 0.25, output: 2, cached: 0.025 }\n',
  },
  local_model_servers: {
    meaning: 'Addresses at which the studio looks for servers of local models.',
    default: 'those of Ollama and LM Studio on this machine',
    example: 'local_model_servers: ["http://127.0.0.1:8080/v1"]\n',
  },
  mcp_answers: {
    meaning: 'Whether agents may answer requests over MCP.',
    default: 'true',
    example: 'mcp_answers: false\n',
  },
};
