// What the public conformance suite asks a server for: tools, resources and prompts that do one thing each. They stand
// behind our own transport; the product has none of them.
import {
  type CallToolResult,
  type ContentBlock,
  createRequestStateCodec,
  type ElicitRequestFormParams,
  type InputRequest,
  inputRequired,
  MissingRequiredClientCapabilityError,
  type PromptMessage,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server';

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';
const SILENCE = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=';
const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';
const CACHED = { ttlMs: 1000, cacheScope: 'public' } as const;

const text = (words: string): ContentBlock => ({ type: 'text', text: words });
const image = { type: 'image', data: PIXEL, mimeType: 'image/png' } as const;
const resource = (uri: string, mimeType: string, words: string): ContentBlock => ({
  type: 'resource',
  resource: { uri, mimeType, text: words },
});
const says = (...content: ContentBlock[]): CallToolResult => ({ content });

type Answers = Record<string, Record<string, unknown>>;
type Tool = (context: ServerContext, notices: Notices) => CallToolResult | Promise<CallToolResult>;

/** The notifications that a tool may send to listening clients. */
export interface Notices {
  toolsChanged: () => void;
  promptsChanged: () => void;
}

const codec = createRequestStateCodec<string>({ key: 'a key of thirty-two bytes or more, for tests alone' });

function asked(message: string, field: string, type: 'string' | 'boolean' = 'string'): InputRequest {
  const properties = { [field]: { type } } as Record<string, { type: 'boolean' }>;
  const requestedSchema = { type: 'object', properties, required: [field] } as const;
  return {
    method: 'elicitation/create',
    params: { mode: 'form', message, requestedSchema: { ...requestedSchema, required: [field] } },
  };
}

const sampled = (words: string) =>
  ({
    method: 'sampling/createMessage',
    params: { messages: [{ role: 'user', content: { type: 'text', text: words } }], maxTokens: 100 },
  }) satisfies InputRequest;

const ROOTS: InputRequest = { method: 'roots/list', params: {} };

/** The first round asks; once every answer is there, `done` says what comes of them. */
async function rounds(
  { mcpReq }: ServerContext,
  asks: Record<string, InputRequest>,
  done: (answers: Answers) => string,
  state?: string,
): Promise<CallToolResult> {
  const answers = (mcpReq.inputResponses ?? {}) as Answers;
  const isAnswered = Object.keys(asks).every((key) => {
    const answer = answers[key];
    if (answer === undefined || typeof answer !== 'object') return false;
    return 'action' in answer || 'roots' in answer || 'role' in answer;
  });
  if (isAnswered && (state === undefined || mcpReq.requestState<string>() === state)) return says(text(done(answers)));
  const minted = state === undefined ? {} : { requestState: await codec.mint(state) };
  return inputRequired({ inputRequests: asks, ...minted }) as unknown as CallToolResult;
}

type Fields = ElicitRequestFormParams['requestedSchema']['properties'];

async function elicited({ send }: ServerContext['mcpReq'], properties: Fields): Promise<CallToolResult> {
  const params = { mode: 'form', message: 'Please say.', requestedSchema: { type: 'object', properties } } as const;
  const { action, content } = await send({ method: 'elicitation/create', params });
  return says(text(`Elicitation completed: action=${action}, content=${JSON.stringify(content)}`));
}

const TWO_FIELDS: Fields = { username: { type: 'string' }, email: { type: 'string' } };
const WITH_DEFAULTS: Fields = {
  name: { type: 'string', default: 'John Doe' },
  age: { type: 'integer', default: 30 },
  score: { type: 'number', default: 95.5 },
  status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
  verified: { type: 'boolean', default: true },
};
const OPTIONS = ['option1', 'option2', 'option3'];
const TITLED = OPTIONS.map((option) => ({ const: option.replace('option', 'value'), title: `The ${option}` }));
const WITH_CHOICES: Fields = {
  untitledSingle: { type: 'string', enum: OPTIONS },
  titledSingle: { type: 'string', oneOf: TITLED },
  legacyEnum: { type: 'string', enum: ['opt1', 'opt2', 'opt3'], enumNames: ['One', 'Two', 'Three'] },
  untitledMulti: { type: 'array', items: { type: 'string', enum: OPTIONS } },
  titledMulti: { type: 'array', items: { anyOf: TITLED } },
};

const nothing = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 10));

