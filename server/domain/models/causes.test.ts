// Errors as providers and servers of local models word them.
import { describe, expect, test } from 'vitest';
import type { Json } from '../../../shared/json.ts';
import type { FailureCause } from '../../lib/model-providers/index.ts';
import { causeOf } from './causes.ts';
import { readErrorBody } from './provider-words.ts';

const ALL = { json: true, tools: true };
const causeIn = (status: number, body: Json, asked = ALL): FailureCause | undefined =>
  causeOf(status, readErrorBody(Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))), asked);
const openAi = (message: string, more: object = {}): Json => ({
  error: { message, type: 'invalid_request_error', ...more },
});

const TABLE: Readonly<Record<FailureCause, readonly [provider: string, status: number, body: Json][]>> = {
  address_wrong: [
    ['LM Studio', 404, { error: 'Unexpected endpoint or method. (POST /chat/completions). Returning 200 anyway' }],
    ['OpenAI', 404, openAi('Invalid URL (POST /v1/v1/chat/completions)')],
    ['Groq', 404, openAi('Unknown request URL: POST /chat/completions.', { code: 'unknown_url' })],
  ],
  model_unknown: [
    [
      'Groq',
      400,
      openAi('The model `x` has been decommissioned and is no longer supported.', { code: 'model_decommissioned' }),
    ],
    ['Together', 404, openAi('Unable to access model x.', { code: 'model_not_available' })],
    ['Moonshot', 404, { error: { message: 'Not found the model x or Permission denied', type: 'not_found' } }],
    [
      'LM Studio with several',
      400,
      { error: "Multiple models are loaded. Please specify a model by providing 'model'." },
    ],
    ['llama-swap', 400, 'could not find real modelID for x'],
    [
      'Hugging Face',
      400,
      openAi("The requested model 'x' is not supported by any provider you have enabled.", { code: 'x' }),
    ],
    ['Bedrock for profiles', 400, { message: 'Invocation of model ID x with on-demand throughput isn’t supported.' }],
    ['Bedrock without access', 403, { message: "You don't have access to the model with the specified model ID." }],
    [
      'OpenRouter by policy',
      404,
      { error: { message: 'No endpoints available matching your data policy', code: 404 } },
    ],
    ['Cloudflare', 400, { success: false, errors: [{ message: 'AiError: No such model @cf/x or task', code: 5007 }] }],
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
    ['xAI with 429', 429, { code: 'exhausted', error: 'Your team has either used all available credits or more.' }],
    ['xAI', 403, { code: 'no permission', error: "Your newly created team doesn't have any credits or licenses yet." }],
    ['OpenRouter for a key', 403, { error: { message: 'Key limit exceeded (total limit).', code: 403 } }],
    ['Mistral', 401, { detail: 'Inactive subscription or usage limit reached' }],
    ['LiteLLM', 400, openAi('Budget has been exceeded! Current cost: 5', { type: 'budget_exceeded', code: '400' })],
    ['Alibaba', 400, openAi('Access denied, your account is not in good standing.', { code: 'Arrearage' })],
    ['Hugging Face', 402, { error: 'You have exceeded your monthly included credits.' }],
    ['Zhipu', 429, { error: { code: '1113', message: 'Insufficient balance or no resource package.' } }],
    ['Gemini', 429, { error: { code: 429, message: 'Your prepayment credits are depleted.', status: 'EXHAUSTED' } }],
    ['Moonshot', 429, { error: { message: 'Your account is suspended.', type: 'exceeded_current_quota_error' } }],
    ['Anthropic with a limit', 400, { error: { message: 'You have reached your specified API usage limits.' } }],
    ['MiniMax', 400, { base_resp: { status_code: 1008, status_msg: 'insufficient balance' } }],
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
      'OpenAI beyond the rate',
      429,
      openAi('Request too large for gpt-x on tokens per min (TPM): Limit 30000, Requested 50000.', {
        code: 'rate_limit_exceeded',
      }),
    ],
    ['Moonshot', 400, openAi('Invalid request: Your request exceeded model token limit: 8192')],
    ['Alibaba', 400, openAi('Range of input length should be [1, 30720]')],
    ['Zhipu', 400, { error: { code: '1261', message: 'Prompt exceeds max length' } }],
    ['llama.cpp of before', 500, { error: { code: 500, message: 'the request exceeds the available context size.' } }],
    ['llama.cpp for batches', 500, { error: { code: 500, message: 'input is too large to process.' } }],
    ['LM Studio of before', 400, { error: 'Cannot truncate prompt with n_keep (6000) >= n_ctx (4096)' }],
    ['OpenAI for a text', 400, openAi("Invalid 'input': string too long. Expected a maximum length of 10485760.")],
    ['TabbyAPI', 422, { detail: 'Prompt length 9000 is greater than max_seq_len 8192' }],
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
    ['DeepSeek', 400, openAi('Content Exists Risk')],
    ['MiniMax', 200, { base_resp: { status_code: 1026, status_msg: 'input new_sensitive' } }],
    [
      'xAI',
      403,
      { code: 'no permission', error: 'Content violates usage guidelines. Failed check: SAFETY_CHECK_TYPE_BIO' },
    ],
    ['a guardrail of LiteLLM', 400, openAi('Violated content safety policy', { code: '400' })],
    ['Cloudflare', 424, { success: false, error: [{ code: 2016, message: 'Prompt blocked due to security' }] }],
    ['Zhipu', 400, { error: { code: '1301', message: '系统检测到输入或生成内容可能包含不安全或敏感内容' } }],
    ["OpenAI's limits", 400, openAi("We've limited access to this content for safety reasons.")],
    ['a filter', 400, openAi('Request blocked by safety filter')],
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
    ['Gemini', 400, openAi("Function calling with a response mime type: 'application/json' is unsupported")],
    ['Gemini for deep ones', 400, openAi('A schema in GenerationConfig exceeds the maximum allowed nesting depth')],
    ['vLLM', 400, openAi('Grammar error: Unsupported feature')],
    ['Gemini for schemas', 400, openAi('* generation_config.response_schema.properties[x].enum: only for STRING')],
    ['Anthropic', 400, openAi("'claude-x' does not support output format.")],
    ['vLLM', 400, { message: 'The provided JSON schema contains features not supported by xgrammar.', code: 400 }],
    ['llama.cpp', 400, { error: { code: 400, message: 'Failed to parse grammar', type: 'invalid_request_error' } }],
    ['Ollama', 400, { error: 'invalid JSON schema in format' }],
    ['LM Studio', 400, { error: "'response_format.type' must be 'json_schema' or 'text'" }],
    ['Groq', 400, openAi('This model does not support response format `json_schema`.', { param: 'response_format' })],
    ['DeepSeek', 400, openAi('This response_format type is unavailable now')],
  ],
  key_rejected: [
    [
      'Gemini',
      400,
      { error: { code: 400, message: 'API key not valid. Please pass a valid API key.', status: 'INVALID_ARGUMENT' } },
    ],
    ['Gemini with an old one', 400, { error: { code: 400, message: 'API key expired. Please renew the API key.' } }],
    ['xAI', 400, { code: 'Client specified an invalid argument', error: 'Incorrect API key provided: xa***.' }],
  ],
  region_refused: [
    ['Gemini', 400, { error: { code: 400, message: 'User location is not supported for the API use.' } }],
    ['OpenAI', 403, openAi('Country not supported', { code: 'unsupported_country_region_territory' })],
  ],
  model_withheld: [
    ['Groq', 403, openAi('The model `x` is blocked.', { code: 'model_permission_blocked_org' })],
    ['Groq for terms', 400, openAi('The model `x` requires terms acceptance.', { code: 'model_terms_required' })],
    ['LiteLLM', 401, openAi('team not allowed to access model.', { type: 'team_model_access_denied', code: '401' })],
  ],
  model_not_loaded: [
    ['LM Studio', 404, { error: { message: 'Failed to load model "x". Error: insufficient system resources' } }],
    ['Ollama', 500, { error: 'model requires more system memory (8.4 GiB) than is available (5.2 GiB)' }],
    ['Ollama with a wrong file', 500, { error: 'llama runner process has terminated: exit status 2' }],
  ],
  model_unsuited: [
    ['OpenAI', 404, openAi('This is not a chat model and thus not supported in the v1/chat/completions endpoint.')],
    ['OpenAI for answers', 404, openAi('This model is only supported in v1/responses.')],
    [
      'Azure',
      400,
      { error: { code: 'OperationNotSupported', message: 'The chatCompletion operation does not work.' } },
    ],
  ],
  json_invalid: [['Groq', 400, openAi('Failed to generate JSON.', { code: 'json_validate_failed' })]],
  call_invalid: [['Groq', 400, openAi('Failed to call a function.', { code: 'tool_use_failed' })]],
  tools_refused: [
    ['llama.cpp', 500, openAi('tools param requires --jinja flag')],
    ['Groq', 400, openAi('`tool calling` is not supported with this model')],
    ['Gemini', 400, { error: { code: 400, message: 'Function calling is not enabled for models/gemma-x' } }],
    ['Cohere', 400, { message: 'tool use is not supported by this model' }],
    ['OpenAI', 400, openAi("Unsupported parameter: 'tools' is not supported with this model.")],
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
  ['a long name of a tool', 400, openAi('tools.0.name exceeds the maximum length of 64')],
  [
    'a schema of a tool that Anthropic does not take',
    400,
    openAi('tools.0.custom.input_schema: JSON schema is invalid. It must match JSON Schema draft 2020-12'),
  ],
  ['a limit that ends', 429, openAi('Rate limit reached. Need more tokens? Upgrade at https://x.example/billing')],
  ['an unknown route', 404, '404 page not found'],
  [
    'a limit that Google words as a quota',
    429,
    { error: { code: 429, message: 'You exceeded your current quota, please check your plan and billing details.' } },
  ],
  ['a fault of the server that says little', 500, openAi('Something went wrong with the model.')],
  [
    'a long name',
    400,
    openAi("Invalid 'tools[0].function.name': string too long.", { code: 'string_above_max_length' }),
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
