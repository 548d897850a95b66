// A reasoning function as it is written: Markdown with YAML front matter.
import type { SourceIssue } from '../../../shared/issues.ts';
import type { PlaybookKey } from '../../kernel/log/index.ts';
import type { JsonObject } from '../../../shared/json.ts';
import type { ReadSource, Sources } from '../../lib/yaml/index.ts';

/** What the front matter of a checked document holds. */
export interface FrontMatter {
  description?: string;
  model: string;
  instructions?: string;
  input?: JsonObject;
  output?: JsonObject;
  tools?: string[];
  config?: Config;
  provider_options?: Record<string, JsonObject>;
  examples?: { name: string; input: JsonObject; output?: JsonObject }[];
  expose?: boolean;
}

export interface Config {
  temperature?: number;
  top_p?: number;
  max_output_tokens?: number;
  seed?: number;
  stop?: string[];
  reasoning_effort?: 'minimal' | 'low' | 'medium' | 'high';
  max_steps?: number;
}

/** The two parts of a source. */
export interface SourceSections {
  /** The front matter, at the lines at which it stands in the source. */
  yaml: string;
  /** The prompt as it is written. */
  body: string;
  /** The line on which the body begins, from 1. */
  bodyLine: number;
}

const FENCE = /^---[ \t]*\r?$/;

/** Undefined where the source does not begin with front matter between two lines of `---`. */
function sectionsOf(source: string): SourceSections | undefined {
  const lines = source.replace(/^\uFEFF/, '').split('\n');
  if (!FENCE.test(lines[0] ?? '')) return undefined;
  const end = lines.findIndex((line, index) => index > 0 && FENCE.test(line));
  if (end === -1) return undefined;
  return {
    // An empty line stands for the first fence, so that lines count as in the source.
    yaml: ['', ...lines.slice(1, end), ''].join('\n'),
    body: lines.slice(end + 1).join('\n'),
    bodyLine: end + 2,
  };
}

export type ReadDocument =
  | (Extract<ReadSource, { ok: true }> & { parts: SourceSections })
  | { ok: false; issues: readonly SourceIssue[] };

const NO_FRONT_MATTER =
  'A reasoning function begins with front matter: a line `---`, YAML with at least `model`, a line `---`; then the prompt.';

export async function readDocument(
  source: string,
  sources: Pick<Sources, 'read'>,
  playbookKey: PlaybookKey,
): Promise<ReadDocument> {
  const parts = sectionsOf(source);
  if (parts === undefined) {
    return { ok: false, issues: [{ pointer: '/source', line: 1, column: 1, detail: NO_FRONT_MATTER }] };
  }
  const read = await sources.read({ source: parts.yaml, otherwise: NO_FRONT_MATTER }, { playbookKey: playbookKey });
  return read.ok ? { ...read, parts } : read;
}

export interface ReasoningDocument extends FrontMatter {
  prompt: string;
}

/** The document of a version that was checked when it was saved: no checks. */
export async function checkedDocument(source: string, sources: Pick<Sources, 'valueOf'>): Promise<ReasoningDocument> {
  const parts = sectionsOf(source);
  if (parts === undefined) throw new Error('A saved reasoning function has no front matter.');
  return { ...((await sources.valueOf(parts.yaml)) as unknown as FrontMatter), prompt: parts.body };
}
