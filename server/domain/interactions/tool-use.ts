// Tool calls for a request. Their content is stored as the operator configured; their results have one form.
import type { JsonObject } from '../../../shared/json.ts';
import { storeText } from '../../kernel/contents/index.ts';
import type { PlaybookKey, WriteTransaction } from '../../kernel/log/index.ts';
import { Refused } from '../../lib/rejection.ts';
import type { ToolUse } from '../../kinds/conversing.ts';
import type { CallStart, ToolCalled, Tools } from '../tools/index.ts';

/** The outcome of using a tool. */
export type ToolUseEnd =
  | { kind: 'result'; called: ToolCalled }
  /** `wasSent`: the call may have had an effect. */
  | { kind: 'failed'; because: string; detail?: string; retryAfterMs?: number; wasSent: boolean; called?: ToolCalled }
  /** The service stops. */
  | { kind: 'interrupted'; wasSent: boolean };

export async function useTool(
  tools: Tools,
  playbookKey: PlaybookKey,
  { server, tool, arguments: given }: ToolUse,
  options: { signal: AbortSignal; beforeSending: (start: CallStart) => Promise<void> },
): Promise<ToolUseEnd> {
  let wasSent = false;
  try {
    const called = await tools.call(playbookKey, server, tool, given, {
      signal: options.signal,
      async beforeSending(start) {
        await options.beforeSending(start);
        wasSent = true;
      },
    });
    if (called === undefined) return { kind: 'interrupted', wasSent };
    if (called.outcome === 'result') return { kind: 'result', called };
    return {
      kind: 'failed',
      because: called.because ?? called.outcome,
      ...(called.keepsContent ? { detail: called.text.slice(0, MOST_SAID).toWellFormed() } : {}),
      ...(called.retryAfterMs === undefined ? {} : { retryAfterMs: called.retryAfterMs }),
      wasSent,
      called,
    };
  } catch (error) {
    if (options.signal.aborted) return { kind: 'interrupted', wasSent };
    if (!(error instanceof Refused) || wasSent) throw error;
    const { because, kind, reason, detail, retryAfter } = error.rejection;
    const wait = retryAfter === undefined ? {} : { retryAfterMs: retryAfter * 1000 };
    return { kind: 'failed', because: because ?? kind ?? reason, detail, ...wait, wasSent };
  }
}

const MOST_SAID = 1000;

/** The tool as events name it. */
export function toolNamed({ server, tool }: Pick<ToolUse, 'server' | 'tool'>, connectionId: string | undefined) {
  return { server, tool, ...(connectionId === undefined ? {} : { connection_id: connectionId }) };
}

/** Size of arguments that are sent, and where their text is kept. */
export async function argumentsSize(
  tx: WriteTransaction,
  playbookKey: PlaybookKey,
  { arguments: given, keepsContent }: Pick<CallStart, 'arguments' | 'keepsContent'>,
): Promise<JsonObject> {
  const text = JSON.stringify(given);
  if (!keepsContent) return { arguments_bytes: Buffer.byteLength(text) };
  const { bytes, sha256 } = await storeText(tx, playbookKey, text);
  return { arguments_bytes: bytes, arguments_sha256: sha256 };
}

/** Size of a result, and where its text is kept. */
export async function resultSize(
  tx: WriteTransaction,
  playbookKey: PlaybookKey,
  called: ToolCalled | undefined,
): Promise<JsonObject> {
  if (called === undefined || called.resultBytes === null) return {};
  const { result, resultBytes, keepsContent } = called;
  if (!keepsContent || result === undefined) return { result_bytes: resultBytes };
  const { sha256 } = await storeText(tx, playbookKey, result.text);
  return { result_bytes: resultBytes, result_sha256: sha256 };
}

/** What an event records about a use that failed. */
export function failureWords(used: ToolUseEnd & { kind: 'failed' }): JsonObject {
  const { because, detail, retryAfterMs } = used;
  return {
    because,
    ...(detail === undefined ? {} : { detail }),
    ...(retryAfterMs === undefined ? {} : { retry_after_ms: retryAfterMs }),
  };
}
