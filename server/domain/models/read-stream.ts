// Collects the parts of a streamed answer into the result that the same answer would be without streaming.
//
// 1. An answer is whole only once its provider has given a finish reason. Some SDKs invent one where it is missing.
// 2. The first error ends the answer. Until it is whole, only `onText` sees any of it.
import type {
  LanguageModelV4Content,
  LanguageModelV4GenerateResult,
  LanguageModelV4StreamPart,
  LanguageModelV4StreamResult,
} from '@ai-sdk/provider';
import { refusesIn, withRefusal } from './refusals.ts';
import { errorIn } from './reported-error.ts';

export interface StreamReader {
  /** A part of the answer arrived: text, reasoning or arguments of a tool call. */
  onToken: () => void;
  onText: (text: string) => void;
  /** The answer is whole. */
  onEnd: () => void;
}

/** A provider reported an error within its answer, or ended the answer without a reason. */
export class StreamFailed extends Error {
  /** The error as the SDK passes it on; undefined if the provider reported none. */
  readonly reported: unknown;

  constructor(reported: unknown) {
    super('The streamed answer failed.');
    this.name = 'StreamFailed';
    this.reported = reported;
  }
}

type StreamedContent = Extract<LanguageModelV4Content, { type: 'text' | 'reasoning' }>;
type FinishPart = Extract<LanguageModelV4StreamPart, { type: 'finish' }>;

/** @throws StreamFailed, or what reading throws when the connection breaks off */
export async function readStream(
  { stream }: LanguageModelV4StreamResult,
  { onToken, onText, onEnd }: StreamReader,
): Promise<LanguageModelV4GenerateResult> {
  const content: LanguageModelV4Content[] = [];
  const open = new Map<string, StreamedContent>();
  const result: Pick<LanguageModelV4GenerateResult, 'warnings' | 'response'> = { warnings: [] };
  let finish: FinishPart | undefined;
  let reported: unknown;
  let isRefused = false;

  /** Blocks may be interleaved; each keeps the position at which it began. */
  function blockOf(type: StreamedContent['type'], id: string): StreamedContent {
    const key = `${type} ${id}`;
    const known = open.get(key);
    if (known !== undefined) return known;
    const begun: StreamedContent = { type, text: '' };
    open.set(key, begun);
    content.push(begun);
    return begun;
  }

  for await (const part of stream) {
    switch (part.type) {
      case 'text-start':
      case 'text-delta':
      case 'text-end':
      case 'reasoning-start':
      case 'reasoning-delta':
      case 'reasoning-end': {
        const type = part.type.startsWith('text') ? 'text' : 'reasoning';
        const block = blockOf(type, part.id);
        // The last one counts: signatures come at the end.
        if (part.providerMetadata !== undefined) block.providerMetadata = part.providerMetadata;
        if ('delta' in part) {
          block.text += part.delta;
          onToken();
          if (type === 'text') onText(part.delta);
        }
        if (part.type.endsWith('end')) open.delete(`${type} ${part.id}`);
        break;
      }
      case 'tool-input-start':
      case 'tool-input-delta':
      case 'tool-input-end':
        onToken();
        break;
      case 'stream-start':
        result.warnings = part.warnings;
        break;
      case 'response-metadata':
        result.response = { ...result.response, ...part };
        break;
      case 'raw':
        reported ??= errorIn(part.rawValue);
        isRefused ||= refusesIn(part.rawValue);
        break;
      case 'error':
        // Some SDKs know no refusals, and reject their chunks.
        if (isRefused || isEmptyChunk(part.error)) break;
        throw new StreamFailed(reported ?? part.error);
      case 'finish':
        finish = part;
        break;
      default:
        onToken();
        content.push(part);
    }
    if (finish !== undefined) break;
  }
  if (finish === undefined || reported !== undefined) throw new StreamFailed(reported);
  if (isMadeUp(finish) && !isRefused) throw new StreamFailed(undefined);
  onEnd();
  const { finishReason, usage, providerMetadata } = finish;
  const metadata = providerMetadata === undefined ? {} : { providerMetadata };
  return withRefusal({ ...result, content, finishReason, usage, ...metadata }, isRefused);
}

const NAMES_ALONE = /^(?:type|object|event|role|id|model|provider|system_fingerprint|service_tier|obfuscation)$/;

/**
 * Whether an SDK rejected a chunk that carries no content, such as a keep-alive: its only strings are names.
 */
function isEmptyChunk(error: unknown): boolean {
  if (!(error instanceof Error) || error.name !== 'AI_TypeValidationError' || !('value' in error)) return false;
  let isEmpty = typeof error.value === 'object' && errorIn(error.value) === undefined;
  JSON.stringify(error.value, (name, value: unknown) => {
    if (typeof value === 'string' && value !== '' && !NAMES_ALONE.test(name)) isEmpty = false;
    return value;
  });
  return isEmpty;
}

/** The value that an SDK uses if the provider gave no reason. */
function isMadeUp({ finishReason: { unified, raw } }: FinishPart): boolean {
  return raw === undefined && (unified === 'other' || unified === 'error');
}
