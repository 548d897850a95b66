// Errors as providers and servers of local models word them.
import { describe, expect, test } from 'vitest';
import type { Json } from '../../../shared/json.ts';
import { type Cause, causeOf } from './causes.ts';
import { readErrorBody } from './provider-words.ts';

const ALL = { json: true, tools: true };
const causeIn = (status: number, body: Json, asked = ALL): Cause | undefined =>
  causeOf(status, readErrorBody(Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))), asked);
const openAi = (message: string, more: object = {}): Json => ({
  error: { message, type: 'invalid_request_error', ...more },
});

const TABLE: Readonly<Record<Cause, readonly [provider: string, status: number, body: Json][]>> = {
  model_unknown: [
    [
      'OpenAI',
      404,
      openAi('The model `gpt-9` does not exist or you do not have access to it.', { code: 'model_not_found' }),
    ],
    ['Anthropic', 404, { type: 'error', error: { type: 'not_found_error', message: 'model: claude-9' } }],
    [
      'Gemini',
      404,
      {
        error: {
          code: 404,
          message: 'models/gemini-9 is not found for API version v1beta, or is not supported for generateContent.',
          status: 'NOT_FOUND',
        },
      },
    ],
    ['Ollama', 404, openAi("model 'llama9' not found", { type: 'not_found_error', code: null })],
    [
      'LM Studio',
      404,
      openAi('No models loaded. Please load a model in the developer page.', { code: 'model_not_found' }),
    ],
    [
      'vLLM',
      404,
      { object: 'error', message: 'The model `x` does not exist.', type: 'NotFoundError', param: null, code: 404 },
    ],
    [
      'LiteLLM',
      400,
      openAi(
        'litellm.BadRequestError: Invalid model name passed in model=x. Call `/v1/models` to view available models',
        { code: '400' },
      ),
    ],
    ['OpenRouter', 400, { error: { message: 'acme/x is not a valid model ID', code: 400 } }],
    ['OpenRouter without an endpoint', 404, { error: { message: 'No endpoints found for acme/x.', code: 404 } }],
    ['Mistral', 400, { object: 'error', message: 'Invalid model: x', type: 'invalid_model', code: '1500' }],
    ['DeepSeek', 400, openAi('Model Not Exist')],
    [
      'xAI',
      404,
      {
        code: 'Some requested entity was not found',
        error: 'The model x does not exist or your team does not have access to it.',
      },
    ],
    ['Cohere', 404, { message: "model 'x' not found, make sure the correct model ID was used." }],
    [
      'Azure',
      404,
      { error: { code: 'DeploymentNotFound', message: 'The API deployment for this resource does not exist.' } },
    ],
    ['Bedrock', 400, { message: 'The provided model identifier is invalid.' }],
    ['a provider that no longer has it', 410, {}],
  ],
  no_credits: [
    ['OpenRouter', 402, { error: { message: 'Insufficient credits', code: 402 } }],
    [
      'OpenAI',
      429,
      openAi('You exceeded your current quota.', { type: 'insufficient_quota', code: 'insufficient_quota' }),
    ],
    [
      'Anthropic',
      400,
      {
        error: {
          type: 'invalid_request_error',
          message: 'Your credit balance is too low to access the Anthropic API.',
        },
      },
    ],
    ['DeepSeek', 402, openAi('Insufficient Balance')],
    [
      'xAI',
      403,
      {
        code: 'forbidden',
        error: 'Your team has either used all available credits or reached its monthly spending limit.',
      },
    ],
  ],
  too_long: [
    [
      'OpenAI',
      400,
      openAi('Your input exceeds the context window of this model.', { code: 'context_length_exceeded' }),
    ],
    [
      'Anthropic',
      400,
      { error: { type: 'invalid_request_error', message: 'prompt is too long: 210000 tokens > 200000 maximum' } },
    ],
    [
      'Gemini',
      400,
      {
        error: {
          code: 400,
          message: 'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
          status: 'INVALID_ARGUMENT',
        },
      },
    ],
    [
      'llama.cpp',
      400,
      {
        error: {
          code: 400,
          message: 'the request exceeds the available context size',
          type: 'exceed_context_size_error',
          n_ctx: 512,
        },
      },
    ],
    [
      'LM Studio',
      400,
      {
        error:
          'Trying to keep the first 9000 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens',
      },
    ],
    [
      'vLLM',
      400,
      {
        object: 'error',
        message: "This model's maximum context length is 4096 tokens. However, you requested 9000 tokens.",
        type: 'BadRequestError',
        code: 400,
      },
    ],
    ['LiteLLM', 400, openAi('litellm.ContextWindowExceededError: ...')],
    [
      'Mistral',
      400,
      {
        message: 'Prompt contains 40000 tokens, too large for model with 32768 maximum context length',
        type: 'invalid_request_prompt_tokens',
      },
    ],
    [
      'xAI',
      400,
      {
        code: 'Client specified an invalid argument',
        error: "This model's maximum prompt length is 131072 but the request contains 537812 tokens.",
      },
    ],
    ['Bedrock', 400, { message: 'Input is too long for requested model.' }],
    ['Cohere', 400, { message: 'too many tokens: total number of tokens in the prompt cannot exceed 4081' }],
    ['Ollama', 400, openAi('the input length exceeds the context length')],
    ['any', 413, {}],
  ],
  refused: [
    ['Azure', 400, { error: { code: 'content_filter', message: 'The response was filtered due to the prompt.' } }],
    [
      'OpenAI',
      400,
      openAi('Invalid prompt: your prompt was flagged as potentially violating our usage policy.', {
        code: 'invalid_prompt',
      }),
    ],
    [
      'OpenRouter',
      403,
      { error: { code: 403, message: 'acme/x requires moderation on Acme. Your input was flagged for "violence".' } },
    ],
    [
      'Anthropic',
      400,
      { error: { type: 'invalid_request_error', message: 'Output blocked by content filtering policy' } },
    ],
    ['LiteLLM', 400, openAi('litellm.ContentPolicyViolationError: ...', { code: '400' })],
    ['Alibaba', 400, openAi('Input data may contain inappropriate content.', { code: 'data_inspection_failed' })],
  ],
  json_refused: [
    ['LM Studio', 400, { error: "'response_format.type' must be 'json_schema' or 'text'" }],
    ['Groq', 400, openAi('This model does not support response format `json_schema`.', { param: 'response_format' })],
    ['DeepSeek', 400, openAi('This response_format type is unavailable now')],
  ],
  call_invalid: [['Groq', 400, openAi('Failed to call a function.', { code: 'tool_use_failed' })]],
  tools_refused: [
    ['Ollama', 400, openAi('registry.ollama.ai/library/gemma does not support tools')],
    ['OpenRouter', 404, { error: { message: 'No endpoints found that support tool use.', code: 404 } }],
    [
      'vLLM',
      400,
      {
        object: 'error',
        message: '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
        code: 400,
      },
    ],
  ],
};