const TOOLS: Readonly<Record<string, Tool>> = {
  test_simple_text: () => says(text('This is a simple text response for testing.')),
  test_image_content: () => says(image),
  test_audio_content: () => says({ type: 'audio', data: SILENCE, mimeType: 'audio/wav' }),
  test_embedded_resource: () => says(resource('test://embedded-resource', 'text/plain', 'An embedded resource.')),
  test_multiple_content_types: () =>
    says(text('Several:'), image, resource('test://mixed-content-resource', 'application/json', '{"test":"data"}')),
  test_error_handling: () => ({
    isError: true,
    content: [text('This tool intentionally returns an error for testing')],
  }),
  async test_tool_with_logging({ mcpReq }) {
    for (const data of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
      await mcpReq.log('info', data);
      await nothing();
    }
    return says(text('Logged.'));
  },
  async test_tool_with_progress({ mcpReq }) {
    const { progressToken } = mcpReq._meta ?? {};
    for (const progress of [0, 50, 100]) {
      const params = { progressToken: progressToken ?? 0, progress, total: 100 };
      if (progressToken !== undefined) await mcpReq.notify({ method: 'notifications/progress', params });
      await nothing();
    }
    return says(text('Done.'));
  },
  test_missing_capability({ mcpReq }) {
    const has = (mcpReq.envelope as Record<string, object> | undefined)?.[CAPABILITIES] ?? {};
    if (!('sampling' in has))
      throw new MissingRequiredClientCapabilityError({ requiredCapabilities: { sampling: {} } });
    return says(text('Sampling is there.'));
  },
  // Older revisions ask in the middle of the call.
  async test_sampling({ mcpReq }) {
    const { content } = await mcpReq.send(sampled('Test prompt for sampling'));
    return says(text(`LLM response: ${JSON.stringify(content)}`));
  },
  test_elicitation: ({ mcpReq }) => elicited(mcpReq, TWO_FIELDS),
  test_elicitation_sep1034_defaults: ({ mcpReq }) => elicited(mcpReq, WITH_DEFAULTS),
  test_elicitation_sep1330_enums: ({ mcpReq }) => elicited(mcpReq, WITH_CHOICES),
  async test_logging_tool({ mcpReq }) {
    await mcpReq.log('info', 'Only where it was asked for.');
    return says(text('Logged.'));
  },
  test_streaming_elicitation: (context) => rounds(context, { go: asked('Go on?', 'go') }, () => 'Went on.'),
  test_trigger_tool_change(_context, notices) {
    notices.toolsChanged();
    return says(text('Changed.'));
  },
  test_trigger_prompt_change(_context, notices) {
    notices.promptsChanged();
    return says(text('Changed.'));
  },
  test_input_required_result_elicitation: (context) =>
    rounds(context, { user_name: asked('What is your name?', 'name') }, ({ user_name }) => {
      const { name } = (user_name?.['content'] ?? {}) as { name?: string };
      return `Hello, ${name}!`;
    }),
  test_input_required_result_sampling: (context) =>
    rounds(context, { capital_question: sampled('What is the capital of France?') }, (answers) =>
      JSON.stringify(answers['capital_question']?.['content']),
    ),
  test_input_required_result_list_roots: (context) =>
    rounds(context, { client_roots: ROOTS }, (answers) => JSON.stringify(answers['client_roots']?.['roots'])),
  test_input_required_result_request_state: (context) =>
    rounds(context, { confirm: asked('Please confirm', 'ok', 'boolean') }, () => 'state-ok', 'confirming'),
  test_input_required_result_tampered_state: (context) =>
    rounds(context, { confirm: asked('Please confirm', 'ok', 'boolean') }, () => 'state-ok', 'untouched'),
  test_input_required_result_multiple_inputs: (context) =>
    rounds(
      context,
      { user_name: asked('What is your name?', 'name'), greeting: sampled('Generate a greeting'), client_roots: ROOTS },
      () => 'All three.',
      'several',
    ),
  test_input_required_result_multi_round: (context) =>
    context.mcpReq.requestState<string>() === undefined
      ? rounds(context, { step1: asked('Step 1: What is your name?', 'name') }, () => '', 'first')
      : rounds(context, { step2: asked('Step 2: What is your favorite color?', 'color') }, () => 'Both.', 'second'),
  test_input_required_result_capabilities(context) {
    const has = (context.mcpReq.envelope as Record<string, object> | undefined)?.[CAPABILITIES] ?? {};
    const asks = {
      ...('sampling' in has ? { greeting: sampled('Generate a greeting') } : {}),
      ...('elicitation' in has ? { user_name: asked('What is your name?', 'name') } : {}),
    };
    return Object.keys(asks).length === 0 ? says(text('Nothing can be asked.')) : rounds(context, asks, () => 'Asked.');
  },
};

