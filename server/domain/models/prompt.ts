// Between what a kind says to a model and the form in which the SDKs take it.
import type {
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4GenerateResult,
  LanguageModelV4Message,
} from '@ai-sdk/provider';
import { assertNever } from '../../../shared/assert-never.ts';
import { type JsonObject, textsIn } from '../../../shared/json.ts';
import type { Scrubber } from '../../lib/scrub/index.ts';
import type { ModelMessage, ModelRequest, ProviderMessage, ModelTokens, ModelTurn } from '../../kinds/models.ts';
import type { ModelProvider } from '../../settings/index.ts';
import type { AdaptedTools } from './adapted-tools.ts';
import { sdkOptions } from './provider-options.ts';

export function callOptions(
  provider: ModelProvider,
  { messages, schema, settings, providerOptions }: ModelRequest,
  { tools, nameFor }: Pick<AdaptedTools, 'tools' | 'nameFor'>,
): LanguageModelV4CallOptions {
  const { maxOutputTokens, temperature, topP, seed, stop, reasoningEffort } = settings;
  return {
    prompt: withSchema(provider, schema, messages).map((message) => messageOf(message, nameFor)),
    maxOutputTokens,
    ...(temperature === undefined ? {} : { temperature }),
    ...(topP === undefined ? {} : { topP }),
    ...(seed === undefined ? {} : { seed }),
    ...(stop === undefined ? {} : { stopSequences: [...stop] }),
    ...(reasoningEffort === undefined ? {} : { reasoning: reasoningEffort }),
    ...(schema === undefined ? {} : { responseFormat: formatOf(provider, schema) }),
    ...(tools.length === 0 ? {} : { tools: [...tools], toolChoice: { type: 'auto' } }),
    providerOptions: sdkOptions(provider, providerOptions),
  };
}

function takesSchema(provider: ModelProvider): boolean {
  return provider.kind !== 'gateway' || provider.structuredOutputs;
}

function formatOf(
  provider: ModelProvider,
  schema: JsonObject,
): NonNullable<LanguageModelV4CallOptions['responseFormat']> {
  return takesSchema(provider) ? { type: 'json', schema, name: 'answer' } : { type: 'json' };
}

/** For a gateway that takes no schema, the schema goes into the prompt: otherwise the model cannot know it. */
function withSchema(
  provider: ModelProvider,
  schema: JsonObject | undefined,
  messages: readonly ModelMessage[],
): readonly ModelMessage[] {
  if (schema === undefined || takesSchema(provider)) return messages;
  const words = `Answer with JSON alone, without any text around it, that fits this JSON Schema:\n${JSON.stringify(schema)}`;
  const [first, ...rest] = messages;
  return first?.role === 'system'
    ? [{ role: 'system', text: `${first.text}\n\n${words}` }, ...rest]
    : [{ role: 'system', text: words }, ...messages];
}

function messageOf(message: ModelMessage, nameFor: AdaptedTools['nameFor']): LanguageModelV4Message {
  switch (message.role) {
    case 'system':
      return { role: 'system', content: message.text };
    case 'user':
      return { role: 'user', content: [{ type: 'text', text: message.text }] };
    case 'assistant':
      return {
        role: 'assistant',
        content: (message.raw.content as readonly LanguageModelV4Content[]).flatMap(partOf),
      };
    case 'tool':
      return {
        role: 'tool',
        content: message.results.map(({ callId, tool, text, isError }) => ({
          type: 'tool-result',
          toolCallId: callId,
          toolName: nameFor(tool),
          output: { type: isError ? 'error-text' : 'text', value: text },
        })),
      };
    default:
      return assertNever(message);
  }
}

type AssistantPart = Extract<LanguageModelV4Message, { role: 'assistant' }>['content'][number];

/** An earlier answer of the model, sent back to it with the data of its provider, such as a signature. */
function partOf(part: LanguageModelV4Content): AssistantPart[] {
  const { providerMetadata } = part;
  const kept = providerMetadata === undefined ? {} : { providerOptions: providerMetadata };
  switch (part.type) {
    case 'text':
      return [{ type: 'text', text: part.text, ...kept }];
    case 'reasoning':
      return [{ type: 'reasoning', text: part.text, ...kept }];
    case 'tool-call':
      return [
        {
          type: 'tool-call',
          toolCallId: part.toolCallId,
          toolName: part.toolName,
          input: argumentsOf(part.input),
          ...kept,
        },
      ];
    default:
      // Files, sources and what a provider's own tools did are no part of a function's conversation.
      return [];
  }
}

/** Providers want an object back, whatever the model wrote. */
function argumentsOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return {};
  }
}

/** Every text that is sent with the messages: what a provider may quote of them. */
export function sentTexts(messages: readonly ModelMessage[]): string[] {
  return messages.flatMap((message) => {
    switch (message.role) {
      case 'system':
      case 'user':
        return [message.text];
      case 'assistant':
        return (message.raw.content as readonly LanguageModelV4Content[]).flatMap(saidTexts);
      case 'tool':
        return message.results.map(({ text }) => text);
      default:
        return assertNever(message);
    }
  });
}

/** Arguments as they stand, and each text and number in them: it may be too short to be found as a piece of the whole. */
function saidTexts(part: LanguageModelV4Content): string[] {
  if (part.type === 'text' || part.type === 'reasoning') return [part.text];
  return part.type === 'tool-call' ? [part.input, ...textsIn(argumentsOf(part.input))] : [];
}

/** @param scrubber takes out what the request showed of secrets: a gateway may echo it */
export function turnOf(
  { content: given, finishReason, usage, response, warnings }: LanguageModelV4GenerateResult,
  scrubber: Scrubber,
  ownCall: AdaptedTools['ownCall'],
): ModelTurn {
  const content = given.map((part) => scrubbed(part, scrubber));
  const message: ProviderMessage = { content };
  return {
    text: scrubber.text(content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('')),
    toolCalls: content.flatMap((part) =>
      part.type === 'tool-call' && part.providerExecuted !== true
        ? [{ id: part.toolCallId, ...ownCall(part.toolName, part.input) }]
        : [],
    ),
    finishReason: finishReason.unified,
    tokens: tokensOf(usage),
    ...(response?.modelId === undefined ? {} : { reported: scrubber.text(response.modelId).slice(0, 256) }),
    ignored: warnings.flatMap((warning) => (warning.type === 'unsupported' ? [warning.feature.slice(0, 64)] : [])),
    raw: message,
  };
}

/** What is stored, sent back or passed to a tool. A provider's own data, such as a signature, is not changed. */
function scrubbed(part: LanguageModelV4Content, { text }: Scrubber): LanguageModelV4Content {
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return { ...part, text: text(part.text) };
    case 'tool-call':
      return { ...part, toolCallId: text(part.toolCallId), toolName: text(part.toolName), input: text(part.input) };
    default:
      return part;
  }
}

function tokensOf({ inputTokens, outputTokens }: LanguageModelV4GenerateResult['usage']): ModelTokens {
  return {
    input: countOf(inputTokens.total),
    output: countOf(outputTokens.total),
    cached: countOf(inputTokens.cacheRead),
  };
}

/** A provider may report nothing, or nonsense. */
function countOf(value: number | undefined): number {
  return value !== undefined && Number.isSafeInteger(value) && value > 0 ? value : 0;
}