describe.each(Object.entries(TABLE))('%s', (cause, rows) => {
  test.each(rows)('of %s with status %i', (_provider, status, body) => {
    expect(causeIn(status, body)).toBe(cause);
  });
});

test.each<[string, number, Json]>([
  [
    'a setting that the model does not take',
    400,
    openAi("Unsupported parameter: 'temperature' is not supported with this model."),
  ],
  [
    'too many output tokens',
    400,
    openAi('max_tokens is too large: 100000. This model supports at most 16384 completion tokens.'),
  ],
  ['an unknown route', 404, '404 page not found'],
  [
    'a limit that Google words as a quota',
    429,
    { error: { code: 429, message: 'You exceeded your current quota, please check your plan and billing details.' } },
  ],
  ['a fault of the server', 503, openAi('The model `x` does not exist.')],
  ['a wrong schema of a tool', 400, openAi("Invalid schema for function 'x': array schema missing items.")],
])('%s is none of these', (_what, status, body) => {
  expect(causeIn(status, body)).toBeUndefined();
});

test('JSON and tools are a cause only if they were requested', () => {
  const asked = { json: false, tools: false };
  expect(causeIn(400, { error: "'response_format.type' must be 'json_schema' or 'text'" }, asked)).toBeUndefined();
  expect(causeIn(400, openAi('x does not support tools'), asked)).toBeUndefined();
});