const user = (content: PromptMessage['content']): PromptMessage => ({ role: 'user', content });

const PROMPTS: Readonly<
  Record<string, { takes: readonly string[]; give: (args: Record<string, string>) => PromptMessage[] }>
> = {
  test_simple_prompt: { takes: [], give: () => [user(text('This is a simple prompt for testing.'))] },
  test_prompt_with_arguments: {
    takes: ['arg1', 'arg2'],
    give: ({ arg1, arg2 }) => [user(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`))],
  },
  test_prompt_with_embedded_resource: {
    takes: ['resourceUri'],
    give: ({ resourceUri = '' }) => [
      user(resource(resourceUri, 'text/plain', 'Embedded resource content for testing.')),
      user(text('Please process the embedded resource above.')),
    ],
  },
  test_prompt_with_image: { takes: [], give: () => [user(image), user(text('Please analyze the image above.'))] },
  test_input_required_result_prompt: { takes: [], give: () => [user(text('With the context.'))] },
};

const RESOURCES = [
  { uri: 'test://static-text', name: 'static-text', mimeType: 'text/plain' },
  { uri: 'test://static-binary', name: 'static-binary', mimeType: 'image/png' },
  { uri: 'test://watched-resource', name: 'watched-resource', mimeType: 'text/plain' },
];

export function createFixture(notices: Notices, isModern: boolean): Server {
  const server = new Server(
    { name: 'conformance', version: '1.0.0' },
    {
      capabilities: {
        tools: { listChanged: true },
        prompts: { listChanged: true },
        resources: { subscribe: !isModern },
        completions: {},
        logging: {},
      },
      cacheHints: {
        'tools/list': CACHED,
        'prompts/list': CACHED,
        'resources/list': CACHED,
        'resources/templates/list': CACHED,
        'resources/read': CACHED,
      },
      requestState: { verify: (state, context) => codec.verify(state, context) },
    },
  );
  server.setRequestHandler('tools/list', () => ({
    tools: Object.keys(TOOLS).map((name) => ({ name, description: name, inputSchema: { type: 'object' } })),
  }));
  server.setRequestHandler('tools/call', async ({ params: { name } }, context) => {
    const tool = TOOLS[name];
    if (tool === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool ${name}.`);
    return tool(context, notices);
  });
  server.setRequestHandler('prompts/list', () => ({
    prompts: Object.entries(PROMPTS).map(([name, { takes }]) => ({
      name,
      description: name,
      arguments: takes.map((argument) => ({ name: argument, description: argument, required: true })),
    })),
  }));
  server.setRequestHandler('prompts/get', async ({ params: { name, arguments: given = {} } }, context) => {
    const prompt = PROMPTS[name];
    if (prompt === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no prompt ${name}.`);
    const messages = { messages: prompt.give(given) };
    if (name !== 'test_input_required_result_prompt' || context.mcpReq.inputResponses !== undefined) return messages;
    const asks = { user_context: asked('What context should the prompt use?', 'context') };
    return inputRequired({ inputRequests: asks });
  });
  server.setRequestHandler('resources/list', () => ({ resources: RESOURCES }));
  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: [{ uriTemplate: 'test://template/{id}/data', name: 'template', mimeType: 'application/json' }],
  }));
  server.setRequestHandler('resources/read', ({ params: { uri } }) => {
    const known = RESOURCES.find((one) => one.uri === uri);
    const [, id] = /^test:\/\/template\/(\w+)\/data$/.exec(uri) ?? [];
    if (known?.mimeType === 'image/png') return { contents: [{ uri, mimeType: known.mimeType, blob: PIXEL }] };
    if (known !== undefined) return { contents: [{ uri, mimeType: known.mimeType, text: 'A static text.' }] };
    if (id === undefined) throw new ResourceNotFoundError(uri);
    return { contents: [{ uri, mimeType: 'application/json', text: JSON.stringify({ id, templateTest: true }) }] };
  });
  server.setRequestHandler('completion/complete', () => ({
    completion: { values: ['testing'], total: 1, hasMore: false },
  }));
  if (!isModern) {
    server.setRequestHandler('resources/subscribe', () => ({}));
    server.setRequestHandler('resources/unsubscribe', () => ({}));
  }
  return server;
}
