// The tools of a draft run: they are listed and checked, and called only where the caller asked for that. Nothing is
// recorded.
import type { Json, JsonObject } from '../../../shared/json.ts';
import type { PlaybookKey } from '../../kernel/log/index.ts';
import type { RunTools, ToolCallEnd, ToolsCalled } from '../../kinds/tools.ts';
import { Refused } from '../../lib/rejection.ts';
import { type Tools, toolsOffered } from '../tools/index.ts';

export interface DraftToolsOptions {
  tools: Pick<Tools, 'call' | 'list' | 'refuseUnoffered' | 'try'>;
  playbookKey: PlaybookKey;
  signal: AbortSignal;
  callsTools: boolean;
  /** Whether a run continues with what a dry run found, as a model can; otherwise the call throws NotCalled. */
  continuesDry: boolean;
  /** Called with each call, as it ended. */
  onCall: (called: DraftToolCall) => void;
}

export interface DraftToolCall {
  called: string;
  how: 'called' | 'dry_run';
  isError: boolean;
  output?: Json;
  detail?: string;
}

/** The tool was only checked, and the run needs its result. The message says what the dry run found. */
export class NotCalled extends Error {}

export function createDraftTools({
  tools,
  playbookKey,
  signal,
  callsTools,
  continuesDry,
  onCall,
}: DraftToolsOptions): RunTools {
  let used: ToolsCalled = 'none';
  return {
    used: () => used,
    ...toolsOffered(tools, playbookKey),
    async call(server, tool, args): Promise<ToolCallEnd | undefined> {
      const called = `${server}/${tool}`;
      if (!callsTools) {
        tools.refuseUnoffered(playbookKey, server, tool);
        const detail = await dryRunWords(tools, playbookKey, { server, tool }, args);
        if (!continuesDry) throw new NotCalled(detail);
        onCall({ called, how: 'dry_run', isError: false, detail });
        // The model gets the finding, and may continue without the result.
        return { outcome: 'result', text: detail, output: () => ({ text: detail }), readOnly: true };
      }
      const end = await tools.call(playbookKey, server, tool, args, {
        signal,
        async beforeSending(start) {
          used = start.readOnly && used !== 'effects' ? 'reads' : 'effects';
        },
      });
      if (end === undefined) return undefined;
      const isError = end.outcome !== 'result';
      onCall({ called, how: 'called', isError, ...(isError ? { detail: end.text } : { output: end.output() }) });
      return end;
    },
  };
}

/** What a dry run of a tool found, in a sentence or two. */
export async function dryRunWords(
  tools: Pick<Tools, 'try'>,
  playbookKey: PlaybookKey,
  { server, tool }: { server: string; tool: string },
  args: JsonObject,
): Promise<string> {
  const begins = `Dry run: ${server}/${tool} was not called.`;
  try {
    const tried = await tools.try(playbookKey, server, tool, args);
    if (!tried.allowed) return `${begins} The operator does not allow this tool.`;
    if (tried.server.reachable === 'no') return `${begins} Its server is not available: ${tried.server.because}.`;
    const [issue] = tried.arguments?.issues ?? [];
    if (issue === undefined) return `${begins} The arguments match its schema.`;
    const at = issue.path === '' ? '' : `At ${issue.path}: `;
    return `${begins} ${tried.arguments?.valid === false ? 'The arguments do not match its schema. ' : ''}${at}${issue.message}`;
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return `${begins} ${error.message}`;
  }
}
